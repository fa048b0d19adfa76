#include "deck.h"

#include <math.h>
#include <string.h>

static const Rules RULES[] = {
    {
        .name = "nyet",
        .colours = "RBYG",
        .per_colour = 15,
        .ranks = {1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
        .low = 1,
        .joins_trump = true,
        .discards = {"1", "2", "1x", "left1", "0"},
        .points = {1, 2, 3, 4, -2},
        .out_from = 12,
        .out_to = 15,
    },
    {
        .name = "njet",
        .colours = "RKBY",
        .per_colour = 15,
        .ranks = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 8, 9},
        .low = 0,
        .may_lack_trump = true,
        .discards = {"1", "2", "2x", "right2", "0"},
        .points = {1, 2, 3, 4, -2},
        .out_from = 9,
        .out_to = 12,
    },
    {
        .name = "njet-it",
        .colours = "RKBG",
        .per_colour = 10,
        .ranks = {1, 1, 2, 3, 4, 5, 6, 7, 8, 9},
        .low = 1,
        .discards = {"0", "1", "2"},
        .points = {1, 2, 3, 4},
    },
};

enum { GAMES = sizeof RULES / sizeof RULES[0] };

bool deck_of(const char *game, int seats, Deck *deck)
{
    for (int i = 0; i < GAMES; i++) {
        const Rules *rules = &RULES[i];
        if (strcmp(game, rules->name) != 0 || seats < 2 || seats > MOST_SEATS) {
            continue;
        }
        *deck = (Deck){.rules = rules, .seats = seats, .cards = COLOURS * rules->per_colour};
        for (int card = 0; card < deck->cards; card++) {
            int place = card % rules->per_colour;
            if (seats != 3 || place < rules->out_from || place >= rules->out_to) {
                deck->in_play |= CARD(card);
            }
        }
        return true;
    }
    return false;
}

static int power_of(const Rules *rules, int trump, int supertrump, int base)
{
    int colour = base / rules->per_colour;
    int rank = rules->ranks[base % rules->per_colour];
    if (rank == rules->low && colour == supertrump) {
        return SUPERTRUMP;
    }
    return colour == trump ? TRUMP + rank : rank;
}

/* The figures of python-tricks, fitted there on rounds that it played against itself. */
static double worth_of(const Deck *deck, int trump, int supertrump, int base)
{
    const Rules *rules = deck->rules;
    int first = base - base % rules->per_colour;
    int rank = rules->ranks[base - first];
    bool is_trump = first == trump * rules->per_colour;
    if (rank == rules->low && first == supertrump * rules->per_colour) {
        return 1.4;
    }
    if (rank == rules->low) {
        return is_trump ? -0.05 : -1.15;
    }
    int below = 0;
    int others = -1;
    for (int i = 0; i < rules->per_colour; i++) {
        if (deck->in_play & CARD(first + i)) {
            others++;
            below += rules->ranks[i] < rank;
        }
    }
    double height = (double)below / others;
    return is_trump ? 0.55 + 1.1 * pow(height, 4) : -0.55 + 1.6 * pow(height, 6);
}

/* The base numbers in the order of their power; equal ones stay side by side by colour. */
static void sort_by_power(const Deck *deck, int trump, int supertrump, int *order)
{
    for (int i = 0; i < deck->cards; i++) {
        int power = power_of(deck->rules, trump, supertrump, i);
        int at = i;
        while (at > 0 && power_of(deck->rules, trump, supertrump, order[at - 1]) > power) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
}

static void make_board(const Deck *deck, int trump, int supertrump, Board *board)
{
    const Rules *rules = deck->rules;
    int order[MOST_CARDS];
    double total = 0;
    *board = (Board){.trump = trump, .ruff_from = deck->cards};
    sort_by_power(deck, trump, supertrump, order);
    for (int rung = 0; rung < deck->cards; rung++) {
        int base = order[rung];
        int colour = base / rules->per_colour;
        int power = power_of(rules, trump, supertrump, base);
        int suit = power == SUPERTRUMP && rules->joins_trump ? trump : colour;
        bool is_copy = rung > 0 && power == board->power[rung - 1] &&
                       order[rung - 1] / rules->per_colour == colour;
        board->rung_of[base] = (uint8_t)rung;
        board->base_of[rung] = (uint8_t)base;
        board->power[rung] = power;
        board->suit_of[rung] = (uint8_t)suit;
        board->suit[suit] |= CARD(rung);
        board->level[rung] = is_copy ? board->level[rung - 1] : (uint8_t)rung;
        board->low |= rules->ranks[base % rules->per_colour] == rules->low ? CARD(rung) : 0;
        if (power >= TRUMP) {
            board->ruff |= CARD(rung);
            board->ruff_from = rung < board->ruff_from ? rung : board->ruff_from;
        }
        board->worth[rung] = worth_of(deck, trump, supertrump, base);
        board->worth_of_base[base] = board->worth[rung];
        total += deck->in_play & CARD(base) ? board->worth[rung] : 0;
    }
    for (int rung = deck->cards - 1; rung >= 0; rung--) {
        bool has_copy = rung + 1 < deck->cards && board->level[rung + 1] == board->level[rung];
        board->above[rung] = has_copy ? board->above[rung + 1] : (uint8_t)(rung + 1);
    }
    board->average = total / how_many(deck->in_play);
}

const Board *board_of(const Deck *deck, int trump, int supertrump)
{
    static Board kept[GAMES][MOST_SEATS + 1][CHOICES][CHOICES];
    static bool is_made[GAMES][MOST_SEATS + 1][CHOICES][CHOICES];
    long game = deck->rules - RULES;
    Board *board = &kept[game][deck->seats][trump][supertrump];
    if (!is_made[game][deck->seats][trump][supertrump]) {
        make_board(deck, trump, supertrump, board);
        is_made[game][deck->seats][trump][supertrump] = true;
    }
    return board;
}

Cards rungs_of(const Board *board, Cards base)
{
    Cards rungs = 0;
    for (; base != 0; base &= base - 1) {
        rungs |= CARD(board->rung_of[lowest(base)]);
    }
    return rungs;
}

int gift_count(const char *box)
{
    return box[0] == 'l' ? 1 : box[0] == 'r' ? 2 : box[0] - '0';
}

int gift_step(const char *box)
{
    return box[0] == 'l' ? 1 : box[0] == 'r' ? -1 : 0;
}

bool gift_spares_low(const char *box)
{
    return box[0] != '\0' && box[1] == 'x';
}
