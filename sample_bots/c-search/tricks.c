#include "tricks.h"

#include <stdlib.h>

#include "rollout.h"
#include "search.h"
#include "thought.h"
#include "worlds.h"

enum { MOST_GIFTS = 8 }; /* cards to part with that are tried, the worst first */

static int sign_of(const Seen *seen)
{
    return seen->points < 0 ? -1 : 1;
}

/* What a take more is worth in the measure of `value_of`: by this the estimates, which are in
 * takes, are added to the values of worlds. */
static double take_of(const Seen *seen)
{
    return seen->is_last ? 0.15 : 1.5 * abs(seen->points);
}

static OpenRound round_in(const Worlds *worlds, const Seen *seen, const Board *board)
{
    OpenRound round = {
        .board = board,
        .seats = seen->seats,
        .ours = seen->ours,
        .bonus = seen->bonus,
        .is_positive = seen->points > 0,
        .leader = seen->first,
    };
    for (int seat = 0; seat < seen->seats; seat++) {
        round.hands[seat] = rungs_of(board, hand_in(worlds, seen, seat));
    }
    return round;
}

static double value_after(const Seen *seen, OpenRound round)
{
    return value_of(seen, seen->ours, seen->balance + play_out(&round), seen->points);
}

/* Leave out each card that does the same as the next lower one of ours: nobody else can hold a card
 * from the one to the other. */
static Cards different(const Seen *seen, const Board *board, Cards cards)
{
    Cards table = 0;
    for (int place = 0; place < seen->laid; place++) {
        table |= CARD(seen->trick[place]);
    }
    Cards held = seen->deck.in_play & ~(seen->hand | (seen->out & ~table));
    Cards others = rungs_of(board, held);
    Cards kept = 0;
    for (int suit = 0; suit < COLOURS; suit++) {
        int before = NO_CARD;
        for (Cards each = cards & board->suit[suit]; each != 0; each &= each - 1) {
            int card = lowest(each);
            bool is_same = false;
            if (before != NO_CARD) {
                Cards between = (CARD(board->above[card]) - 1) & ~(CARD(board->level[before]) - 1);
                is_same = !(others & between & board->suit[suit]) &&
                          (board->low >> before & 1) == (board->low >> card & 1);
            }
            kept |= is_same ? 0 : CARD(card);
            before = card;
        }
    }
    return kept;
}

int card_to_play(const Seen *seen, double seconds)
{
    const Board *board = board_of(&seen->deck, seen->trump, seen->supertrump);
    Search search = search_for(seconds);
    Cards legal = rungs_of(board, seen->hand);
    OpenRound begun = {0};
    Worlds worlds;
    for (int place = 0; place < seen->laid; place++) {
        begun.trick[place] = board->rung_of[seen->trick[place]];
    }
    if (seen->laid > 0) {
        Cards serving = legal & board->suit[board->suit_of[begun.trick[0]]];
        legal = serving != 0 ? serving : legal;
    }
    for (Cards each = different(seen, board, legal); each != 0; each &= each - 1) {
        double thought = thought_of(seen, board, lowest(each));
        add_candidate(&search, lowest(each), take_of(seen) * sign_of(seen) * thought);
    }
    if (search.count == 0 || (search.count > 1 && !find_world(seen, &worlds))) {
        return NO_CARD;
    }
    while (goes_on(&search)) {
        next_world(&worlds);
        OpenRound world = round_in(&worlds, seen, board);
        world.leader = seen->leader;
        world.laid = seen->laid + 1;
        for (int i = 0; i < search.count; i++) {
            OpenRound round = world;
            for (int place = 0; place < seen->laid; place++) {
                round.trick[place] = begun.trick[place];
            }
            round.trick[seen->laid] = search.what[i];
            round.hands[seen->me] &= ~CARD(search.what[i]);
            search.total[i] += value_after(seen, round);
        }
    }
    return board->base_of[best_candidate(&search)];
}

/* The worst card of some, or NO_CARD. */
static int worst_of(const Board *board, Cards cards, int sign)
{
    int worst = NO_CARD;
    for (; cards != 0; cards &= cards - 1) {
        int card = lowest(cards);
        if (worst == NO_CARD || sign * board->worth[card] < sign * board->worth[worst]) {
            worst = card;
        }
    }
    return worst;
}

/* The cards that may be given, of some: low ones may be spared while there are others. */
static Cards may_give(const Seen *seen, const Board *board, Cards cards)
{
    Cards high = cards & ~board->low;
    return gift_spares_low(seen->discard) && high != 0 ? high : cards;
}

/* All gifts change hands: ours are `mine` and then our worst cards, those of others their worst. */
static void exchange(const Seen *seen, OpenRound *round, Cards mine)
{
    int step = gift_step(seen->discard);
    Cards gifts[MOST_SEATS];
    for (int seat = 0; seat < seen->seats; seat++) {
        gifts[seat] = seat == seen->me ? mine : 0;
        while (how_many(gifts[seat]) < gift_count(seen->discard)) {
            Cards left = round->hands[seat] & ~gifts[seat];
            if (left == 0) {
                break;
            }
            left = may_give(seen, round->board, left);
            gifts[seat] |= CARD(worst_of(round->board, left, sign_of(seen)));
        }
        round->hands[seat] &= ~gifts[seat];
    }
    for (int seat = 0; seat < seen->seats && step != 0; seat++) {
        round->hands[(seat + step + seen->seats) % seen->seats] |= gifts[seat];
    }
}

int card_to_give(const Seen *seen, double seconds)
{
    const Board *board = board_of(&seen->deck, seen->trump, seen->supertrump);
    Search search = search_for(seconds);
    Cards given = rungs_of(board, seen->given);
    Cards legal = may_give(seen, board, rungs_of(board, seen->hand));
    Worlds worlds;
    while (legal != 0 && search.count < MOST_GIFTS) {
        int card = worst_of(board, legal, sign_of(seen));
        add_candidate(&search, card, -take_of(seen) * sign_of(seen) * board->worth[card]);
        Cards copies = (CARD(board->above[card]) - 1) & ~(CARD(board->level[card]) - 1);
        legal &= ~copies;
    }
    if (search.count == 0 || (search.count > 1 && !find_world(seen, &worlds))) {
        return NO_CARD;
    }
    while (goes_on(&search)) {
        next_world(&worlds);
        OpenRound world = round_in(&worlds, seen, board);
        for (int i = 0; i < search.count; i++) {
            OpenRound round = world;
            exchange(seen, &round, given | CARD(search.what[i]));
            search.total[i] += value_after(seen, round);
        }
    }
    return board->base_of[best_candidate(&search)];
}
