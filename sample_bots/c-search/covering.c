#include "covering.h"

#include <math.h>

/* How much the estimates of python-tricks count here, by row: see board.py of python-stakes. */
static const double COUNTS[ROWS] = {0.8, 0.2, 1.2, 1.0, 0.7};

enum { MAY_NOT = -1000000 }; /* the gain of a box that may not be covered */

/* What our hand is worth on each board, more than a usual one, and how much worse than usual the
 * cards are of which a discard rids it: by index of trump and supertrump. */
typedef struct {
    double worth[CHOICES][CHOICES];
    double relief[CHOICES][CHOICES][CHOICES]; /* by box of row 2 first */
} Worth;

/* A number for each box. */
typedef struct {
    double of[ROWS][CHOICES];
} Boxes;

/* What it is worth to be the first player, in takes. */
static const double BEING_FIRST = 1.5;

/* What the first and the second card are worth that a usual hand gives away. */
static const double USUAL_GIFTS[2] = {-1.15, -0.9};

/* Low cards are worth less than this, and all other cards more. */
static const double LOW_BELOW = -1;

/* How much better a board suits a seat for each token that it laid: see teams.py of python-tricks.
 */
static const double COVERED_TRUMP = 0.5;
static const double COVERED_SUPERTRUMP = 0.3;
static const double COVERED_POINTS = 1.2;

/* By seats, how much better than usual a hand must be to play in the smaller team. */
static const double FEW[MOST_SEATS + 1] = {[3] = 2.5, [5] = 1.0};

/* The two worst cards of a hand on a board, the worst first, with or without the low ones. */
typedef struct {
    double worth[2];
    int count;
} Worst;

static void note(Worst *worst, double worth)
{
    if (worst->count == 0 || worth < worst->worth[0]) {
        worst->worth[1] = worst->worth[0];
        worst->worth[0] = worth;
    } else if (worst->count == 1 || worth < worst->worth[1]) {
        worst->worth[1] = worth;
    }
    worst->count++;
}

static Worth worth_of_hand(const Deck *deck, Cards hand)
{
    Worth all = {0};
    const Rules *rules = deck->rules;
    int trumps = rules->may_lack_trump ? CHOICES : COLOURS;
    for (int trump = 0; trump < trumps; trump++) {
        for (int supertrump = 0; supertrump < CHOICES; supertrump++) {
            const Board *board = board_of(deck, trump, supertrump);
            Worst any = {0};
            Worst high = {0};
            double sum = -board->average * how_many(hand);
            for (Cards each = hand; each != 0; each &= each - 1) {
                double worth = board->worth_of_base[lowest(each)];
                sum += worth;
                note(&any, worth);
                if (worth > LOW_BELOW) {
                    note(&high, worth);
                }
            }
            all.worth[trump][supertrump] = sum;
            for (int box = 0; box < CHOICES && rules->discards[box] != NULL; box++) {
                const char *name = rules->discards[box];
                const Worst *gifts = gift_spares_low(name) && high.count > 0 ? &high : &any;
                /* A box that passes cards on brings others: it counts 0. */
                int cards = gift_step(name) == 0 ? gift_count(name) : 0;
                for (int i = 0; i < cards && i < gifts->count; i++) {
                    all.relief[box][trump][supertrump] += USUAL_GIFTS[i] - gifts->worth[i];
                }
            }
        }
    }
    return all;
}

/* What it would be worth to us if each of the open boxes stayed open, in points; in the last round
 * only the sign of the points matters, because it is to be ahead that counts. */
static Boxes values_of(const Seen *seen, const Worth *worth)
{
    Boxes values = {0};
    const unsigned *open = seen->open;
    int trumps = how_many(open[TRUMPS]);
    int supertrumps = how_many(open[SUPERTRUMPS]);
    const int *points = seen->deck.rules->points;
    int takes[CHOICES];
    double stake = 0;
    double usual = 0;
    for (int box = 0; box < CHOICES; box++) {
        takes[box] = seen->is_last ? (points[box] > 0) - (points[box] < 0) : points[box];
        stake += open[POINTS] >> box & 1 ? (double)takes[box] / how_many(open[POINTS]) : 0;
    }
    for (int pair = 0; pair < CHOICES * CHOICES; pair++) {
        int trump = pair / CHOICES;
        int supertrump = pair % CHOICES;
        if (!(open[TRUMPS] >> trump & 1) || !(open[SUPERTRUMPS] >> supertrump & 1)) {
            continue;
        }
        double value = worth->worth[trump][supertrump];
        values.of[TRUMPS][trump] += stake * value / supertrumps;
        values.of[SUPERTRUMPS][supertrump] += stake * value / trumps;
        usual += value / (trumps * supertrumps);
        for (int box = 0; box < CHOICES; box++) {
            values.of[DISCARD][box] +=
                stake * worth->relief[box][trump][supertrump] / (trumps * supertrumps);
        }
    }
    for (int box = 0; box < CHOICES; box++) {
        values.of[FIRST][box] = box == seen->me ? BEING_FIRST * fabs(stake) : 0;
        values.of[POINTS][box] = takes[box] * usual;
    }
    return values;
}

/* How much the average of its row rises without each box. */
static Boxes gains_of(const Seen *seen, const Boxes *values)
{
    Boxes gains;
    for (int row = 0; row < ROWS; row++) {
        int boxes = how_many(seen->open[row]);
        double mean = 0;
        for (int box = 0; box < CHOICES; box++) {
            mean += seen->open[row] >> box & 1 ? values->of[row][box] / boxes : 0;
        }
        for (int box = 0; box < CHOICES; box++) {
            bool may = boxes > 1 && (seen->open[row] >> box & 1);
            double gain = may ? (mean - values->of[row][box]) / (boxes - 1) : 0;
            gains.of[row][box] = may ? COUNTS[row] * gain : MAY_NOT;
        }
    }
    return gains;
}

Token token_to_lay(const Seen *seen)
{
    Worth worth = worth_of_hand(&seen->deck, seen->hand);
    Boxes values = values_of(seen, &worth);
    Boxes gains = gains_of(seen, &values);
    Token best = {0};
    for (int row = 0; row < ROWS; row++) {
        for (int box = 0; box < CHOICES; box++) {
            if (gains.of[row][box] > gains.of[best.row][best.box]) {
                best = (Token){row, box};
            }
        }
    }
    return best;
}

/* How well the board suits a seat, as far as its tokens tell. */
static double liking(const Seen *seen, int seat)
{
    double score = 0;
    for (int i = 0; i < seen->token_count; i++) {
        Token token = seen->tokens[i];
        if ((seen->first_token + i) % seen->seats != seat) {
            continue;
        }
        if (token.row == POINTS) {
            int covered = seen->deck.rules->points[token.box];
            score += seen->points < 0 || covered < seen->points ? COVERED_POINTS : -COVERED_POINTS;
        } else if (token.row == TRUMPS) {
            score += COVERED_TRUMP;
        } else if (token.row == SUPERTRUMPS) {
            score += COVERED_SUPERTRUMP;
        }
    }
    return score;
}

unsigned team_to_choose(const Seen *seen, int *bonus)
{
    int seats = seen->seats;
    Worth worth = worth_of_hand(&seen->deck, seen->hand);
    double good = worth.worth[seen->trump][seen->supertrump] * (seen->points < 0 ? -1 : 1);
    bool has_bonus = seats == 3 || seats == 5;
    bool is_few = has_bonus && good > FEW[seats];
    unsigned team = 1U << seen->me;
    int size = seats == 2 || (seats == 3 && is_few) ? 1 : seats == 5 && !is_few ? 3 : 2;
    while (how_many(team) < size) {
        int best = NOBODY;
        for (int seat = 0; seat < seats; seat++) {
            if (!(team >> seat & 1) &&
                (best == NOBODY || liking(seen, seat) > liking(seen, best))) {
                best = seat;
            }
        }
        team |= 1U << best;
    }
    *bonus = has_bonus && is_few ? seen->me : NOBODY;
    for (int seat = 0; seat < seats && has_bonus && !is_few; seat++) {
        if (!(team >> seat & 1) &&
            (*bonus == NOBODY || liking(seen, seat) < liking(seen, *bonus))) {
            *bonus = seat;
        }
    }
    return team;
}
