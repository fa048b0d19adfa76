// YOUR IDEA GOES HERE.

#include "decide.hpp"

#include "cards.hpp"
#include "views.hpp"

// Choose one of request.legal: there is at least one. Any of them is allowed, in every game (SPEC
// 10.5).
//
// request.time_us is how long you have, in microseconds (SPEC 6.2). The view is all that your seat
// may know (SPEC 10.3). views.hpp has its fields, cards.hpp answers questions about it:
//     const View view = read_view(request.view);
//     if (const auto* tricks = std::get_if<TrickView>(&view)) ...    nyet, njet, njet-it
//     if (const auto* nope = std::get_if<NopeView>(&view)) ...       nope
std::string_view decide(const Request& request) {
    return by_lot(request);
}
