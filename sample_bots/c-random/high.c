/* An example: one rule of thumb for the tricks. Take tricks, as cheaply as possible. All other
 * decisions, and NOPE!, go by lot. In decide.c, `return high(request);` makes it your bot. */

#include "decide.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cards.h"

/* The strongest or the weakest legal card with a strength from `least` to `most`; NULL if there
 * is none. `led` is the card that was led; NULL if the card itself leads. */
static const char *pick(const Request *request, const TrickView *view, const char *led, int least,
                        int most, bool strongest)
{
    const char *best = NULL;
    int best_strength = 0;
    for (int i = 0; i < request->legal_count; i++) {
        const char *card = request->legal[i];
        int strength = card_strength(card, led != NULL ? led : card, view);
        if (strength < least || strength > most) {
            continue;
        }
        if (best == NULL || (strongest ? strength > best_strength : strength < best_strength)) {
            best = card;
            best_strength = strength;
        }
    }
    return best;
}

const char *high(const Request *request)
{
    TrickView view;
    if (!trick_view(request, &view) || strcmp(view.phase, "play") != 0) {
        return request->legal[rand() % request->legal_count];
    }

    bool shy = view.points < 0; /* a round in which tricks cost points */
    const Trick *trick = open_trick(&view);
    if (trick->count == 0) {
        return pick(request, &view, NULL, 0, INT_MAX, !shy);
    }

    const char *led = trick->at[0];
    int to_beat = 0;
    for (int i = 0; i < trick->count; i++) {
        int strength = card_strength(trick->at[i], led, &view);
        to_beat = strength > to_beat ? strength : to_beat;
    }

    const char *card = NULL;
    if (shy) {
        /* Get rid of the strongest card that does not take the trick. */
        card = pick(request, &view, led, 0, to_beat - 1, true);
        return card != NULL ? card : pick(request, &view, led, 0, INT_MAX, true);
    }
    if (!is_with_me(trick_taker(&view), &view)) {
        /* Of two cards that are equally strong the later takes the trick (SPEC 11.5). */
        card = pick(request, &view, led, to_beat, INT_MAX, false);
    }
    return card != NULL ? card : pick(request, &view, led, 0, INT_MAX, false);
}
