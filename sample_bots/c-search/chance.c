#include "chance.h"

#include <stdlib.h>

/* Begun with rand(), which bot.c begins with the time. */
static uint64_t next(void)
{
    static uint64_t state;
    while (state == 0) {
        state = (uint64_t)rand() << 32 ^ (uint64_t)rand();
    }
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1DU;
}

int lot(int below)
{
    return (int)((next() >> 32) * (uint64_t)below >> 32);
}

void shuffle(int *numbers, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = lot(i + 1);
        int kept = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = kept;
    }
}
