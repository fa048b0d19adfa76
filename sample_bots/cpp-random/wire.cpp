#include "wire.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

// ---- Values ----

const msgpack::object& field(const msgpack::object& map, std::string_view key) {
    static const msgpack::object nil;
    if (map.type == msgpack::type::MAP) {
        for (const auto& pair : map.via.map) {
            if (text(pair.key) == key) return pair.val;
        }
    }
    return nil;
}

std::span<const msgpack::object> entries(const msgpack::object& list) {
    if (list.type != msgpack::type::ARRAY) return {};
    return {list.via.array.ptr, list.via.array.size};
}

std::string_view text(const msgpack::object& value) {
    if (value.type != msgpack::type::STR) return {};
    return {value.via.str.ptr, value.via.str.size};
}

// ---- Messages ----

Request read_request(const msgpack::object& message) {
    const msgpack::object& id = field(message, "id");
    const msgpack::object& time_us = field(message, "time_us");
    const auto legal = entries(field(message, "legal"));
    if (id.type != msgpack::type::POSITIVE_INTEGER ||
        time_us.type != msgpack::type::POSITIVE_INTEGER || legal.empty()) {
        throw std::runtime_error("a request that is not as in SPEC 4.4");
    }
    Request request{text(field(message, "match")),
                    id.via.u64,
                    field(message, "view"),
                    {},
                    time_us.as<std::int64_t>()};
    request.legal.reserve(legal.size());
    for (const auto& action : legal) request.legal.push_back(text(action));
    return request;
}

namespace {

using Packer = msgpack::packer<msgpack::sbuffer>;

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
    Packer body = begin(frame);
    body.pack_map(4);
    body.pack("type").pack("hello");
    body.pack("protocol").pack(1);
    body.pack("token").pack(token);
    body.pack("language").pack("C++");
    finish(frame);
}

void pack_action(msgpack::sbuffer& frame, const Request& request, std::string_view action,
                 std::string_view note) {
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

// ---- Frames ----

std::span<char> Frames::space() {
    // What is left is part of one frame, and most often nothing.
    std::copy(bytes_.begin() + from_, bytes_.begin() + to_, bytes_.begin());
    to_ -= from_;
    from_ = 0;
    return std::span{bytes_}.subspan(to_);
}

std::optional<std::span<const char>> Frames::next() {
    const auto held = std::span<const char>{bytes_}.subspan(from_, to_ - from_);
    if (held.size() < kHeader) return std::nullopt;
    std::size_t size = 0;
    for (const char byte : held.first(kHeader)) size = size << 8 | static_cast<unsigned char>(byte);
    if (size > max_body_) {
        throw std::runtime_error("a frame longer than a server's can be (SPEC 3.2)");
    }
    if (held.size() < kHeader + size) return std::nullopt;
    from_ += kHeader + size;
    return held.subspan(kHeader, size);
}

// ---- The connection ----

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

int connect_unix(const std::string& path) {
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    if (path.size() >= sizeof place.sun_path) {
        throw std::runtime_error("longer than the path of a Unix socket can be: " + path);
    }
    path.copy(place.sun_path, path.size());
    const int made = socket(AF_UNIX, SOCK_STREAM, 0);
    if (made < 0 || connect(made, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) {
        fail(path);
    }
    return made;
}

int connect_tcp(const std::string& place) {
    // SPEC 2.2: the port follows the last colon; an IPv6 host stands in brackets.
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos) throw std::runtime_error("expected tcp:HOST:PORT (SPEC 2.2)");
    std::string host = place.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int problem = getaddrinfo(host.c_str(), place.c_str() + colon + 1, &hints, &found);
    if (problem != 0) throw std::runtime_error(place + ": " + gai_strerror(problem));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list{found, freeaddrinfo};
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        const int made = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
        if (made < 0) continue;
        if (connect(made, each->ai_addr, each->ai_addrlen) == 0) {
            // Otherwise each answer may wait some 40 ms for an acknowledgement, on our clock.
            const int one = 1;
            setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            return made;
        }
        const int why = errno;
        close(made);
        errno = why;
    }
    fail(place);
}

int connect_to(const char* address) {
    if (address == nullptr) {
        throw std::runtime_error(
            "ARENA_CONNECT is not set; `arena` sets it for the bots it starts (SPEC 2.1)");
    }
    const std::string_view given{address};
    if (given.starts_with("unix:")) return connect_unix(address + 5);
    if (given.starts_with("tcp:")) return connect_tcp(address + 4);
    throw std::runtime_error("expected unix:PATH or tcp:HOST:PORT in ARENA_CONNECT (SPEC 2.2)");
}

}  // namespace

Link::Link(const char* address) : socket_{connect_to(address)} {}

Link::~Link() {
    close(socket_);
}

void Link::send() {
    // Header and body in one call: in two, the second might wait for the first (SPEC 2.2).
    for (std::size_t done = 0; done < frame_.size();) {
        // MSG_NOSIGNAL: that the server has gone is told by errno, not by a signal that kills.
        const ssize_t sent =
            ::send(socket_, frame_.data() + done, frame_.size() - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) fail("the server does not take our message");
        done += static_cast<std::size_t>(sent);
    }
}

void Link::send_hello(const char* token) {
    if (token == nullptr) {
        throw std::runtime_error(
            "ARENA_TOKEN is not set; `arena` sets it for the bots it starts (SPEC 2.1)");
    }
    pack_hello(frame_, token);
    send();
}

void Link::send_action(const Request& request, std::string_view action, std::string_view note) {
    pack_action(frame_, request, action, note);
    send();
}

const msgpack::object& Link::receive() {
    auto body = frames_.next();
    while (!body) {
        // A read gives what is there: half a frame, or three.
        const std::span<char> space = frames_.space();
        const ssize_t came = recv(socket_, space.data(), space.size(), 0);
        if (came < 0 && errno == EINTR) continue;
        if (came < 0) fail("the connection broke");
        if (came == 0) throw std::runtime_error("the server closed the connection without a bye");
        frames_.came(static_cast<std::size_t>(came));
        body = frames_.next();
    }
    const msgpack::object& message = decoder_.decode(*body);
    if (message.type != msgpack::type::MAP) {
        throw std::runtime_error("a message that is not a map (SPEC 3.3)");
    }
    return message;
}
