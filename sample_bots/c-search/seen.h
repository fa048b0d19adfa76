/* What a view says, in numbers. */

#ifndef SEEN_H
#define SEEN_H

#include "deck.h"
#include "views.h"

/* The rows of the board. */
enum { FIRST, DISCARD, TRUMPS, SUPERTRUMPS, POINTS, ROWS };

enum { MOST_TOKENS = 25, NOBODY = -1, UNSETTLED = -1 };

typedef struct {
    int row;
    int box; /* a seat in row 1, else its place in the rules */
} Token;

typedef struct {
    Deck deck;
    int seats;
    int me;
    bool is_last;            /* of the rounds */
    int lead[MOST_SEATS];    /* our score less that of each seat */
    int sizes[MOST_SEATS];   /* of the hands */
    Cards hand;              /* base, as all cards here */
    Cards given;             /* chosen to be discarded or passed, so far */
    Cards out;               /* known to be out of all hands: played, or discarded by us */
    Cards known[MOST_SEATS]; /* cards that we passed on, and that are still held there */

    /* The board. */
    unsigned open[ROWS]; /* a bit for each box */
    Token tokens[MOST_TOKENS];
    int token_count;
    int first_token;
    int first; /* UNSETTLED until all rows are settled, as those below */
    const char *discard;
    int trump;
    int supertrump;
    int points;

    /* The round. */
    unsigned ours; /* a bit for each seat of our team */
    int bonus;     /* the seat that holds the bonus card, or NOBODY */
    int leader;
    int trick[MOST_SEATS]; /* the cards on the table, from the leader on */
    int laid;
    unsigned lacks[MOST_SEATS]; /* by seat, a bit for each suit that it has shown to lack */
    int balance;                /* our takes so far less theirs, those of `bonus` twice */
} Seen;

/* Read a view; false if it is not as SPEC 11.11 says. */
bool see(const TrickView *view, Seen *seen);

/* A token by its name, such as `trump:R`; false if there is none of that name. */
bool token_of(const Seen *seen, const char *name, Token *token);

/* The name of a card, for comparing it with legal actions. */
void card_name(const Seen *seen, int base, Text name);

/* What it is worth to us to end this round with a balance, where a take counts `points`: before
 * the last round the points; in the last one being ahead counts, and points a little. */
double value_of(const Seen *seen, unsigned ours, int balance, int points);

#endif
