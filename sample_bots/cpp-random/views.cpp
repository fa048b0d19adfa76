// Made from the field tables of the games by python -m tests.sample_bots.views --write.

#include "views.hpp"

#include <stdexcept>
#include <string_view>

#include "wire/messages.hpp"

void NopeTurn::msgpack_unpack(const msgpack::object& list) {
    if (list.type != msgpack::type::ARRAY || list.via.array.size < 4) throw msgpack::type_error();
    const msgpack::object* const at = list.via.array.ptr;
    at[0].convert(number);
    at[1].convert(count);
    at[2].convert(colours);
    at[3].convert(drawn);
    laid.clear();
    for (std::size_t i = 4; i < list.via.array.size; i++) {
        laid.push_back(at[i].as<std::string>());
    }
}

namespace {

// The helpers of cards.cpp count on a table with seats, and on one of them being yours.
template <typename Table>
Table checked(Table view) {
    if (view.seats < 1 || view.seat < 0 || view.seat >= view.seats) {
        throw std::runtime_error("a view without your seat (SPEC 10.1)");
    }
    return view;
}

}  // namespace

View read_view(const msgpack::object& view) try {
    const std::string_view game = text(field(view, "game"));
    if (game == "nyet" || game == "njet" || game == "njet-it") {
        return checked(view.as<TrickView>());
    }
    if (game == "nope") {
        return checked(view.as<NopeView>());
    }
    return {};
} catch (const msgpack::type_error&) {
    throw std::runtime_error("a view with a field of another type than SPEC 11.11 or 12.11 says");
}
