#include "cards.h"

#include <string.h>

/* ---- The trick games ---- */

/* SPEC 11.1: the rank that is weakest, or a supertrump. */
static int low_rank(const TrickView *view)
{
    return strcmp(view->game, "njet") == 0 ? 0 : 1;
}

char card_suit(const char *card, const TrickView *view)
{
    /* SPEC 11.4: the double agent of nyet. */
    if (strcmp(view->game, "nyet") == 0 && card_is_supertrump(card, view)) {
        return view->trump[0];
    }
    return card[0];
}

int card_rank(const char *card)
{
    int rank = 0;
    /* No card has more than two digits; more are not read. */
    for (int i = 1; i <= 2 && card[0] != '\0' && card[i] >= '0' && card[i] <= '9'; i++) {
        rank = 10 * rank + (card[i] - '0');
    }
    return rank;
}

bool card_is_supertrump(const char *card, const TrickView *view)
{
    return card[0] == view->supertrump[0] && card_rank(card) == low_rank(view);
}

int card_strength(const char *card, const char *led, const TrickView *view)
{
    if (card_is_supertrump(card, view)) {
        return 300;
    }
    if (card[0] == view->trump[0]) {
        return 200 + card_rank(card);
    }
    return card_suit(card, view) == card_suit(led, view) ? 100 + card_rank(card) : card_rank(card);
}

const Trick *open_trick(const TrickView *view)
{
    static const Trick NONE = {.count = 0};
    bool is_open = view->tricks.count > 0 && view->tricks.count == view->leaders.count;
    return is_open ? &view->tricks.at[view->tricks.count - 1] : &NONE;
}

int trick_taker(const TrickView *view)
{
    const Trick *trick = open_trick(view);
    if (trick->count == 0) {
        return NIL;
    }
    int leader = view->leaders.at[view->leaders.count - 1];
    const char *led = trick->at[0];
    int taking = 0;
    for (int i = 1; i < trick->count; i++) {
        if (card_strength(trick->at[i], led, view) >= card_strength(trick->at[taking], led, view)) {
            taking = i;
        }
    }
    return leader >= 0 && leader < view->seats ? (leader + taking) % view->seats : NIL;
}

static bool is_in_team(int seat, const TrickView *view)
{
    for (int i = 0; i < view->team.count; i++) {
        if (view->team.at[i] == seat) {
            return true;
        }
    }
    return false;
}

Seats teammates(const TrickView *view)
{
    Seats found = {.count = 0};
    for (int seat = 0; seat < view->seats; seat++) {
        if (seat != view->seat && is_with_me(seat, view)) {
            found.at[found.count++] = seat;
        }
    }
    return found;
}

bool is_with_me(int seat, const TrickView *view)
{
    if (seat == view->seat) {
        return true;
    }
    /* `team` is the first player's. All others are the other team. */
    return view->team.count > 0 && seat >= 0 && seat < view->seats &&
           is_in_team(seat, view) == is_in_team(view->seat, view);
}

/* ---- NOPE! ---- */

static const char COLOURS[] = "RGBY";

const char *card_colours(const char *card)
{
    static const char *const LETTERS[] = {
        "",  "R",  "G",  "RG",  "B",  "RB",  "GB",  "RGB",
        "Y", "RY", "GY", "RGY", "BY", "RBY", "GBY", "RGBY",
    };
    if (card[0] == 'J' || card[0] == 'X' || strncmp(card, "S*", 2) == 0) {
        return LETTERS[15];
    }
    int shown = 0;
    /* The colour of a see-through or a select stands behind its T or S. */
    const char *letter = card[0] == 'T' || card[0] == 'S' ? card + 1 : card;
    for (const char *found; *letter != '\0' && (found = strchr(COLOURS, *letter)); letter++) {
        shown |= 1 << (found - COLOURS);
    }
    return LETTERS[shown];
}

bool card_shows(const char *card, char colour)
{
    return colour != '\0' && strchr(card_colours(card), colour) != NULL;
}

int card_number(const char *card)
{
    if (card[0] == 'J') {
        return 1;
    }
    /* The number stands behind one colour or two. */
    size_t letters = strspn(card, COLOURS);
    char digit = card[letters];
    return letters > 0 && digit >= '1' && digit <= '3' ? digit - '0' : 0;
}
