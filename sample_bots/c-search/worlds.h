/* Worlds: deals of the hidden cards that agree with what was seen. */

#ifndef WORLDS_H
#define WORLDS_H

#include "seen.h"

typedef struct {
    int places;                  /* the seats, and what lies aside */
    Cards may[MOST_SEATS + 1];   /* the cards that may be there (base) */
    Cards cards[MOST_SEATS + 1]; /* those that are; of a seat without those that are known */
    int room[MOST_SEATS + 1];
    int hidden[MOST_CARDS]; /* the cards that are dealt */
    int place_of[MOST_CARDS];
    int count;
} Worlds;

/* Find a first world; false if there is none, which a true view never shows. */
bool find_world(const Seen *seen, Worlds *worlds);

/* Go on to another one: cards change places at random, so that after some steps every deal that
 * agrees is as likely as any other. */
void next_world(Worlds *worlds);

/* The hand of a seat, ours too, in this world (base). */
Cards hand_in(const Worlds *worlds, const Seen *seen, int seat);

#endif
