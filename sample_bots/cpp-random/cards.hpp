// Answers to questions about cards and teams, as the rules give them.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "views.hpp"

// ---- The trick games: nyet, njet, njet-it (SPEC 11.4, 11.5) ----

// The suit of a card in this round, a colour letter: what it asks for when it is led, and what it
// answers. In nyet a supertrump has the trump colour as its suit, not its printed one.
char suit(std::string_view card, const TrickView& view);

// The number on a card: 13 of R13.
int rank(std::string_view card);

// Whether a card is a supertrump in this round.
bool is_supertrump(std::string_view card, const TrickView& view);

// How strong a card is in a trick that began with the card `led`, or that it begins itself. The
// higher takes the trick, of equals the later: a supertrump above every trump, a trump above the
// suit that was led, that above the rest, which takes nothing. Never below 0.
int strength(std::string_view card, std::string_view led, const TrickView& view);

// The open trick, the last of view.tricks. It has no cards where you are to lead, or where there is
// no trick.
std::span<const std::string> open_trick(const TrickView& view);

// The seat that takes the open trick as it lies; nothing while it is empty.
std::optional<int> taker(const TrickView& view);

// The other seats of your team; none before the teams are chosen.
std::vector<int> teammates(const TrickView& view);

// Whether a seat is on your team, or is your own: then its tricks are yours too.
bool is_with_me(int seat, const TrickView& view);

// ---- NOPE! (SPEC 12.1) ----

// The `!` of an action such as X!, the card X laid alone (SPEC 12.10), may stand behind the card in
// all three: they do not look at it. An action that is no card shows no colour.

// The letters of the colours that a card shows, in the order RGBY: "RG" of RG2, "RGBY" of J. They
// point into the card.
std::string_view colours(std::string_view card);

// Whether a card shows a colour, one of R, G, B and Y.
bool shows(std::string_view card, char colour);

// The number of a card, 1 to 3; nothing for an action card, which has none.
std::optional<int> number(std::string_view card);
