/* What is asked for, and which idea answers it. */

#include "decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "covering.h"
#include "tricks.h"

/* How long a card is thought about, in seconds, and the part of all the time that is left of which
 * no more is ever used. */
static const double THINK = 0.03;
static const double LAST_PART = 0.1;

/* The legal action of this name; NULL if there is none. */
static const char *legal_action(const Request *request, const char *name)
{
    for (int i = 0; i < request->legal_count; i++) {
        if (strcmp(request->legal[i], name) == 0) {
            return request->legal[i];
        }
    }
    return NULL;
}

static const char *choose_token(const Request *request, const Seen *seen)
{
    Token best = token_to_lay(seen);
    for (int i = 0; i < request->legal_count; i++) {
        Token token;
        if (token_of(seen, request->legal[i], &token) && token.row == best.row &&
            token.box == best.box) {
            return request->legal[i];
        }
    }
    return NULL;
}

static const char *choose_team(const Request *request, const Seen *seen)
{
    int bonus;
    unsigned team = team_to_choose(seen, &bonus);
    char name[16] = "team:"; /* SPEC 11.10: its seats ascending, with five seats the bonus card */
    size_t end = strlen(name);
    for (int seat = 0; seat < seen->seats; seat++) {
        if (team >> seat & 1) {
            name[end++] = (char)('0' + seat);
        }
    }
    if (seen->seats == MOST_SEATS) {
        name[end++] = '*';
        name[end++] = (char)('0' + bonus);
    }
    name[end] = '\0';
    return legal_action(request, name);
}

static const char *choose_card(const Request *request, const Seen *seen, bool is_gift)
{
    double seconds = LAST_PART * 1e-6 * (double)request->time_us;
    seconds = seconds < THINK ? seconds : THINK;
    int card = is_gift ? card_to_give(seen, seconds) : card_to_play(seen, seconds);
    if (card == NO_CARD) {
        return NULL;
    }
    Text name;
    card_name(seen, card, name);
    return legal_action(request, name);
}

/* The choice of the ideas; NULL where the view is of no game that they know. */
static const char *choose(const Request *request)
{
    static TrickView view;
    static Seen seen;
    if (!trick_view(request, &view) || !see(&view, &seen)) {
        return NULL;
    }
    if (strcmp(view.phase, "tokens") == 0) {
        return choose_token(request, &seen);
    }
    if (seen.first == UNSETTLED) {
        return NULL;
    }
    if (strcmp(view.phase, "team") == 0) {
        return choose_team(request, &seen);
    }
    return choose_card(request, &seen, strcmp(view.phase, "discard") == 0);
}

const char *decide(const Request *request)
{
    if (request->legal_count == 1) {
        return request->legal[0];
    }
    const char *action = choose(request);
    /* NOPE!, and games of a later day: by lot. */
    return action != NULL ? action : request->legal[rand() % request->legal_count];
}
