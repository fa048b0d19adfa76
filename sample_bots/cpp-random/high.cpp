// An example: one rule of thumb for the tricks. Take tricks, as cheaply as possible. All other
// decisions, and NOPE!, go by lot. In decide.cpp, `return high(request);` makes it your bot.

#include <algorithm>
#include <vector>

#include "cards.hpp"
#include "decide.hpp"
#include "views.hpp"

namespace {

std::string_view choose_card(const std::vector<std::string_view>& legal, const TrickView& view) {
    const bool shy = view.points.value_or(0) < 0;  // a round in which tricks cost points
    const auto trick = open_trick(view);

    // How strong a card is in this trick, or in the one that it begins.
    const auto strength_of = [&](std::string_view card) {
        return strength(card, trick.empty() ? card : trick.front(), view);
    };
    const auto weaker = [&](std::string_view one, std::string_view other) {
        return strength_of(one) < strength_of(other);
    };
    const auto strongest = [&](const auto& cards) {
        return *std::ranges::max_element(cards, weaker);
    };
    const auto weakest = [&](const auto& cards) {
        return *std::ranges::min_element(cards, weaker);
    };

    if (trick.empty()) return shy ? weakest(legal) : strongest(legal);

    // Of two cards that are equally strong the later takes the trick (SPEC 11.5).
    const int to_beat = strength_of(strongest(trick));
    std::vector<std::string_view> taking, losing;
    for (const auto card : legal) (strength_of(card) >= to_beat ? taking : losing).push_back(card);

    if (shy) return strongest(losing.empty() ? legal : losing);
    const auto seat = taker(view);
    if (!taking.empty() && !(seat && is_with_me(*seat, view))) return weakest(taking);
    return weakest(legal);
}

}  // namespace

std::string_view high(const Request& request) {
    const View view = read_view(request.view);
    const auto* tricks = std::get_if<TrickView>(&view);
    if (tricks == nullptr || tricks->phase != "play") return by_lot(request);
    return choose_card(request.legal, *tricks);
}
