#include "wire/connection.hpp"

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
#include <string>

namespace {

[[noreturn]] void lose(const std::string& what, const std::string& why) {
    throw Lost(what + ": " + why);
}

[[noreturn]] void no_connection(const std::string& address, const std::string& why) {
    lose("no connection to " + address + ", the address in ARENA_CONNECT", why);
}

[[noreturn]] void wrong_address(const std::string& address, const std::string& expected) {
    throw std::runtime_error("ARENA_CONNECT is \"" + address + "\"; expected " + expected);
}

int connect_unix(const std::string& path) {
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    if (path.size() >= sizeof place.sun_path) {
        wrong_address("unix:" + path,
                      "a path of at most " + std::to_string(sizeof place.sun_path - 1) + " bytes");
    }
    path.copy(place.sun_path, path.size());
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) no_connection(path, std::strerror(errno));
    if (connect(made, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) {
        const int why = errno;
        close(made);
        no_connection(path, std::strerror(why));
    }
    return made;
}

bool is_port(const std::string& text) {
    return !text.empty() && text.size() <= 5 &&
           text.find_first_not_of("0123456789") == std::string::npos && std::stoi(text) <= 65535;
}

int connect_tcp(const std::string& place) {
    // SPEC 2.2: the port follows the last colon; an IPv6 host stands in brackets.
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos || colon == 0 || !is_port(place.substr(colon + 1))) {
        wrong_address("tcp:" + place, "tcp:HOST:PORT, such as tcp:127.0.0.1:4000 (SPEC 2.2)");
    }
    std::string host = place.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int problem = getaddrinfo(host.c_str(), place.c_str() + colon + 1, &hints, &found);
    if (problem != 0) no_connection(place, gai_strerror(problem));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list{found, freeaddrinfo};
    int why = 0;
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        const int made =
            socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol);
        if (made >= 0 && connect(made, each->ai_addr, each->ai_addrlen) == 0) {
            // Otherwise each answer may wait some 40 ms for an acknowledgement, on our clock.
            const int one = 1;
            setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            return made;
        }
        why = errno;
        if (made >= 0) close(made);
    }
    no_connection(place, std::strerror(why));
}

int connect_to(const char* address) {
    if (address == nullptr) {
        throw std::runtime_error(
            "ARENA_CONNECT is not set; it should hold the address, unix:PATH or tcp:HOST:PORT. "
            "`arena` sets it for the bots it starts (SPEC 2.1)");
    }
    const std::string_view given{address};
    if (given.starts_with("unix:") && given.size() > 5) return connect_unix(address + 5);
    if (given.starts_with("tcp:")) return connect_tcp(address + 4);
    wrong_address(address, "unix:PATH or tcp:HOST:PORT (SPEC 2.2)");
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
        if (sent < 0) lose("the server does not take our message", std::strerror(errno));
        done += static_cast<std::size_t>(sent);
    }
}

void Link::send_hello(const char* token) {
    if (token == nullptr || *token == '\0') {
        const std::string is = token == nullptr ? "not set" : "empty";
        throw std::runtime_error("ARENA_TOKEN is " + is +
                                 "; it should hold the bot's token, a word that comes with the "
                                 "address. `arena` sets it for the bots it starts (SPEC 2.1)");
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
        if (came < 0) lose("the connection broke", std::strerror(errno));
        if (came == 0) lose("the server closed the connection", "there was no bye");
        frames_.came(static_cast<std::size_t>(came));
        body = frames_.next();
    }
    const msgpack::object& message = decoder_.decode(*body);
    if (message.type != msgpack::type::MAP) {
        throw std::runtime_error("a message that is not a map (SPEC 3.3)");
    }
    return message;
}
