/* The functions that choose an action. Give the one of your own in decide.c. */

#ifndef DECIDE_H
#define DECIDE_H

#include "views.h"

/* The bot's answer to a request: one of request->legal. */
const char *decide(const Request *request);

/* An example in high.c: take tricks, as cheaply as possible. */
const char *high(const Request *request);

#endif
