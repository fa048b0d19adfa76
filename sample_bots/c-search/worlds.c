#include "worlds.h"

#include "chance.h"

/* Changes that are tried for each hidden card: first until the deal is forgotten that `put` made,
 * then from one world to the next. */
enum { FIRST_TRIES = 8, TRIES = 2 };

/* Find a place for a card. Where all that may hold it are full, a card there moves on to another
 * place; `visited` has a bit for each place from which one was moved already. */
static bool put(Worlds *worlds, int card, unsigned *visited)
{
    int order[MOST_SEATS + 1];
    for (int i = 0; i < worlds->places; i++) {
        order[i] = i;
    }
    shuffle(order, worlds->places);
    for (int i = 0; i < worlds->places; i++) {
        int place = order[i];
        if ((worlds->may[place] & CARD(card)) && worlds->room[place] > 0) {
            worlds->room[place]--;
            worlds->cards[place] |= CARD(card);
            return true;
        }
    }
    for (int i = 0; i < worlds->places; i++) {
        int place = order[i];
        if (!(worlds->may[place] & CARD(card)) || *visited >> place & 1) {
            continue;
        }
        *visited |= 1U << place;
        for (Cards each = worlds->cards[place]; each != 0; each &= each - 1) {
            worlds->cards[place] &= ~CARD(lowest(each));
            if (put(worlds, lowest(each), visited)) {
                worlds->cards[place] |= CARD(card);
                return true;
            }
            worlds->cards[place] |= CARD(lowest(each));
        }
    }
    return false;
}

/* The cards that a seat may hold: none of a suit that it has shown to lack. */
static Cards may_hold(const Seen *seen, int seat)
{
    Cards may = seen->deck.in_play;
    if (seen->lacks[seat] == 0) {
        return may;
    }
    const Board *board = board_of(&seen->deck, seen->trump, seen->supertrump);
    for (Cards each = may; each != 0; each &= each - 1) {
        int card = lowest(each);
        if (seen->lacks[seat] >> board->suit_of[board->rung_of[card]] & 1) {
            may &= ~CARD(card);
        }
    }
    return may;
}

static void change_places(Worlds *worlds, int tries)
{
    for (int i = 0; i < tries; i++) {
        int a = lot(worlds->count);
        int b = lot(worlds->count);
        int at_a = worlds->place_of[a];
        int at_b = worlds->place_of[b];
        Cards both = CARD(worlds->hidden[a]) | CARD(worlds->hidden[b]);
        if (at_a != at_b && (worlds->may[at_b] & CARD(worlds->hidden[a])) &&
            (worlds->may[at_a] & CARD(worlds->hidden[b]))) {
            worlds->cards[at_a] ^= both;
            worlds->cards[at_b] ^= both;
            worlds->place_of[a] = at_b;
            worlds->place_of[b] = at_a;
        }
    }
}

bool find_world(const Seen *seen, Worlds *worlds)
{
    Cards hidden = seen->deck.in_play & ~(seen->hand | seen->given | seen->out);
    *worlds = (Worlds){.places = seen->seats + 1};
    for (int seat = 0; seat < seen->seats; seat++) {
        hidden &= ~seen->known[seat];
    }
    int aside = how_many(hidden);
    for (int seat = 0; seat < seen->seats; seat++) {
        if (seat != seen->me) {
            worlds->room[seat] = seen->sizes[seat] - how_many(seen->known[seat]);
            worlds->may[seat] = may_hold(seen, seat);
            aside -= worlds->room[seat];
        }
    }
    worlds->room[seen->seats] = aside;
    worlds->may[seen->seats] = seen->deck.in_play;
    for (Cards each = hidden; each != 0; each &= each - 1) {
        worlds->hidden[worlds->count++] = lowest(each);
    }
    shuffle(worlds->hidden, worlds->count);
    for (int i = 0; i < worlds->count; i++) {
        unsigned visited = 0;
        if (aside < 0 || !put(worlds, worlds->hidden[i], &visited)) {
            return false;
        }
    }
    for (int i = 0; i < worlds->count; i++) {
        for (int place = 0; place < worlds->places; place++) {
            if (worlds->cards[place] & CARD(worlds->hidden[i])) {
                worlds->place_of[i] = place;
            }
        }
    }
    change_places(worlds, FIRST_TRIES * worlds->count);
    return true;
}

void next_world(Worlds *worlds)
{
    change_places(worlds, TRIES * worlds->count);
}

Cards hand_in(const Worlds *worlds, const Seen *seen, int seat)
{
    return seat == seen->me ? seen->hand : worlds->cards[seat] | seen->known[seat];
}
