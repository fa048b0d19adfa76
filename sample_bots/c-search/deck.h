/* The cards of a trick game as bits, and what a settled board makes of them.
 *
 * Every single card has a number, copies have several. Two orders are used: `base`, by colour and
 * rank, is the same for a whole match; `rungs`, by strength on a board, makes a round quick to play
 * out. A set of cards is one number with a bit for each. */

#ifndef DECK_H
#define DECK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MOST_SEATS = 5, /* SPEC 11.1 */
    MOST_CARDS = 60,
    COLOURS = 4,
    CHOICES = 5, /* boxes in a row, at most; for trump and supertrump the last means none */
    RANKS = 15   /* cards of one colour, at most */
};

typedef uint64_t Cards;

#define CARD(number) ((Cards)1 << (number))

static inline int lowest(Cards cards)
{
    return __builtin_ctzll(cards);
}
static inline int highest(Cards cards)
{
    return 63 - __builtin_clzll(cards);
}
static inline int how_many(Cards cards)
{
    return __builtin_popcountll(cards);
}

/* A rule set (SPEC 11.1). */
typedef struct {
    const char *name;
    const char *colours;
    int per_colour;
    int ranks[RANKS];
    int low;             /* the rank that is loot, and makes supertrumps */
    bool joins_trump;    /* a supertrump has the trump colour as its suit */
    bool may_lack_trump; /* row 3 has a box without trump */
    const char *discards[CHOICES];
    int points[CHOICES];
    int out_from, out_to; /* with three seats: which cards of each colour are taken out */
} Rules;

typedef struct {
    const Rules *rules;
    int seats;
    int cards;     /* all of them, also those that are out with three seats */
    Cards in_play; /* base */
} Deck;

/* What trump and supertrump make of the cards. All but `worth_of_base` is by rung. */
typedef struct {
    int trump;
    uint8_t rung_of[MOST_CARDS]; /* by base */
    uint8_t base_of[MOST_CARDS];
    uint8_t
        level[MOST_CARDS]; /* the lowest rung of the copies of a card: of equals the later takes */
    uint8_t above[MOST_CARDS]; /* the lowest rung that is above all copies */
    uint8_t suit_of[MOST_CARDS];
    int power[MOST_CARDS];
    double
        worth[MOST_CARDS]; /* what a card adds to our take less theirs, as python-tricks has it */
    double worth_of_base[MOST_CARDS];
    double average;
    Cards suit[COLOURS];
    Cards low;
    Cards ruff; /* trumps and supertrumps: they take tricks of another suit */
    int ruff_from;
} Board;

/* The powers of trumps and of supertrumps begin here. */
enum { TRUMP = 200, SUPERTRUMP = 300 };

/* The deck of a game; false if there is no such game, or no such table. */
bool deck_of(const char *game, int seats, Deck *deck);

/* The board for indices of colours, or CHOICES - 1 for none. It is made once and kept. */
const Board *board_of(const Deck *deck, int trump, int supertrump);

/* The same cards by rung instead of by base. */
Cards rungs_of(const Board *board, Cards base);

/* A box of row 2: how many cards go, and how many seats further; 0: out of the round. */
int gift_count(const char *box);
int gift_step(const char *box);

/* Whether a box of row 2 spares low cards. */
bool gift_spares_low(const char *box);

#endif
