// Runs the vectors of arena's protocol/vectors as far as they concern a bot, and then reads bytes
// that are nothing at all. The folder is the one that ARENA_VECTORS names, or else the one here.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "wire.hpp"

namespace {

using Json = nlohmann::ordered_json;

Json load(const std::string& name) {
    const char* given = std::getenv("ARENA_VECTORS");
    const std::string path = std::string{given ? given : VECTORS_HERE} + "/" + name + ".json";
    std::ifstream file{path};
    if (!file) {
        throw std::runtime_error(path +
                                 " cannot be read; set ARENA_VECTORS to the folder "
                                 "protocol/vectors of arena");
    }
    return Json::parse(file).at("vectors");
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
            for (const auto& inner : entries(value)) list.push_back(plain(inner));
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
    ASSERT_FALSE(vectors.empty());
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
    ASSERT_FALSE(vectors.empty());
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
            const msgpack::object view;
            const Request request{match, message.at("id").get<std::uint64_t>(), view, {}, 0};
            pack_action(frame, request, message.at("action").get<std::string>(),
                        message.value("note", ""));
            const std::string body = body_of(frame);
            if (vector.at("canonical")) {
                EXPECT_EQ(body, bytes(vector.at("hex")));
            }
        }
    }
}

// What the server says, as the steps of a conversation tell it, must come out however it is cut;
// and to each request there is an answer to give.
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
    ASSERT_FALSE(vectors.empty());
    for (const Json& vector : vectors) {
        SCOPED_TRACE(vector.at("name"));
        const Json& steps = vector.at("steps");
        std::string stream;
        for (const Json& step : steps) {
            if (step.at("from") == "server") stream += bytes(step.at("hex"));
        }
        hear(steps, stream, stream.size(), 1);
        hear(steps, stream, 1, 1);
        for (std::size_t cut = 2; cut < stream.size(); cut += 7) {
            hear(steps, stream, cut, stream.size());
        }
    }
}

// ---- Bytes that are nothing at all ----

// Either it is read, or refused by an exception that main() tells.
void read_anything(Decoder& decoder, std::span<const char> body) {
    try {
        read_request(decoder.decode(body));
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

TEST(AnyBytes, QuestionsCanBeNested) {
    const msgpack::object nil;
    EXPECT_TRUE(field(field(nil, "demand"), "count").is_nil());
    EXPECT_TRUE(entries(field(nil, "hand")).empty());
    EXPECT_EQ(text(field(nil, "phase")), "");
}

}  // namespace
