/* Views with a type for every field: what your seat may know (SPEC 10.3, 11.11, 12.11).
 * Made from the field tables of the games by python -m tests.sample_bots.views --write.
 *
 *     TrickView view;
 *     if (trick_view(request, &view) && strcmp(view.phase, "play") == 0) {
 *         puts(view.hand.at[0]);
 *     }
 *
 * Nothing is allocated, so that a view may be kept and copied by `=`. Only an `options` points into
 * the message: copy what you want to keep of it.
 *
 * Nil is NIL for a number, "" for a text, a list without entries, and for a struct called NAME it
 * is has_NAME that is false. Fields that a later server adds are passed over. */

#ifndef VIEWS_H
#define VIEWS_H

#include "wire/fields.h"
#include "wire/messages.h"

enum {
    MAX_SEATS = 6,  /* SPEC 10.1 */
    MAX_HAND = 16,  /* SPEC 11.1: cards in a hand, and tricks in a round */
    MAX_BOXES = 25, /* SPEC 11.1: of all rows of the board together */
    MAX_DECK = 104, /* SPEC 12.1 */
    MAX_TURNS = 4,  /* SPEC 12.11: of each seat in `recent` */
    MAX_LAID = 4    /* SPEC 12.11: three cards, and the choice for a select */
};

/* The round finished last. */
typedef struct {
    /* its number, from 1 */
    int round;
    /* its dealer */
    int dealer;
    /* row 1: its first player */
    int first;
    /* row 2: the open box */
    Text discard;
    /* row 3: a colour letter, or `-` for none */
    Text trump;
    /* row 4: a colour letter, or `-` for none */
    Text supertrump;
    /* row 5: what a trick and a piece of loot were worth */
    int points;
    /* the first player's team, ascending */
    LIST_OF(int, MAX_SEATS) team;
    /* the seat that held the bonus card; nil with 2 or 4 seats */
    int bonus;
    /* by seat, the tricks taken */
    LIST_OF(int, MAX_SEATS) tricks_won;
    /* by seat, the loot captured */
    LIST_OF(int, MAX_SEATS) loot;
    /* by seat, the points of that round alone */
    LIST_OF(int, MAX_SEATS) scored;
    /* the seat that led its last trick */
    int last_leader;
    /* the cards of its last trick, in order of play */
    LIST_OF(Text, MAX_SEATS) last_trick;
    /* the seat that took it */
    int last_winner;
} PreviousRound;

typedef LIST_OF(Text, MAX_SEATS) Trick;

/* A view of nyet, njet and njet-it. */
typedef struct {
    /* the name of the rule set (11.1) */
    Text game;
    /* how many sit at the table */
    int seats;
    /* your seat, from 0 */
    int seat;
    /* every option of 11.7 with the value in force */
    Value options;
    /* the round being played, from 1 */
    int round;
    /* the match has at most so many rounds */
    int rounds;
    /* `tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over` */
    Text phase;
    /* this round's dealer */
    int dealer;
    /* the seat that owes a decision; nil in phase `discard`, where all do, and when over */
    int turn;
    /* by seat, the points of all finished rounds */
    LIST_OF(int, MAX_SEATS) scores;
    /* your cards, in the order of 11.10, copies repeated, without those you have chosen to
     * discard or pass */
    LIST_OF(Text, MAX_HAND) hand;
    /* by seat, the cards held; in phase `discard` still those dealt */
    LIST_OF(int, MAX_SEATS) hand_sizes;
    /* the boxes not covered, in the order of 11.10 */
    LIST_OF(Text, MAX_BOXES) open;
    /* the boxes covered this round, first to last */
    LIST_OF(Text, MAX_BOXES) tokens;
    /* the seat that placed, or will place, the first token; the others follow clockwise */
    int first_token;
    /* row 1: the first player; nil until all rows are settled */
    int first;
    /* row 2: the open box, such as `1x`; nil until settled */
    Text discard;
    /* row 3: a colour letter, or `-` for none; nil until settled */
    Text trump;
    /* row 4: a colour letter, or `-` for none; nil until settled */
    Text supertrump;
    /* row 5: what a trick and a piece of loot are worth; nil until settled */
    int points;
    /* the first player's team, ascending; all others are the other team; nil until chosen */
    LIST_OF(int, MAX_SEATS) team;
    /* the seat that holds the bonus card; nil until chosen, and with 2 or 4 seats */
    int bonus;
    /* the cards you have discarded or passed this round, as chosen */
    LIST_OF(Text, MAX_HAND) given;
    /* the cards passed to you this round, once all have chosen */
    LIST_OF(Text, MAX_HAND) received;
    /* every trick of the round, each its cards in order of play; no trick before phase `play`;
     * in phase `play` the last is the open one, and may be empty */
    LIST_OF(Trick, MAX_HAND) tricks;
    /* for each of `tricks`, the seat that led it */
    LIST_OF(int, MAX_HAND) leaders;
    /* by seat, the tricks taken this round */
    LIST_OF(int, MAX_SEATS) tricks_won;
    /* by seat, the loot captured this round (11.6) */
    LIST_OF(int, MAX_SEATS) loot;
    /* the round finished last; nil in the first round */
    bool has_previous;
    PreviousRound previous;
} TrickView;

/* What must be laid. */
typedef struct {
    /* how many cards */
    int count;
    /* the letters of the colours, in the order `RGBY` */
    Text colours;
} Demand;

/* The choice that made a demand. */
typedef struct {
    /* the seat that made it */
    int by;
    /* the seat it named */
    int to;
} Choice;

/* A turn that a seat has finished. */
typedef struct {
    /* counted from 1, over the turns of all seats */
    int number;
    /* of the demand */
    int count;
    /* of the demand */
    Text colours;
    /* how many cards were drawn */
    int drawn;
    /* each card laid, in order, none being Nope; and the choice for a select, if one was made */
    LIST_OF(Text, MAX_LAID) laid;
} NopeTurn;

typedef LIST_OF(NopeTurn, MAX_TURNS) Turns;

/* A view of nope. */
typedef struct {
    /* `nope` */
    Text game;
    /* how many sit at the table */
    int seats;
    /* your seat, from 0 */
    int seat;
    /* every option of 12.8 with the value in force */
    Value options;
    /* `lay`: a turn (12.4); `set`: you have begun a set, which only you see yet; `choose`: a
     * select asks for its choice (12.5); `over` */
    Text phase;
    /* the dealer; the next seat began */
    int dealer;
    /* the seat that owes a decision; nil when over */
    int turn;
    /* turns finished so far, by all seats together */
    int turns;
    /* your cards, in the order of 12.10, copies repeated */
    LIST_OF(Text, MAX_DECK) hand;
    /* the cards of your set so far, no longer in `hand` */
    LIST_OF(Text, MAX_DECK) chosen;
    /* by seat, the cards held, those in `chosen` included */
    LIST_OF(int, MAX_SEATS) hand_sizes;
    /* what must be laid (12.3): `{"count":2,"colours":"RG"}`, colours in the order `RGBY`; nil
     * while a choice is open, and when over */
    bool has_demand;
    Demand demand;
    /* the choice that made this demand: `{"by":0,"to":2}`, the seat that made it and the seat it
     * named; it stays under see-throughs, though another seat plays; nil where a card made it */
    bool has_choice;
    Choice choice;
    /* the whole discard pile, bottom to top */
    LIST_OF(Text, MAX_DECK) discard;
    /* how many cards the draw pile has */
    int draw_pile;
    /* the seats that are out, in the order they went */
    LIST_OF(int, MAX_SEATS) out;
    /* cards drawn so far in the turn being taken; in phase `choose` those drawn in the turn that
     * laid the select, 0 if it was opened first; 0 when over */
    int drew;
    /* by seat, its last four turns, oldest first. A turn is a list: its number, counted from 1
     * over the turns of all seats as `turns` is; the count and the colours demanded; how many
     * cards were drawn; each card laid, in order, none being Nope; and the choice for a select,
     * if one was made: `[17,2,"RG",0,"SR","to2:3"]` */
    LIST_OF(Turns, MAX_SEATS) recent;
    /* by seat, its place, from 1; nil until over */
    LIST_OF(int, MAX_SEATS) places;
    /* how the match ended (10.1); nil until over */
    Text ending;
} NopeView;

/* The view of a request. False: it is not of nyet or njet or njet-it; or it could not be read,
 * and standard error says so. */
bool trick_view(const Request *request, TrickView *to);

/* Read a packed view of these games. False: it could not be read. */
bool read_trick_view(Value view, TrickView *to);

/* The view of a request. False: it is not of nope; or it could not be read, and standard error
 * says so. */
bool nope_view(const Request *request, NopeView *to);

/* Read a packed view of these games. False: it could not be read. */
bool read_nope_view(Value view, NopeView *to);

#endif
