// Runs the vectors of arena's protocol/vectors as far as they concern a bot, and then reads bytes
// that are nothing at all. Of decide and high it asks only that their answers are legal.
//
// The folder is the one that ARENA_VECTORS names, or else vectors/ of the bot, which `arena
// new-bot` has made, or else the one in the repository of arena.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "cards.hpp"
#include "decide.hpp"
#include "views.hpp"
#include "wire/frames.hpp"
#include "wire/messages.hpp"

namespace {

using Json = nlohmann::ordered_json;

std::string vectors_folder() {
    if (const char* given = std::getenv("ARENA_VECTORS")) return given;
    const std::string own = FOLDER "/vectors", shared = FOLDER "/../../protocol/vectors";
    for (const auto& folder : {own, shared}) {
        if (std::filesystem::exists(folder + "/messages.json")) return folder;
    }
    throw std::runtime_error("no vectors: neither " + own + " nor " + shared +
                             " is here; set ARENA_VECTORS to the folder protocol/vectors of arena");
}

// Fails the test if the file cannot be read: an exception does so.
Json load(const std::string& name) {
    const std::string path = vectors_folder() + "/" + name + ".json";
    std::ifstream file{path};
    if (!file) {
        throw std::runtime_error(path +
                                 " cannot be read; set ARENA_VECTORS to the folder "
                                 "protocol/vectors of arena");
    }
    Json vectors = Json::parse(file).at("vectors");
    if (vectors.empty()) throw std::runtime_error(path + " has no vectors");
    return vectors;
}

std::string bytes(const Json& hex) {
    const auto digits = hex.get<std::string>();
    std::string made;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        made += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    }
    return made;
}

std::string as_string(const msgpack::sbuffer& buffer) {
    return {buffer.data(), buffer.size()};
}

std::string as_string(std::span<const char> body) {
    return {body.begin(), body.end()};
}

// The body of a frame that is whole.
std::string body_of(const msgpack::sbuffer& frame) {
    Frames frames;
    std::copy_n(frame.data(), frame.size(), frames.space().begin());
    frames.came(frame.size());
    const auto body = frames.next();
    EXPECT_TRUE(body && !frames.is_unfinished());
    return body ? as_string(*body) : "";
}

void pack(msgpack::packer<msgpack::sbuffer>& out, const Json& value) {
    if (value.is_object()) {
        out.pack_map(static_cast<std::uint32_t>(value.size()));
        for (const auto& [key, inner] : value.items()) {
            out.pack(key);
            pack(out, inner);
        }
    } else if (value.is_array()) {
        out.pack_array(static_cast<std::uint32_t>(value.size()));
        for (const auto& inner : value) pack(out, inner);
    } else if (value.is_string()) {
        out.pack(value.get<std::string>());
    } else if (value.is_boolean()) {
        out.pack(value.get<bool>());
    } else if (value.is_number_integer()) {
        out.pack(value.get<std::int64_t>());
    } else {
        out.pack_nil();
    }
}

// The same as JSON; msgpack::object prints itself as JSON, but not what is not ASCII.
Json plain(const msgpack::object& value) {
    switch (value.type) {
        case msgpack::type::NIL:
            return nullptr;
        case msgpack::type::BOOLEAN:
            return value.via.boolean;
        case msgpack::type::POSITIVE_INTEGER:
            return value.via.u64;
        case msgpack::type::NEGATIVE_INTEGER:
            return value.via.i64;
        case msgpack::type::STR:
            return std::string{text(value)};
        case msgpack::type::ARRAY: {
            Json list = Json::array();
            for (const auto& inner : value.via.array) list.push_back(plain(inner));
            return list;
        }
        case msgpack::type::MAP: {
            Json map = Json::object();
            for (const auto& pair : value.via.map)
                map[std::string{text(pair.key)}] = plain(pair.val);
            return map;
        }
        default:
            throw std::runtime_error("a value that the protocol does not have");
    }
}

// Whatever the order of fields.
bool same(const Json& one, const Json& other) {
    return nlohmann::json(one) == nlohmann::json(other);
}

// ---- Vectors ----

TEST(Vectors, Frames) {
    const Json vectors = load("frames");
    for (const Json& vector : vectors) {
        SCOPED_TRACE(vector.at("name"));
        Frames frames{vector.at("max_body_bytes").get<std::size_t>()};
        std::vector<std::string> found, expected;
        for (const Json& body : vector.at("bodies")) expected.push_back(bytes(body));
        bool refused = false;
        try {
            for (const Json& hex : vector.at("chunks")) {
                const std::string chunk = bytes(hex);
                std::copy(chunk.begin(), chunk.end(), frames.space().begin());
                frames.came(chunk.size());
                while (const auto body = frames.next()) found.push_back(as_string(*body));
            }
        } catch (const std::runtime_error&) {
            refused = true;
        }
        EXPECT_EQ(found, expected);
        EXPECT_EQ(refused, vector.at("breach") == "frame-too-long");
        if (!refused) {
            EXPECT_EQ(frames.is_unfinished(), vector.at("at_end") == "frame-unfinished");
        }
    }
}

TEST(Vectors, Messages) {
    const Json vectors = load("messages");
    Decoder decoder;
    for (const Json& vector : vectors) {
        SCOPED_TRACE(vector.at("name"));
        const std::string body = bytes(vector.at("hex"));
        const Json& message = vector.at("message");
        EXPECT_TRUE(same(plain(decoder.decode(body)), message));
        if (vector.at("canonical")) {
            msgpack::sbuffer packed;
            msgpack::packer<msgpack::sbuffer> out{packed};
            pack(out, message);
            EXPECT_EQ(as_string(packed), body);
        }
    }
}

TEST(Vectors, WhatWeSend) {
    Decoder decoder;
    for (const Json& vector : load("messages")) {
        SCOPED_TRACE(vector.at("name"));
        const Json& message = vector.at("message");
        msgpack::sbuffer frame;
        if (message.at("type") == "hello") {
            pack_hello(frame, message.at("token").get<std::string>());
            const std::string body = body_of(frame);
            const Json hello = plain(decoder.decode(body));
            for (const char* name : {"type", "protocol", "token"}) {
                EXPECT_EQ(hello.at(name), message.at(name));
            }
        } else if (message.at("type") == "action") {
            const auto match = message.at("match").get<std::string>();
            Request request;
            request.match = match;
            request.id = message.at("id").get<std::uint64_t>();
            pack_action(frame, request, message.at("action").get<std::string>(),
                        message.value("note", ""));
            const std::string body = body_of(frame);
            if (vector.at("canonical")) {
                EXPECT_EQ(body, bytes(vector.at("hex")));
            }
        }
    }
}

// Read the frames of the server in a conversation, cut into pieces of two sizes, and compare them
// with its steps; pack every answer that could be given to a request.
void hear(const Json& steps, const std::string& stream, std::size_t first, std::size_t then) {
    Frames frames;
    Decoder decoder;
    auto step = steps.begin();
    for (std::size_t at = 0, piece = first; at < stream.size(); piece = then) {
        const std::string chunk = stream.substr(at, piece);
        at += chunk.size();
        std::copy(chunk.begin(), chunk.end(), frames.space().begin());
        frames.came(chunk.size());
        while (const auto body = frames.next()) {
            while (step->at("from") != "server") ++step;
            const Json& expected = (step++)->at("message");
            const msgpack::object& message = decoder.decode(*body);
            ASSERT_TRUE(same(plain(message), expected));
            if (expected.at("type") != "request") continue;
            const Request request = read_request(message);
            EXPECT_EQ(request.time_us, expected.at("time_us"));
            EXPECT_TRUE(same(plain(request.view), expected.at("view")));
            ASSERT_EQ(request.legal.size(), expected.at("legal").size());
            for (const std::string_view action : request.legal) {
                msgpack::sbuffer frame;
                pack_action(frame, request, action);
                const std::string answer = body_of(frame);
                Decoder other;
                const Json said = plain(other.decode(answer));
                EXPECT_EQ(said, (Json{{"type", "action"},
                                      {"match", expected.at("match")},
                                      {"id", expected.at("id")},
                                      {"action", action}}));
            }
        }
    }
    while (step != steps.end() && step->at("from") != "server") ++step;
    EXPECT_TRUE(step == steps.end());
    EXPECT_FALSE(frames.is_unfinished());
}

TEST(Vectors, Conversations) {
    const Json vectors = load("conversations");
    for (const Json& vector : vectors) {
        SCOPED_TRACE(vector.at("name"));
        const Json& steps = vector.at("steps");
        std::string stream;
        for (const Json& step : steps) {
            if (step.at("from") == "server") stream += bytes(step.at("hex"));
        }
        hear(steps, stream, stream.size(), 1);
        hear(steps, stream, 1, 1);
        // Cut at many places; of a long one at some hundred.
        for (std::size_t cut = 2; cut < stream.size(); cut += 7 + stream.size() / 200) {
            hear(steps, stream, cut, stream.size());
        }
    }
}

// ---- Ideas, views and cards ----

// Calls a function with each request of the conversations, as it is read, and its JSON.
template <typename Function>
void for_each_request(const Function& function) {
    for (const Json& vector : load("conversations")) {
        SCOPED_TRACE(vector.at("name"));
        for (const Json& step : vector.at("steps")) {
            if (step.at("from") != "server" ||
                step.value("/message/type"_json_pointer, "") != "request") {
                continue;
            }
            const std::string frame = bytes(step.at("hex"));
            Decoder decoder;
            function(read_request(decoder.decode(std::span{frame}.subspan(kHeader))),
                     step.at("message"));
        }
    }
}

TEST(Ideas, AnswerEveryRequestWithALegalAction) {
    int asked = 0;
    for_each_request([&](const Request& request, const Json&) {
        // Each several times, as the answer may be drawn by lot.
        for (int i = 0; i < 20; i++) {
            for (const auto action : {decide(request), high(request), by_lot(request)}) {
                EXPECT_EQ(std::ranges::count(request.legal, action), 1) << action;
            }
        }
        asked++;
    });
    EXPECT_GT(asked, 0);
}

// A typed view, packed again, without fields that were not invented when its type was made.
Json packed_again(const View& view) {
    msgpack::sbuffer packed;
    std::visit(
        [&](const auto& known) {
            if constexpr (!std::is_same_v<decltype(known), const std::monostate&>) {
                msgpack::pack(packed, known);
            }
        },
        view);
    Decoder decoder;
    return plain(decoder.decode({packed.data(), packed.size()}));
}

TEST(Views, SayWhatTheBytesSay) {
    for_each_request([](const Request& request, const Json& message) {
        const View view = read_view(request.view);
        ASSERT_FALSE(std::holds_alternative<std::monostate>(view));
        const Json& expected = message.at("view");
        const Json found = packed_again(view);
        EXPECT_FALSE(found.empty());
        for (const auto& [name, value] : found.items()) {
            EXPECT_TRUE(expected.contains(name)) << name;
            EXPECT_TRUE(same(value, expected.value(name, Json("missing")))) << name;
        }
        EXPECT_EQ(std::holds_alternative<NopeView>(view), expected.at("game") == "nope");
    });
}

TEST(Views, OfOtherGamesAreNeither) {
    msgpack::zone zone;
    const msgpack::object later{std::map<std::string, std::string>{{"game", "whist"}}, zone};
    EXPECT_TRUE(std::holds_alternative<std::monostate>(read_view(later)));
}

TEST(Views, WithoutTheirFieldsAreRefused) {
    msgpack::zone zone;
    const msgpack::object bare{std::map<std::string, std::string>{{"game", "nyet"}}, zone};
    EXPECT_THROW(read_view(bare), std::runtime_error);
    const msgpack::object odd{
        std::map<std::string, std::string>{{"game", "nope"}, {"seats", "four"}}, zone};
    EXPECT_THROW(read_view(odd), std::runtime_error);
}

// Calls a function with the view of each vector of a file, and the vector.
template <typename Function>
void for_each_trick_view(const std::string& file, const Function& function) {
    for (const Json& vector : load(file)) {
        SCOPED_TRACE(vector.at("name"));
        const std::string body = bytes(vector.at("hex"));
        Decoder decoder;
        const View view = read_view(decoder.decode(body));
        ASSERT_TRUE(std::holds_alternative<TrickView>(view));
        EXPECT_TRUE(same(packed_again(view), vector.at("view")));
        function(std::get<TrickView>(view), vector);
    }
}

TEST(Vectors, Following) {
    for_each_trick_view("following", [](const TrickView& view, const Json& vector) {
        const char led = suit(open_trick(view).front(), view);
        std::vector<std::string> answers;
        std::ranges::copy_if(view.hand, std::back_inserter(answers),
                             [&](const auto& card) { return suit(card, view) == led; });
        EXPECT_EQ(answers.empty() ? view.hand : answers, vector.at("may_play"));
    });
}

TEST(Vectors, Tricks) {
    for_each_trick_view("tricks", [](const TrickView& view, const Json& vector) {
        EXPECT_EQ(taker(view), vector.at("taken_by").get<int>());
        const std::vector<int> others = teammates(view);
        EXPECT_EQ(others, vector.at("teammates"));
        for (int seat = 0; seat < view.seats; seat++) {
            EXPECT_EQ(is_with_me(seat, view),
                      seat == view.seat || std::ranges::count(others, seat) > 0);
        }
    });
}

TEST(Vectors, Showing) {
    for (const Json& vector : load("showing")) {
        SCOPED_TRACE(vector.at("name"));
        const auto card = vector.at("card").get<std::string>();
        // SPEC 12.10: an action card that is laid alone has a `!` behind it.
        for (const auto& each : {card, card + "!"}) {
            EXPECT_EQ(colours(each), vector.at("colours"));
            EXPECT_EQ(number(each).value_or(0),
                      vector.at("number").is_null() ? 0 : vector.at("number").get<int>());
            for (const char colour : std::string{"RGBY"}) {
                const bool expected = colours(each).find(colour) != std::string::npos;
                EXPECT_EQ(shows(each, colour), expected);
            }
        }
    }
}

TEST(Cards, WithoutTeamsASeatIsWithItselfAlone) {
    TrickView view;
    view.game = "nyet";
    view.seats = 4;
    view.seat = 1;
    EXPECT_TRUE(teammates(view).empty());
    EXPECT_TRUE(is_with_me(1, view));
    EXPECT_FALSE(is_with_me(2, view));
    EXPECT_EQ(taker(view), std::nullopt);
}

TEST(Cards, AnActionThatIsNoCardShowsNothing) {
    for (const char* action : {"to2:3R", "draw", ""}) {
        EXPECT_EQ(colours(action), "");
        EXPECT_EQ(number(action), std::nullopt);
    }
}

// ---- Bytes that are nothing at all ----

// Either it is read, or refused by an exception that main() tells.
void read_anything(Decoder& decoder, std::span<const char> body) {
    try {
        const msgpack::object& message = decoder.decode(body);
        read_view(field(message, "view"));
        high(read_request(message));
    } catch (const std::exception&) {
    }
}

TEST(AnyBytes, DamagedMessages) {
    Decoder decoder;
    for (const Json& vector : load("messages")) {
        SCOPED_TRACE(vector.at("name"));
        const std::string good = bytes(vector.at("hex"));
        for (std::size_t size = 0; size < good.size(); size++) {
            // As long as it is and no longer, so that a look beyond its end could be seen.
            const std::vector<char> cut(good.begin(), good.begin() + static_cast<long>(size));
            EXPECT_THROW(decoder.decode(cut), std::runtime_error);
        }
        std::vector<char> damaged(good.begin(), good.end());
        for (std::size_t at = 0; at < good.size(); at++) {
            for (int byte = 0; byte < 256; byte += 5) {
                damaged[at] = static_cast<char>(byte);
                read_anything(decoder, damaged);
            }
            damaged[at] = good[at];
        }
    }
}

TEST(AnyBytes, Noise) {
    Decoder decoder;
    std::minstd_rand random{1};
    for (int i = 0; i < 10000; i++) {
        std::vector<char> noise(random() % 64);
        for (char& byte : noise) byte = static_cast<char>(random());
        read_anything(decoder, noise);
    }
}

TEST(AnyBytes, CountsAreNotBelieved) {
    Decoder decoder;
    for (int lead = 0xc4; lead <= 0xdf; lead++) {
        std::vector<char> huge(5, '\xff');
        huge[0] = static_cast<char>(lead);
        read_anything(decoder, huge);
    }
    const std::string map_of_nothing{"\xdf\xff\xff\xff\xff"};
    EXPECT_THROW(decoder.decode(map_of_nothing), std::runtime_error);
    const std::string deep(kMaxServerBody, '\x91');
    EXPECT_THROW(decoder.decode(deep), std::runtime_error);
}

TEST(AnyBytes, DamagedViews) {
    std::minstd_rand random{1};
    int read = 0;
    for_each_trick_view("tricks", [&](const TrickView&, const Json& vector) {
        const std::string good = bytes(vector.at("hex"));
        for (int i = 0; i < 3000; i++) {
            std::vector<char> damaged(good.begin(), good.end());
            for (int changes = 0; changes < 3; changes++) {
                damaged[random() % damaged.size()] = static_cast<char>(random());
            }
            try {
                Decoder decoder;
                const View view = read_view(decoder.decode(damaged));
                if (const auto* tricks = std::get_if<TrickView>(&view)) {
                    taker(*tricks);
                    teammates(*tricks);
                    read++;
                }
            } catch (const std::exception&) {
            }
        }
    });
    EXPECT_GT(read, 0);
}

TEST(AnyBytes, QuestionsCanBeNested) {
    const msgpack::object nil;
    EXPECT_TRUE(field(field(nil, "demand"), "count").is_nil());
    EXPECT_EQ(text(field(nil, "phase")), "");
}

}  // namespace
