/* A round played to its end with all hands open, by simple rules: in a microsecond or two. */

#ifndef ROLLOUT_H
#define ROLLOUT_H

#include "deck.h"

typedef struct {
    const Board *board;
    int seats;
    unsigned ours;    /* a bit for each seat of our team */
    int bonus;        /* the seat whose takes count twice, or -1 */
    bool is_positive; /* false at -2, where everybody plays for the fewest takes */
    int leader;
    int trick[MOST_SEATS]; /* the rungs on the table, from the leader on */
    int laid;
    Cards hands[MOST_SEATS]; /* by seat, as rungs; played out until they are empty */
} OpenRound;

/* Play to the end of the round, and return our take less theirs. */
int play_out(OpenRound *round);

#endif
