#include "views.hpp"

#include <algorithm>
#include <stdexcept>

#include "wire/messages.hpp"

namespace {

// The helpers of cards.cpp count on a table with seats, and on one of them being yours.
template <typename Table>
Table checked(Table view) {
    if (view.seats < 1 || view.seat < 0 || view.seat >= view.seats) {
        throw std::runtime_error("a view without your seat (SPEC 10.1)");
    }
    return view;
}

// Reads the view as the first type of the variant, from `place` on, that the game has.
template <std::size_t place = 1>
View read_as_one_of(std::string_view game, const msgpack::object& view) {
    if constexpr (place == std::variant_size_v<View>) {
        return {};
    } else {
        using Table = std::variant_alternative_t<place, View>;
        if (std::ranges::count(Table::games, game) > 0) return checked(view.as<Table>());
        return read_as_one_of<place + 1>(game, view);
    }
}

}  // namespace

View read_view(const msgpack::object& view) try {
    return read_as_one_of(text(field(view, "game")), view);
} catch (const msgpack::type_error&) {
    throw std::runtime_error("a view with a field of another type than SPEC 11.11 or 12.11 says");
}
