// The connection to the server: SPEC 2.

#pragma once

#include <msgpack.hpp>
#include <stdexcept>
#include <string_view>

#include "wire/frames.hpp"
#include "wire/messages.hpp"

// The connection was lost, or there is none: a bot that dials in may come again (SPEC 2.5).
struct Lost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// All of it throws Lost, or std::runtime_error for what another attempt would not mend.
class Link {
  public:
    // `address` is unix:PATH or tcp:HOST:PORT (SPEC 2.2), the value of ARENA_CONNECT.
    explicit Link(const char* address);
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    // `token` is the value of ARENA_TOKEN.
    void send_hello(const char* token);

    // A note is a remark that is kept in the record of the match; "" is none.
    void send_action(const Request& request, std::string_view action, std::string_view note = {});

    // The next message, a map; good until the next call.
    const msgpack::object& receive();

  private:
    void send();

    int socket_;
    Frames frames_;
    Decoder decoder_;
    msgpack::sbuffer frame_;
};
