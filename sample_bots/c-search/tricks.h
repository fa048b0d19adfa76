/* The choices of cards: to play, and to discard or pass. */

#ifndef TRICKS_H
#define TRICKS_H

#include "seen.h"

/* The card to play, searched for so many seconds; NO_CARD if what was seen fits no world. */
int card_to_play(const Seen *seen, double seconds);

/* The card to discard or to pass on. */
int card_to_give(const Seen *seen, double seconds);

enum { NO_CARD = -1 };

#endif
