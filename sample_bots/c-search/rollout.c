#include "rollout.h"

enum { NOTHING = -1 }; /* below every rung */

/* A trick on its way. */
typedef struct {
    int led; /* the suit */
    int best;
    int winner;
} Open;

static bool is_together(const OpenRound *round, int one, int other)
{
    return (round->ours >> one & 1) == (round->ours >> other & 1);
}

/* The level of the strongest card with which a seat can answer a suit. */
static int answer(const Board *board, Cards hand, int suit)
{
    Cards cards = hand & board->suit[suit];
    if (cards == 0) {
        cards = hand & board->ruff;
    }
    return cards != 0 ? board->level[highest(cards)] : NOTHING;
}

static int more(int one, int other)
{
    return one > other ? one : other;
}

/* A card that no opponent can beat, trump last; else a small one of a suit that a teammate takes;
 * else the smallest, no low card if there is another. */
static int lead_high(const OpenRound *round, int seat)
{
    const Board *board = round->board;
    int sure = NOTHING;
    int wanted = NOTHING;
    int small = NOTHING;
    for (int suit = 0; suit < COLOURS; suit++) {
        Cards held = round->hands[seat] & board->suit[suit];
        if (held == 0) {
            continue;
        }
        int threat = NOTHING;
        int rescue = NOTHING;
        for (int other = 0; other < round->seats; other++) {
            int top = other == seat ? NOTHING : answer(board, round->hands[other], suit);
            if (is_together(round, other, seat)) {
                rescue = more(rescue, top);
            } else {
                threat = more(threat, top);
            }
        }
        int top = highest(held);
        int bottom = lowest(held);
        if (board->level[top] > threat) {
            sure = sure == NOTHING || suit != board->trump ? top : sure;
        } else if (rescue > threat && (wanted == NOTHING || bottom < wanted)) {
            wanted = bottom;
        }
        Cards good = held & ~board->low;
        int card = good != 0 ? lowest(good) : top;
        small = small == NOTHING || card < small ? card : small;
    }
    return sure != NOTHING ? sure : wanted != NOTHING ? wanted : small;
}

/* The smallest card that is no loot; or a low one first, if our own team takes the trick. */
static int throw_small(const Board *board, Cards from, bool is_safe)
{
    Cards low = from & board->low;
    Cards good = from & ~board->low;
    if (good == 0 || (is_safe && low != 0 && lowest(low) < board->ruff_from)) {
        return lowest(low);
    }
    return lowest(good);
}

/* The cheapest card that takes the trick and keeps it; else throw a small one. */
static int follow_high(const OpenRound *round, const Open *open, int place, int seat)
{
    const Board *board = round->board;
    int threat = NOTHING;
    for (int later = place + 1; later < round->seats; later++) {
        int other = (round->leader + later) % round->seats;
        if (!is_together(round, other, seat)) {
            threat = more(threat, answer(board, round->hands[other], open->led));
        }
    }
    int level = board->level[open->best];
    bool is_safe = is_together(round, open->winner, seat) && threat < level;
    Cards held = round->hands[seat] & board->suit[open->led];
    if (!is_safe) {
        /* Of equals the later takes: as high as the best, but higher than what still comes. */
        int need = threat < level ? level : board->above[threat];
        Cards may = held != 0 ? held : round->hands[seat] & board->ruff;
        Cards taking = may & ~(CARD(need) - 1);
        if (taking != 0) {
            return lowest(taking);
        }
    }
    return throw_small(board, held != 0 ? held : round->hands[seat], is_safe);
}

/* The highest card that stays below the trick, but loot for the others first; if the trick must be
 * ours, the highest. */
static int follow_low(const OpenRound *round, const Open *open, int place, int seat)
{
    const Board *board = round->board;
    Cards hand = round->hands[seat];
    Cards held = hand & board->suit[open->led];
    Cards under = CARD(board->level[open->best]) - 1;
    bool is_theirs = !is_together(round, open->winner, seat);
    if (held != 0) {
        if (is_theirs && (CARD(lowest(held)) & board->low & under)) {
            return lowest(held);
        }
        if (held & under) {
            return highest(held & under);
        }
        /* The last to play has the trick anyway, so away with the highest. */
        return place == round->seats - 1 ? highest(held) : lowest(held);
    }
    Cards loot = hand & board->low & ~board->ruff;
    if (is_theirs && loot != 0) {
        return lowest(loot);
    }
    Cards losing = hand & (~board->ruff | under);
    return losing != 0 ? highest(losing) : lowest(hand);
}

static int choose(const OpenRound *round, const Open *open, int place, int seat)
{
    if (place == 0) {
        return round->is_positive ? lead_high(round, seat) : lowest(round->hands[seat]);
    }
    return round->is_positive ? follow_high(round, open, place, seat)
                              : follow_low(round, open, place, seat);
}

/* Play a trick to its end, and return what it adds to our take less theirs. */
static int play_trick(OpenRound *round)
{
    const Board *board = round->board;
    Open open = {.best = NOTHING};
    int lows[2] = {0, 0}; /* of the others, and of ours */
    for (int place = 0; place < round->seats; place++) {
        int seat = (round->leader + place) % round->seats;
        int card = place < round->laid ? round->trick[place] : choose(round, &open, place, seat);
        round->hands[seat] &= ~CARD(card);
        if (place == 0) {
            open.led = board->suit_of[card];
        }
        /* SPEC 11.5: only trump or supertrump takes another suit. */
        bool counts = board->suit_of[card] == open.led || card >= board->ruff_from;
        if (place == 0 || (counts && board->level[card] >= board->level[open.best])) {
            open.best = card;
            open.winner = seat;
        }
        lows[round->ours >> seat & 1] += (CARD(card) & board->low) != 0;
    }
    bool is_ours = round->ours >> open.winner & 1;
    int take = (1 + lows[!is_ours]) * (open.winner == round->bonus ? 2 : 1);
    round->leader = open.winner;
    round->laid = 0;
    return is_ours ? take : -take;
}

int play_out(OpenRound *round)
{
    int balance = 0;
    while (round->laid > 0 || round->hands[round->leader] != 0) {
        balance += play_trick(round);
    }
    return balance;
}
