/* Lots, by the small generator xorshift64*. */

#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

/* A number from 0 to `below` - 1, each as likely. */
int lot(int below);

/* Put numbers in a random order. */
void shuffle(int *numbers, int count);

#endif
