#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include "search.h"

#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

Search search_for(double seconds)
{
    return (Search){.began = now(), .seconds = seconds, .stage = 1};
}

void add_candidate(Search *search, int what, double prior)
{
    if (search->count == MOST_CANDIDATES) {
        return;
    }
    search->what[search->count] = what;
    search->total[search->count++] = PRIOR_WORLDS * prior;
    search->stages = 1;
    while (1 << search->stages < search->count) {
        search->stages++;
    }
}

static void give_up_half(Search *search)
{
    for (int i = 1; i < search->count; i++) {
        int what = search->what[i];
        double total = search->total[i];
        int at = i;
        for (; at > 0 && search->total[at - 1] < total; at--) {
            search->what[at] = search->what[at - 1];
            search->total[at] = search->total[at - 1];
        }
        search->what[at] = what;
        search->total[at] = total;
    }
    search->count = (search->count + 1) / 2;
}

bool goes_on(Search *search)
{
    double spent = now() - search->began;
    if (search->count < 2 || spent >= search->seconds) {
        return false;
    }
    if (spent >= search->seconds * search->stage / search->stages) {
        search->stage++;
        give_up_half(search);
    }
    return search->count > 1;
}

int best_candidate(const Search *search)
{
    int best = 0;
    for (int i = 1; i < search->count; i++) {
        best = search->total[i] > search->total[best] ? i : best;
    }
    return search->what[best];
}
