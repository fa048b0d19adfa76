#include "wire/frames.hpp"

#include <algorithm>
#include <stdexcept>

std::span<char> Frames::space() {
    // The bytes left are part of one frame, and most often there are none.
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
