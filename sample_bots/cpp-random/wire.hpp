// The connection, the frames and the messages: SPEC 2 to 4.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <msgpack.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// SPEC 3.2 and 8. Longer frames are refused by who receives them.
inline constexpr std::size_t kHeader = 4;
inline constexpr std::size_t kMaxServerBody = 16384;

// ---- Values ----

// The value of a key in a map. What is not there is nil, as is every field of what is no map, so
// questions can be nested: field(field(view, "demand"), "count").
const msgpack::object& field(const msgpack::object& map, std::string_view key);

// What is in a list; of anything else nothing.
std::span<const msgpack::object> entries(const msgpack::object& list);

// A text, without a copy; "" if it is none. For numbers: object.as<std::int64_t>().
std::string_view text(const msgpack::object& value);

// ---- Messages ----

// What a request holds that a bot may need: SPEC 4.4. All of it points into the message.
struct Request {
    std::string_view match;
    std::uint64_t id;
    const msgpack::object& view;
    std::vector<std::string_view> legal;
    std::int64_t time_us;
};

// Throws std::runtime_error if it is not as SPEC 4.4 says.
Request read_request(const msgpack::object& message);

// Whole frames, header and body, of what a bot sends: SPEC 4.1 and 4.5. What the buffer held is
// gone. A note is kept in the record of the match; "" is none.
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

// ---- Frames ----

// Bodies out of a stream that may be cut or joined anywhere (SPEC 3.1); no socket in it.
class Frames {
  public:
    explicit Frames(std::size_t max_body = kMaxServerBody) : max_body_{max_body} {}

    // Where to put bytes that come; then came() says how many did.
    std::span<char> space();
    void came(std::size_t size) { to_ += size; }

    // The next body, good until space() is called. Throws std::runtime_error if it is too long.
    std::optional<std::span<const char>> next();

    // Whether a frame is begun that is not whole.
    bool is_unfinished() const { return from_ < to_; }

  private:
    std::array<char, kHeader + kMaxServerBody> bytes_;
    std::size_t from_ = 0, to_ = 0, max_body_;
};

// ---- The connection ----

// All of it throws std::runtime_error when something is wrong.
class Link {
  public:
    // `address` is unix:PATH or tcp:HOST:PORT (SPEC 2.2).
    explicit Link(const char* address);
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    void send_hello(const char* token);
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
