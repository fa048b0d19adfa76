#include "thought.h"

#include <math.h>

/* How often an opponent takes a trick when its hand could, and a teammate when that saves it. */
static const double EAGER = 0.85;
static const double HELPFUL = 0.7;

/* What a card brings later, as a chance to take a trick; python-tricks tells how it was found. */
static const double SUPERTRUMP_LATER = 0.9;
static const double TRUMP_ANYWAY = 0.3;
static const double TRUMP_IF_HIGH = 0.6;
static const double TRUMP_ABOVE = 0.15;
static const double SIDE_IF_HIGH = 0.7;
static const double SIDE_ABOVE = 0.6;
static const double LOOT_LATER = 0.5;

static bool is_ours(const Seen *seen, int seat)
{
    return seen->ours >> seat & 1;
}

/* How many of these cards have this power or more. */
static int at_least(const Board *board, Cards cards, int power)
{
    int found = 0;
    for (; cards != 0; cards &= cards - 1) {
        found += board->power[lowest(cards)] >= power;
    }
    return found;
}

/* How likely a seat can beat a card of this power; `led` is the suit. Each card that we do not see
 * is taken to be in its hand with the same chance. */
static double chance_to_beat(const Seen *seen, const Board *board, Cards unseen, int seat,
                             int power, int led)
{
    int hidden = how_many(unseen);
    double share = hidden > 0 ? fmin((double)seen->sizes[seat] / hidden, 1) : 0;
    double other = 1 - share;
    Cards serving = unseen & board->suit[led];
    Cards ruffs = unseen & board->ruff & ~board->suit[led];
    for (int suit = 0; suit < COLOURS; suit++) {
        if (seen->lacks[seat] >> suit & 1) {
            ruffs &= ~board->suit[suit];
        }
    }
    double by_ruff = 1 - pow(other, at_least(board, ruffs, power));
    if (seen->lacks[seat] >> led & 1) {
        return by_ruff;
    }
    /* A higher card of the suit; or none of the suit, and one that takes it anyway. */
    return 1 - pow(other, at_least(board, serving, power)) +
           pow(other, how_many(serving)) * by_ruff;
}

/* How often a take of a team counts, where `holder` has the trick now. */
static double weight(const Seen *seen, int holder, bool ours)
{
    if (seen->bonus == NOBODY || is_ours(seen, seen->bonus) != ours) {
        return 1;
    }
    if (is_ours(seen, holder) == ours) {
        return holder == seen->bonus ? 2 : 1;
    }
    int members = how_many(seen->ours);
    return 1 + 1.0 / (ours ? members : seen->seats - members);
}

static double now(const Seen *seen, const Board *board, Cards unseen, int card)
{
    int led = board->suit_of[seen->laid > 0 ? board->rung_of[seen->trick[0]] : card];
    int best = 0;
    int holder = seen->me;
    int lows[2] = {0, 0};
    for (int place = 0; place <= seen->laid; place++) {
        int each = place < seen->laid ? board->rung_of[seen->trick[place]] : card;
        int seat = (seen->leader + place) % seen->seats;
        bool counts = board->suit_of[each] == led || board->power[each] >= TRUMP;
        if (place == 0 || (counts && board->power[each] >= best)) {
            best = board->power[each];
            holder = seat;
        }
        lows[is_ours(seen, seat)] += (CARD(each) & board->low) != 0;
    }
    double ours = is_ours(seen, holder) ? 1 : 0;
    for (int place = seen->laid + 1; place < seen->seats; place++) {
        int seat = (seen->leader + place) % seen->seats;
        double beats = chance_to_beat(seen, board, unseen, seat, best, led);
        if (is_ours(seen, seat)) {
            ours += (1 - ours) * beats * HELPFUL;
        } else {
            ours *= 1 - beats * EAGER;
        }
    }
    return ours * (1 + lows[0]) * weight(seen, holder, true) -
           (1 - ours) * (1 + lows[1]) * weight(seen, holder, false);
}

static double later(const Seen *seen, const Board *board, Cards unseen, int card)
{
    int power = board->power[card];
    if (power >= SUPERTRUMP) {
        return SUPERTRUMP_LATER;
    }
    int others = 0;
    for (int seat = 0; seat < seen->seats; seat++) {
        others += seat != seen->me ? seen->sizes[seat] : 0;
    }
    double in_hands = unseen != 0 ? (double)others / how_many(unseen) : 0;
    Cards suit = unseen & board->suit[board->suit_of[card]];
    int above = at_least(board, suit, power) - at_least(board, suit, SUPERTRUMP);
    double value = power >= TRUMP
                       ? TRUMP_ANYWAY + TRUMP_IF_HIGH * pow(1 - TRUMP_ABOVE * in_hands, above)
                       : SIDE_IF_HIGH * pow(1 - SIDE_ABOVE * in_hands, above);
    return CARD(card) & board->low ? value - LOOT_LATER : value;
}

double thought_of(const Seen *seen, const Board *board, int card)
{
    Cards unseen = rungs_of(board, seen->deck.in_play & ~(seen->hand | seen->out));
    return now(seen, board, unseen, card) - later(seen, board, unseen, card);
}
