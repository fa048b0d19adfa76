/* The choices before the cards: which box to cover, and whom to play with. */

#ifndef COVERING_H
#define COVERING_H

#include "seen.h"

/* The token that raises the average of the boxes left open in its row by most, for our hand. */
Token token_to_lay(const Seen *seen);

/* The team to choose, a bit for each seat, and the seat that holds the bonus card, or NOBODY: with
 * a good hand be few, and go with those whose tokens say that they like the board. */
unsigned team_to_choose(const Seen *seen, int *bonus);

#endif
