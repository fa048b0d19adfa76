/* Made from the field tables of the games by python -m tests.sample_bots.views --write. */

#include "views.h"

#include <stdio.h>

static bool read_previous_round(Reader *from, PreviousRound *to)
{
    *to = (PreviousRound){.bonus = NIL};
    Fields fields = fields_of(mp_head(from), from);
    while (next_field(&fields)) {
        if (field_is(&fields, 0, "round")) {
            fields.good = read_number(from, &to->round);
        } else if (field_is(&fields, 1, "dealer")) {
            fields.good = read_number(from, &to->dealer);
        } else if (field_is(&fields, 2, "first")) {
            fields.good = read_number(from, &to->first);
        } else if (field_is(&fields, 3, "discard")) {
            fields.good = read_text(from, to->discard);
        } else if (field_is(&fields, 4, "trump")) {
            fields.good = read_text(from, to->trump);
        } else if (field_is(&fields, 5, "supertrump")) {
            fields.good = read_text(from, to->supertrump);
        } else if (field_is(&fields, 6, "points")) {
            fields.good = read_number(from, &to->points);
        } else if (field_is(&fields, 7, "team")) {
            fields.good = read_numbers(from, &to->team.count, to->team.at, MAX_SEATS);
        } else if (field_is(&fields, 8, "bonus")) {
            fields.good = take_nil(from) || read_number(from, &to->bonus);
        } else if (field_is(&fields, 9, "tricks_won")) {
            fields.good = read_numbers(from, &to->tricks_won.count, to->tricks_won.at, MAX_SEATS);
        } else if (field_is(&fields, 10, "loot")) {
            fields.good = read_numbers(from, &to->loot.count, to->loot.at, MAX_SEATS);
        } else if (field_is(&fields, 11, "scored")) {
            fields.good = read_numbers(from, &to->scored.count, to->scored.at, MAX_SEATS);
        } else if (field_is(&fields, 12, "last_leader")) {
            fields.good = read_number(from, &to->last_leader);
        } else if (field_is(&fields, 13, "last_trick")) {
            fields.good = read_texts(from, &to->last_trick.count, to->last_trick.at, MAX_SEATS);
        } else if (field_is(&fields, 14, "last_winner")) {
            fields.good = read_number(from, &to->last_winner);
        } else {
            fields.good = pass_over(from);
        }
    }
    return all_fields_came(&fields, 15);
}

static bool read_trick(Reader *from, Trick *to)
{
    return read_texts(from, &to->count, to->at, MAX_SEATS);
}

bool read_trick_view(Value view, TrickView *to)
{
    *to = (TrickView){.turn = NIL, .first = NIL, .points = NIL, .bonus = NIL};
    Reader inside = mp_inside(view), *from = &inside;
    Fields fields = fields_of(view, from);
    while (next_field(&fields)) {
        if (field_is(&fields, 0, "game")) {
            fields.good = read_text(from, to->game);
        } else if (field_is(&fields, 1, "seats")) {
            fields.good = read_number(from, &to->seats);
        } else if (field_is(&fields, 2, "seat")) {
            fields.good = read_number(from, &to->seat);
        } else if (field_is(&fields, 3, "options")) {
            fields.good = read_map(from, &to->options);
        } else if (field_is(&fields, 4, "round")) {
            fields.good = read_number(from, &to->round);
        } else if (field_is(&fields, 5, "rounds")) {
            fields.good = read_number(from, &to->rounds);
        } else if (field_is(&fields, 6, "phase")) {
            fields.good = read_text(from, to->phase);
        } else if (field_is(&fields, 7, "dealer")) {
            fields.good = read_number(from, &to->dealer);
        } else if (field_is(&fields, 8, "turn")) {
            fields.good = take_nil(from) || read_number(from, &to->turn);
        } else if (field_is(&fields, 9, "scores")) {
            fields.good = read_numbers(from, &to->scores.count, to->scores.at, MAX_SEATS);
        } else if (field_is(&fields, 10, "hand")) {
            fields.good = read_texts(from, &to->hand.count, to->hand.at, MAX_HAND);
        } else if (field_is(&fields, 11, "hand_sizes")) {
            fields.good = read_numbers(from, &to->hand_sizes.count, to->hand_sizes.at, MAX_SEATS);
        } else if (field_is(&fields, 12, "open")) {
            fields.good = read_texts(from, &to->open.count, to->open.at, MAX_BOXES);
        } else if (field_is(&fields, 13, "tokens")) {
            fields.good = read_texts(from, &to->tokens.count, to->tokens.at, MAX_BOXES);
        } else if (field_is(&fields, 14, "first_token")) {
            fields.good = read_number(from, &to->first_token);
        } else if (field_is(&fields, 15, "first")) {
            fields.good = take_nil(from) || read_number(from, &to->first);
        } else if (field_is(&fields, 16, "discard")) {
            fields.good = take_nil(from) || read_text(from, to->discard);
        } else if (field_is(&fields, 17, "trump")) {
            fields.good = take_nil(from) || read_text(from, to->trump);
        } else if (field_is(&fields, 18, "supertrump")) {
            fields.good = take_nil(from) || read_text(from, to->supertrump);
        } else if (field_is(&fields, 19, "points")) {
            fields.good = take_nil(from) || read_number(from, &to->points);
        } else if (field_is(&fields, 20, "team")) {
            fields.good =
                take_nil(from) || read_numbers(from, &to->team.count, to->team.at, MAX_SEATS);
        } else if (field_is(&fields, 21, "bonus")) {
            fields.good = take_nil(from) || read_number(from, &to->bonus);
        } else if (field_is(&fields, 22, "given")) {
            fields.good = read_texts(from, &to->given.count, to->given.at, MAX_HAND);
        } else if (field_is(&fields, 23, "received")) {
            fields.good = read_texts(from, &to->received.count, to->received.at, MAX_HAND);
        } else if (field_is(&fields, 24, "tricks")) {
            fields.good = read_count(from, &to->tricks.count, MAX_HAND);
            for (int i = 0; fields.good && i < to->tricks.count; i++) {
                fields.good = read_trick(from, &to->tricks.at[i]);
            }
        } else if (field_is(&fields, 25, "leaders")) {
            fields.good = read_numbers(from, &to->leaders.count, to->leaders.at, MAX_HAND);
        } else if (field_is(&fields, 26, "tricks_won")) {
            fields.good = read_numbers(from, &to->tricks_won.count, to->tricks_won.at, MAX_SEATS);
        } else if (field_is(&fields, 27, "loot")) {
            fields.good = read_numbers(from, &to->loot.count, to->loot.at, MAX_SEATS);
        } else if (field_is(&fields, 28, "previous")) {
            fields.good =
                take_nil(from) || (to->has_previous = read_previous_round(from, &to->previous));
        } else {
            fields.good = pass_over(from);
        }
    }
    return all_fields_came(&fields, 29) && to->seats > 0 && to->seats <= MAX_SEATS &&
           to->seat >= 0 && to->seat < to->seats;
}

bool trick_view(const Request *request, TrickView *to)
{
    Value game = mp_field(request->view, "game");
    if (!mp_is(game, "nyet") && !mp_is(game, "njet") && !mp_is(game, "njet-it")) {
        return false;
    }
    if (!read_trick_view(request->view, to)) {
        fprintf(stderr, "a view of %.*s that is not as in SPEC 11.11\n", (int)game.size, game.text);
        return false;
    }
    return true;
}

static bool read_demand(Reader *from, Demand *to)
{
    *to = (Demand){0};
    Fields fields = fields_of(mp_head(from), from);
    while (next_field(&fields)) {
        if (field_is(&fields, 0, "count")) {
            fields.good = read_number(from, &to->count);
        } else if (field_is(&fields, 1, "colours")) {
            fields.good = read_text(from, to->colours);
        } else {
            fields.good = pass_over(from);
        }
    }
    return all_fields_came(&fields, 2);
}

static bool read_choice(Reader *from, Choice *to)
{
    *to = (Choice){0};
    Fields fields = fields_of(mp_head(from), from);
    while (next_field(&fields)) {
        if (field_is(&fields, 0, "by")) {
            fields.good = read_number(from, &to->by);
        } else if (field_is(&fields, 1, "to")) {
            fields.good = read_number(from, &to->to);
        } else {
            fields.good = pass_over(from);
        }
    }
    return all_fields_came(&fields, 2);
}

static bool read_nope_turn(Reader *from, NopeTurn *to)
{
    *to = (NopeTurn){0};
    int count;
    bool good = read_count(from, &count, 4 + MAX_LAID) && count >= 4;
    good = good && read_number(from, &to->number);
    good = good && read_number(from, &to->count);
    good = good && read_text(from, to->colours);
    good = good && read_number(from, &to->drawn);
    for (int i = 4; good && i < count; i++) {
        good = read_text(from, to->laid.at[to->laid.count++]);
    }
    return good;
}

static bool read_turns(Reader *from, Turns *to)
{
    bool good = read_count(from, &to->count, MAX_TURNS);
    for (int i = 0; good && i < to->count; i++) {
        good = read_nope_turn(from, &to->at[i]);
    }
    return good;
}

bool read_nope_view(Value view, NopeView *to)
{
    *to = (NopeView){.turn = NIL};
    Reader inside = mp_inside(view), *from = &inside;
    Fields fields = fields_of(view, from);
    while (next_field(&fields)) {
        if (field_is(&fields, 0, "game")) {
            fields.good = read_text(from, to->game);
        } else if (field_is(&fields, 1, "seats")) {
            fields.good = read_number(from, &to->seats);
        } else if (field_is(&fields, 2, "seat")) {
            fields.good = read_number(from, &to->seat);
        } else if (field_is(&fields, 3, "options")) {
            fields.good = read_map(from, &to->options);
        } else if (field_is(&fields, 4, "phase")) {
            fields.good = read_text(from, to->phase);
        } else if (field_is(&fields, 5, "dealer")) {
            fields.good = read_number(from, &to->dealer);
        } else if (field_is(&fields, 6, "turn")) {
            fields.good = take_nil(from) || read_number(from, &to->turn);
        } else if (field_is(&fields, 7, "turns")) {
            fields.good = read_number(from, &to->turns);
        } else if (field_is(&fields, 8, "hand")) {
            fields.good = read_texts(from, &to->hand.count, to->hand.at, MAX_DECK);
        } else if (field_is(&fields, 9, "chosen")) {
            fields.good = read_texts(from, &to->chosen.count, to->chosen.at, MAX_DECK);
        } else if (field_is(&fields, 10, "hand_sizes")) {
            fields.good = read_numbers(from, &to->hand_sizes.count, to->hand_sizes.at, MAX_SEATS);
        } else if (field_is(&fields, 11, "demand")) {
            fields.good = take_nil(from) || (to->has_demand = read_demand(from, &to->demand));
        } else if (field_is(&fields, 12, "choice")) {
            fields.good = take_nil(from) || (to->has_choice = read_choice(from, &to->choice));
        } else if (field_is(&fields, 13, "discard")) {
            fields.good = read_texts(from, &to->discard.count, to->discard.at, MAX_DECK);
        } else if (field_is(&fields, 14, "draw_pile")) {
            fields.good = read_number(from, &to->draw_pile);
        } else if (field_is(&fields, 15, "out")) {
            fields.good = read_numbers(from, &to->out.count, to->out.at, MAX_SEATS);
        } else if (field_is(&fields, 16, "drew")) {
            fields.good = read_number(from, &to->drew);
        } else if (field_is(&fields, 17, "recent")) {
            fields.good = read_count(from, &to->recent.count, MAX_SEATS);
            for (int i = 0; fields.good && i < to->recent.count; i++) {
                fields.good = read_turns(from, &to->recent.at[i]);
            }
        } else if (field_is(&fields, 18, "places")) {
            fields.good =
                take_nil(from) || read_numbers(from, &to->places.count, to->places.at, MAX_SEATS);
        } else if (field_is(&fields, 19, "ending")) {
            fields.good = take_nil(from) || read_text(from, to->ending);
        } else {
            fields.good = pass_over(from);
        }
    }
    return all_fields_came(&fields, 20) && to->seats > 0 && to->seats <= MAX_SEATS &&
           to->seat >= 0 && to->seat < to->seats;
}

bool nope_view(const Request *request, NopeView *to)
{
    Value game = mp_field(request->view, "game");
    if (!mp_is(game, "nope")) {
        return false;
    }
    if (!read_nope_view(request->view, to)) {
        fprintf(stderr, "a view of %.*s that is not as in SPEC 12.11\n", (int)game.size, game.text);
        return false;
    }
    return true;
}
