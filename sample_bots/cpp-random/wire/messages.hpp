// The messages that a bot reads and writes: SPEC 4.
//
// Those that are read are structs with MSGPACK_DEFINE_MAP: a field that such a struct does not name
// is passed over, as SPEC 4 asks.

#pragma once

#include <cstdint>
#include <msgpack.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "wire/frames.hpp"

// The value of a key in a map; nil if it has no such key, or if it is no map, so that questions can
// be nested: field(field(view, "demand"), "count").
const msgpack::object& field(const msgpack::object& map, std::string_view key);

// A text, without a copy; "" if it is none. For numbers: object.as<std::int64_t>().
std::string_view text(const msgpack::object& value);

// SPEC 4.4. All of it points into the message, and is good until the next one is received.
struct Request {
    std::string_view match;
    std::uint64_t id = 0;
    msgpack::object view;                 // read_view of views.hpp reads it
    std::vector<std::string_view> legal;  // at least one
    std::int64_t time_us = 0;             // microseconds left for the answer, bank included
    MSGPACK_DEFINE_MAP(match, id, view, legal, time_us)
};

// SPEC 4.6: the rule that we broke, in words.
struct Fault {
    std::string_view text;
    MSGPACK_DEFINE_MAP(text)
};

// SPEC 4.8.
struct Bye {
    std::string_view reason, text;
    MSGPACK_DEFINE_MAP(reason, text)
};

// Read a request. Throws std::runtime_error if it is not as SPEC 4.4 says.
Request read_request(const msgpack::object& message);

// Write a whole frame, header and body, in place of what the buffer held: SPEC 4.1 and 4.5. A note
// is kept in the record of the match; "" is none.
void pack_hello(msgpack::sbuffer& frame, std::string_view token);
void pack_action(msgpack::sbuffer& frame, const Request& request, std::string_view action,
                 std::string_view note = {});

// Turns bodies into values, in memory that is used again.
class Decoder {
  public:
    // Good until the next call; its texts point into the body. Throws std::runtime_error.
    const msgpack::object& decode(std::span<const char> body);

  private:
    msgpack::zone zone_;
    msgpack::object value_;
};
