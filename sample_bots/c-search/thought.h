/* What is thought of a card before it is tried: python-tricks' estimate. */

#ifndef THOUGHT_H
#define THOUGHT_H

#include "seen.h"

/* What a card of ours (a rung) brings in this trick less what it would bring later, in takes. */
double thought_of(const Seen *seen, const Board *board, int card);

#endif
