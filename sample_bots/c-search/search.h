/* The search: try candidates in worlds until the time is over. */

#ifndef SEARCH_H
#define SEARCH_H

#include <stdbool.h>

enum { MOST_CANDIDATES = 64 };

/* What is thought of a candidate beforehand counts as much as so many worlds. */
enum { PRIOR_WORLDS = 20 };

typedef struct {
    int count;
    int what[MOST_CANDIDATES];     /* whatever the caller likes, such as a card */
    double total[MOST_CANDIDATES]; /* the sum of its values in worlds, and of the prior */
    int stages;
    int stage;
    double began;
    double seconds;
} Search;

/* Begin with no candidates, for so many seconds. */
Search search_for(double seconds);

/* Add a candidate, and what is thought of it beforehand in the measure of its values. */
void add_candidate(Search *search, int what, double prior);

/* Ask after each world whether to go on. The time is cut into stages, and after each the worse half
 * of the candidates is given up, so that the rest get more worlds each. */
bool goes_on(Search *search);

/* The best of those that are left. */
int best_candidate(const Search *search);

#endif
