#include "wire/messages.hpp"

#include <stdexcept>

const msgpack::object& field(const msgpack::object& map, std::string_view key) {
    static const msgpack::object nil;
    if (map.type == msgpack::type::MAP) {
        for (const auto& pair : map.via.map) {
            if (text(pair.key) == key) return pair.val;
        }
    }
    return nil;
}

std::string_view text(const msgpack::object& value) {
    if (value.type != msgpack::type::STR) return {};
    return {value.via.str.ptr, value.via.str.size};
}

Request read_request(const msgpack::object& message) try {
    auto request = message.as<Request>();
    if (request.match.empty() || request.legal.empty() || request.view.type != msgpack::type::MAP) {
        throw std::runtime_error("a request without a match, a view or legal actions (SPEC 4.4)");
    }
    return request;
} catch (const msgpack::type_error&) {
    throw std::runtime_error("a request with a field of another type than SPEC 4.4 says");
}

namespace {

using Packer = msgpack::packer<msgpack::sbuffer>;

// SPEC 4.1.
struct Hello {
    std::string_view token;
    std::string_view type = "hello", language = "C++";
    int protocol = 1;
    MSGPACK_DEFINE_MAP(type, protocol, token, language)
};

// The buffer with room for the header; the body is packed behind it.
Packer begin(msgpack::sbuffer& frame) {
    frame.clear();
    frame.write("\0\0\0\0", kHeader);
    return Packer{frame};
}

// SPEC 3.1: the length of the body, big-endian.
void finish(msgpack::sbuffer& frame) {
    const std::size_t size = frame.size() - kHeader;
    for (std::size_t i = 0; i < kHeader; i++) {
        frame.data()[i] = static_cast<char>(size >> (24 - 8 * i));
    }
}

}  // namespace

void pack_hello(msgpack::sbuffer& frame, std::string_view token) {
    begin(frame).pack(Hello{token});
    finish(frame);
}

void pack_action(msgpack::sbuffer& frame, const Request& request, std::string_view action,
                 std::string_view note) {
    // Without a note there is no such field: MSGPACK_DEFINE_MAP would write nil, which is refused.
    Packer body = begin(frame);
    body.pack_map(note.empty() ? 4 : 5);
    body.pack("type").pack("action");
    body.pack("match").pack(request.match);
    body.pack("id").pack(request.id);
    body.pack("action").pack(action);
    if (!note.empty()) body.pack("note").pack(note);
    finish(frame);
}

const msgpack::object& Decoder::decode(std::span<const char> body) {
    // A body has no more entries than bytes: a count beyond that is refused before there is
    // memory for it. SPEC 8: nothing nests deeper than 16.
    static const msgpack::unpack_limit limit{kMaxServerBody, kMaxServerBody, kMaxServerBody,
                                             kMaxServerBody, kMaxServerBody, 64};
    const auto texts_stay = [](msgpack::type::object_type, std::size_t, void*) { return true; };
    std::size_t end = 0;
    bool referenced = false;
    zone_.clear();
    value_ = msgpack::unpack(zone_, body.data(), body.size(), end, referenced, texts_stay, nullptr,
                             limit);
    if (end != body.size()) throw std::runtime_error("bytes after a message (SPEC 3.3)");
    return value_;
}
