#include "cards.hpp"

#include <algorithm>

namespace {

char first_letter(std::string_view text) {
    return text.empty() ? '\0' : text.front();
}

// The colour of trump or supertrump; '-' or nothing is no colour of a card.
char letter_of(const std::optional<std::string>& box) {
    return box ? first_letter(*box) : '-';
}

// SPEC 11.1: the rank that is weakest, or a supertrump.
int low_rank(const TrickView& view) {
    return view.game == "njet" ? 0 : 1;
}

bool is_in_team(int seat, const TrickView& view) {
    return std::ranges::count(*view.team, seat) > 0;
}

}  // namespace

// ---- The trick games ----

char suit(std::string_view card, const TrickView& view) {
    // SPEC 11.4: the double agent of nyet.
    if (view.game == "nyet" && is_supertrump(card, view)) return letter_of(view.trump);
    return first_letter(card);
}

int rank(std::string_view card) {
    int rank = 0;
    // No card has more than two digits; more are not read.
    for (const char digit : card.substr(std::min<std::size_t>(1, card.size()), 2)) {
        if (digit < '0' || digit > '9') break;
        rank = 10 * rank + (digit - '0');
    }
    return rank;
}

bool is_supertrump(std::string_view card, const TrickView& view) {
    return first_letter(card) == letter_of(view.supertrump) && rank(card) == low_rank(view);
}

int strength(std::string_view card, std::string_view led, const TrickView& view) {
    if (is_supertrump(card, view)) return 300;
    if (first_letter(card) == letter_of(view.trump)) return 200 + rank(card);
    return suit(card, view) == suit(led, view) ? 100 + rank(card) : rank(card);
}

std::span<const std::string> open_trick(const TrickView& view) {
    if (view.tricks.empty() || view.tricks.size() != view.leaders.size()) return {};
    return view.tricks.back();
}

std::optional<int> taker(const TrickView& view) {
    const auto trick = open_trick(view);
    if (trick.empty()) return std::nullopt;
    int taking = 0, place = 0, to_beat = 0;
    for (const std::string& card : trick) {
        const int strong = strength(card, trick.front(), view);
        if (strong >= to_beat) {
            taking = place;
            to_beat = strong;
        }
        place++;
    }
    const int leader = view.leaders.back();
    if (leader < 0 || leader >= view.seats) return std::nullopt;
    return (leader + taking) % view.seats;
}

std::vector<int> teammates(const TrickView& view) {
    std::vector<int> found;
    for (int seat = 0; seat < view.seats; seat++) {
        if (seat != view.seat && is_with_me(seat, view)) found.push_back(seat);
    }
    return found;
}

bool is_with_me(int seat, const TrickView& view) {
    if (seat == view.seat) return true;
    // `team` is the first player's. All others are the other team.
    return view.team && seat >= 0 && seat < view.seats &&
           is_in_team(seat, view) == is_in_team(view.seat, view);
}

// ---- NOPE! ----

std::string_view colours(std::string_view card) {
    constexpr std::string_view all = "RGBY";
    if (card.starts_with('J') || card.starts_with('X') || card.starts_with("S*")) return all;
    // The colour of a see-through or a select stands behind its T or S.
    if (card.starts_with('T') || card.starts_with('S')) card.remove_prefix(1);
    return card.substr(0, card.find_first_not_of(all));
}

bool shows(std::string_view card, char colour) {
    return colours(card).find(colour) != std::string_view::npos;
}

std::optional<int> number(std::string_view card) {
    if (card.starts_with('J')) return 1;
    // The number stands behind one colour or two.
    const std::size_t letters = card.find_first_not_of("RGBY");
    if (letters == 0 || letters == std::string_view::npos) return std::nullopt;
    const char digit = card[letters];
    if (digit < '1' || digit > '3') return std::nullopt;
    return digit - '0';
}
