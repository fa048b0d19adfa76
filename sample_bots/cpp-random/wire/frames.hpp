// Frames out of a stream that may be cut or joined anywhere: SPEC 3.1. No socket in it.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

// SPEC 3.2 and 8. Longer frames are refused by the side that receives them.
inline constexpr std::size_t kHeader = 4;
inline constexpr std::size_t kMaxServerBody = 16384;

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
