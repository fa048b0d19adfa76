#include "seen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cards.h"

/* A card of this name that is not among those that were read already; -1 if there is none left. */
static int take_card(const Deck *deck, const char *name, Cards *read)
{
    const Rules *rules = deck->rules;
    const char *colour = name[0] != '\0' ? strchr(rules->colours, name[0]) : NULL;
    if (colour == NULL) {
        return -1;
    }
    int first = (int)(colour - rules->colours) * rules->per_colour;
    int rank = card_rank(name);
    for (int i = 0; i < rules->per_colour; i++) {
        Cards card = CARD(first + i);
        if (rules->ranks[i] == rank && (deck->in_play & card) && !(*read & card)) {
            *read |= card;
            return first + i;
        }
    }
    return -1;
}

/* The index of a colour; for `-` that of none; UNSETTLED for anything else. */
static int colour_of(const Deck *deck, const char *text)
{
    if (text[0] == '-') {
        return CHOICES - 1;
    }
    const char *found = text[0] != '\0' ? strchr(deck->rules->colours, text[0]) : NULL;
    return found != NULL ? (int)(found - deck->rules->colours) : UNSETTLED;
}

bool token_of(const Seen *seen, const char *name, Token *token)
{
    static const char *const NAMES[ROWS] = {"first", "discard", "trump", "supertrump", "points"};
    const char *box = strchr(name, ':');
    for (int row = 0; box != NULL && row < ROWS; row++) {
        size_t length = (size_t)(box - name);
        if (strlen(NAMES[row]) != length || strncmp(NAMES[row], name, length) != 0) {
            continue;
        }
        box++;
        token->row = row;
        token->box = UNSETTLED;
        if (row == FIRST && box[0] >= '0' && box[0] < '0' + seen->seats) {
            token->box = box[0] - '0';
        }
        if (row == TRUMPS || row == SUPERTRUMPS) {
            token->box = colour_of(&seen->deck, box);
        }
        for (int i = 0; i < CHOICES; i++) {
            const char *discard = seen->deck.rules->discards[i];
            if (row == DISCARD && discard != NULL && strcmp(discard, box) == 0) {
                token->box = i;
            }
            if (row == POINTS && seen->deck.rules->points[i] == atoi(box) && atoi(box) != 0) {
                token->box = i;
            }
        }
        return token->box != UNSETTLED;
    }
    return false;
}

void card_name(const Seen *seen, int base, Text name)
{
    const Rules *rules = seen->deck.rules;
    char colour = rules->colours[base / rules->per_colour];
    snprintf(name, sizeof(Text), "%c%d", colour, rules->ranks[base % rules->per_colour]);
}

static bool see_board(const TrickView *view, Seen *seen)
{
    Token token;
    for (int i = 0; i < view->open.count; i++) {
        if (!token_of(seen, view->open.at[i], &token)) {
            return false;
        }
        seen->open[token.row] |= 1U << token.box;
    }
    for (int i = 0; i < view->tokens.count; i++) {
        if (!token_of(seen, view->tokens.at[i], &seen->tokens[seen->token_count++])) {
            return false;
        }
    }
    for (int row = 0; row < ROWS; row++) {
        if (seen->open[row] == 0) {
            return false;
        }
    }
    seen->first_token = view->first_token;
    seen->first = seen->trump = seen->supertrump = UNSETTLED;
    seen->discard = "0";
    if (view->first == NIL) {
        return true;
    }
    seen->first = view->first;
    seen->discard = seen->deck.rules->discards[lowest(seen->open[DISCARD])];
    seen->trump = colour_of(&seen->deck, view->trump);
    seen->supertrump = colour_of(&seen->deck, view->supertrump);
    seen->points = view->points;
    return seen->first >= 0 && seen->first < seen->seats && seen->points != 0 &&
           seen->trump != UNSETTLED && seen->supertrump != UNSETTLED;
}

/* The tricks: which cards are out, who has shown to lack what, and who has how much. */
static bool see_tricks(const TrickView *view, Seen *seen, Cards *read)
{
    const Board *board = board_of(&seen->deck, seen->trump, seen->supertrump);
    if (view->leaders.count != view->tricks.count) {
        return false;
    }
    for (int i = 0; i < view->tricks.count; i++) {
        const Trick *trick = &view->tricks.at[i];
        int led = 0;
        seen->leader = view->leaders.at[i];
        if (seen->leader < 0 || seen->leader >= seen->seats || trick->count > seen->seats) {
            return false;
        }
        seen->laid = 0;
        for (int place = 0; place < trick->count; place++) {
            int seat = (seen->leader + place) % seen->seats;
            Cards known = 0; /* a card that we passed on is the first of its kind to be played */
            int card = -1;
            for (Cards each = seen->known[seat]; each != 0 && card < 0; each &= each - 1) {
                Text name;
                card_name(seen, lowest(each), name);
                if (strcmp(name, trick->at[place]) == 0) {
                    card = lowest(each);
                    known = CARD(card);
                }
            }
            seen->known[seat] &= ~known;
            card = card >= 0 ? card : take_card(&seen->deck, trick->at[place], read);
            if (card < 0) {
                return false;
            }
            seen->out |= CARD(card);
            seen->trick[seen->laid++] = card;
            int suit = board->suit_of[board->rung_of[card]];
            led = place == 0 ? suit : led;
            if (suit != led) {
                seen->lacks[seat] |= 1U << led;
            }
        }
    }
    return view->tricks.count > 0 && seen->laid < seen->seats;
}

bool see(const TrickView *view, Seen *seen)
{
    *seen = (Seen){.seats = view->seats, .me = view->seat, .bonus = NOBODY};
    if (!deck_of(view->game, view->seats, &seen->deck) || view->seat < 0 ||
        view->seat >= view->seats || view->scores.count != view->seats ||
        view->hand_sizes.count != view->seats || view->tricks_won.count != view->seats ||
        view->loot.count != view->seats || !see_board(view, seen)) {
        return false;
    }
    seen->is_last = view->round == view->rounds;
    for (int seat = 0; seat < seen->seats; seat++) {
        seen->lead[seat] = view->scores.at[seen->me] - view->scores.at[seat];
        seen->sizes[seat] = view->hand_sizes.at[seat];
        seen->ours |= is_with_me(seat, view) ? 1U << seat : 0;
    }
    seen->bonus = view->bonus >= 0 && view->bonus < view->seats ? view->bonus : NOBODY;
    for (int seat = 0; seat < seen->seats; seat++) {
        int take = view->tricks_won.at[seat] + view->loot.at[seat];
        take *= seat == seen->bonus ? 2 : 1;
        seen->balance += seen->ours >> seat & 1 ? take : -take;
    }
    Cards read = 0;
    for (int i = 0; i < view->hand.count; i++) {
        int card = take_card(&seen->deck, view->hand.at[i], &read);
        if (card < 0) {
            return false;
        }
        seen->hand |= CARD(card);
    }
    for (int i = 0; i < view->given.count; i++) {
        int card = take_card(&seen->deck, view->given.at[i], &read);
        if (card < 0) {
            return false;
        }
        seen->given |= CARD(card);
    }
    if (strcmp(view->phase, "play") != 0) {
        return true;
    }
    int step = gift_step(seen->discard);
    if (step != 0) {
        seen->known[(seen->me + step + seen->seats) % seen->seats] = seen->given;
    } else {
        seen->out = seen->given;
    }
    return seen->first != UNSETTLED && see_tricks(view, seen, &read);
}

double value_of(const Seen *seen, unsigned ours, int balance, int points)
{
    double total = 0;
    int others = 0;
    if (!seen->is_last) {
        return balance * points;
    }
    for (int seat = 0; seat < seen->seats; seat++) {
        if (!(ours >> seat & 1)) {
            int lead = seen->lead[seat] + balance * points;
            total += (lead > 0) - (lead < 0) + 0.1 * lead / abs(points);
            others++;
        }
    }
    return total / others;
}
