"""Turns (SPEC 12.4), from the first card laid to the last."""

from __future__ import annotations

from arena.games.nope import NOPE, NopeState
from tests.games.nope_positions import demand_of, hand_of, legal, play, position

STOPPED = {"max_turns": 3}


def last_turn(state: NopeState, seat: int) -> object:
    return state.view(None)["recent"][seat][-1]


# Who holds a set.


def test_who_holds_a_set_must_lay_and_may_not_draw() -> None:
    """[12.4-1]"""
    assert legal(position(["R1 R2 B1", "B1"], "R2")) == "R1 R2"


def test_who_holds_a_set_may_lay_one_action_card_alone_instead() -> None:
    state = position(["R1 R2 TR B1", "B1"], "R2")
    assert legal(state) == "R1 R2 TR TR!"
    play(state, "TR!")
    assert hand_of(state, 0) == "R1 R2 B1"
    assert demand_of(state) == "2 R"
    assert state.to_act() == (1,)


def test_an_action_card_alone_must_show_a_demanded_colour() -> None:
    assert legal(position(["R1 R2 TG SB X S*", "B1"], "R2")) == "R1 R2 X S* X! S*!"


def test_jokers_and_action_cards_count_in_a_set_by_the_colours_they_show() -> None:
    assert legal(position(["R1 J TR", "B1"], "R3")) == "R1 J TR TR!"
    assert legal(position(["R1 X", "B1"], "R2")) == "R1 X X!"
    assert legal(position(["R1 TG SB", "B1"], "R2")) == "draw"
    assert legal(position(["R1 SR", "B1"], "R2")) == "R1 SR SR!"


def test_a_joker_completes_a_set_in_any_colour() -> None:
    state = position(["R1 G1 J B1 B1", "B2"], "RG2")
    assert legal(state) == "R1 G1 J"
    assert legal(play(state.copy(), "R1")) == "J"
    assert legal(play(state.copy(), "J")) == "R1 G1"


def test_with_a_count_of_one_a_set_and_an_action_are_the_same_thing() -> None:
    state = position(["R1 TR SG X", "B1"], "R1")
    assert legal(state) == "R1 X TR"
    play(state, "TR")
    assert demand_of(state) == "1 R"


def test_who_holds_as_their_only_fitting_card_an_action_card_must_lay_it() -> None:
    """The booklet: the action card is the only card to show the colour asked for."""
    assert legal(position(["TR B1", "B1"], "R1")) == "TR"


# A set, card by card.


def test_a_set_is_laid_card_by_card_in_the_order_chosen() -> None:
    state = position(["R1 R2 R3 B1", "B1"], "RG3")
    play(state, "R3 R1")
    assert state.to_act() == (0,)
    play(state, "R2")
    assert state.view(None)["discard"] == ["RG3", "R3", "R1", "R2"]
    assert demand_of(state) == "2 R"
    assert state.to_act() == (1,)


def test_each_card_of_a_set_leaves_it_completable_in_one_colour() -> None:
    state = position(["RG1 RG2 R1 G1 GB1", "B1"], "RG3")
    assert legal(state) == "R1 G1 RG1 RG2 GB1"
    play(state, "RG1")
    assert legal(state) == "R1 G1 RG2 GB1"
    play(state, "R1")
    assert legal(state) == "RG2"


def test_copies_of_a_card_are_one_action() -> None:
    state = position(["R1 R1 B1", "B1"], "R2")
    assert legal(state) == "R1"
    assert legal(play(state, "R1")) == "R1"


def test_no_action_card_is_laid_alone_once_a_set_is_begun() -> None:
    state = position(["R1 R2 TR", "B1"], "R2")
    assert legal(play(state, "R1")) == "R2 TR"


def test_the_last_card_of_a_set_rules_the_next_demand() -> None:
    assert demand_of(play(position(["R1 GY3 RG1", "B1"], "G2"), "RG1 GY3")) == "3 GY"


def test_an_action_card_last_in_a_set_takes_effect() -> None:
    """[N3]"""
    state = play(position(["R1 SR B1", "B1", "B2"], "R2"), "R1 SR")
    assert legal(state) == "to1:1 to1:2 to1:3 to2:1 to2:2 to2:3"
    assert demand_of(play(position(["R1 X B1", "B1"], "R2"), "R1 X")) == "1 RGBY"


def test_action_cards_under_the_last_have_no_effect() -> None:
    state = play(position(["SR R1 B1", "B1"], "R2"), "SR R1")
    assert demand_of(state) == "1 R"
    assert state.to_act() == (1,)
    assert demand_of(play(position(["X R3 B1", "B1"], "R2"), "X R3")) == "3 R"


def test_a_see_through_last_in_a_set_looks_at_the_card_laid_just_before_it() -> None:
    assert demand_of(play(position(["RB3 TR B1", "B1"], "R2"), "RB3 TR")) == "3 RB"
    assert demand_of(play(position(["J TR B1", "B1"], "R2"), "J TR")) == "1 RGBY"
    assert demand_of(play(position(["X TR B1", "B1"], "R2"), "X TR")) == "1 RGBY"


def test_a_set_that_ends_select_then_see_through_asks_for_the_selects_choice() -> None:
    """[N7]: whoever laid the set chooses now, player included."""
    state = play(position(["R1 SR TR B1", "B1", "B2"], "R3"), "R1 SR TR")
    assert state.to_act() == (0,)
    assert legal(state) == "to1:1 to1:2 to1:3 to2:1 to2:2 to2:3"
    play(state, "to2:2")
    assert demand_of(state) == "2 R"
    assert state.to_act() == (2,)


def test_a_set_that_ends_select_any_then_see_through_asks_for_a_colour_too() -> None:
    """[N7]"""
    state = play(position(["S* TR B1", "B1", "B2"], "R2"), "S* TR")
    assert legal(state).startswith("to1:1R to1:1G to1:1B to1:1Y to1:2R")
    assert demand_of(play(state, "to1:3B")) == "3 B"


def test_a_set_replaces_a_choice_even_by_one_that_demands_the_same() -> None:
    """The demand below the see-through is the card's own now, not the choice made before."""
    state = position(["SR B1", "RG1 R2 TR B2", "B3"], "R1")
    play(state, "SR to1:2 R2 TR")
    assert demand_of(state) == "2 R"
    assert state.view(None)["choice"] is None


# Who holds no set.


def test_who_holds_no_set_draws_or_lays_a_fitting_action_card_alone() -> None:
    assert legal(position(["R1 TR SG", "B1"], "R3")) == "TR! draw"
    assert legal(position(["R1 G1", "B1"], "R3")) == "draw"


def test_a_drawn_card_that_completes_a_set_must_be_answered() -> None:
    """[12.4-2]"""
    state = position(["R1 TG X", "B1", "B2"], "R3", draw_pile="J B1")
    play(state, "draw")
    assert state.to_act() == (0,)
    assert legal(state) == "R1 J X X!"
    assert state.view(0)["drew"] == 1


def test_after_drawing_an_action_card_alone_will_do_where_there_is_a_set() -> None:
    state = position(["R1 TR", "B1", "B2"], "R3", draw_pile="RB1 B1")
    play(state, "draw TR!")
    assert hand_of(state, 0) == "R1 RB1"
    assert last_turn(state, 0) == [1, 3, "R", 1, "TR"]


def test_after_a_draw_that_completes_no_set_nope_is_said_and_the_turn_ends() -> None:
    """[N2]: also where a fitting action card is held."""
    state = position(["R1 TR", "B1", "B2"], "R3", draw_pile="B3 B1")
    play(state, "draw")
    assert state.to_act() == (1,)
    assert hand_of(state, 0) == "R1 B3 TR"
    assert last_turn(state, 0) == [1, 3, "R", 1]
    assert demand_of(state) == "3 R"


def test_drawing_is_a_decision_even_where_it_is_the_only_one() -> None:
    state = position(["B1", "B1", "B2"], "R1")
    assert state.legal(0) == (NOPE.actions.code("draw"),)


def test_three_players_draw_one_card() -> None:
    state = play(position(["B1", "B1", "B2"], "R1", draw_pile="B2 R1"), "draw")
    assert hand_of(state, 0) == "B1 B2"


def test_two_players_draw_two_cards() -> None:
    state = play(position(["B1", "B2"], "R1", draw_pile="B2 B3 R1"), "draw")
    assert hand_of(state, 0) == "B1 B2 B3"
    assert state.to_act() == (1,)
    assert last_turn(state, 0) == [1, 1, "R", 2]


def test_both_cards_are_drawn_before_the_check_though_the_first_completes_a_set() -> None:
    state = play(position(["B1", "B2"], "R1", draw_pile="R2 RG3 R1"), "draw")
    assert state.to_act() == (0,)
    assert hand_of(state, 0) == "R2 B1 RG3"
    assert legal(state) == "R2 RG3"


def test_a_larger_game_that_shrinks_to_two_draws_one_still() -> None:
    """[N8]"""
    state = position(["R1", "B1", "G2"], "R1", draw_pile="G1 G2 G3 Y1")
    play(state, "R1")
    assert state.view(None)["out"] == [0]
    play(state, "draw draw")
    assert state.view(None)["hand_sizes"] == [0, 2, 2]
    assert state.to_act() == (1,)


# Going out, and the end.


def test_who_lays_the_last_card_is_out_and_the_next_still_in_goes_on() -> None:
    state = position(["", "R1", "", "R2 R3", "B1"], "R1", turn=1)
    play(state, "R1")
    assert state.view(None)["out"] == [0, 2, 1]
    assert state.to_act() == (3,)


def test_the_turn_goes_round_past_seats_that_are_out() -> None:
    state = play(position(["", "R1 B1", "R2 B1"], "R1", turn=2), "R2")
    assert state.to_act() == (1,)


def test_the_last_one_with_cards_wins_and_later_out_is_better() -> None:
    """[N12]"""
    state = position(["R1", "RG1", "R2 B2 B2"], "R1")
    play(state, "R1 RG1")
    assert state.to_act() == ()
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores == (0, 0, 3)
    assert outcome.places == (3, 2, 1)
    assert outcome.ending == "last"


def test_there_is_no_outcome_before_the_end() -> None:
    assert position(["R1", "R2"], "R1").outcome() is None


def test_a_player_goes_out_on_a_whole_set() -> None:
    state = play(position(["R1 R2", "R1", "B1"], "R2"), "R1 R2")
    assert state.view(None)["out"] == [0]
    assert demand_of(state) == "2 R"


def test_a_select_as_the_last_card_of_a_hand_still_takes_effect() -> None:
    state = play(position(["SR", "B1", "B2", "B3"], "R1"), "SR")
    assert state.to_act() == (0,)
    assert state.view(0)["out"] == [0]
    assert legal(state) == "to1:1 to1:2 to1:3 to2:1 to2:2 to2:3 to3:1 to3:2 to3:3"
    play(state, "to2:1")
    assert state.to_act() == (2,)


def test_a_see_through_as_the_last_card_of_a_hand_still_takes_effect() -> None:
    state = play(position(["TR", "R1 R2", "B2"], "R2"), "TR!")
    assert state.view(None)["out"] == [0]
    assert demand_of(state) == "2 R"


def test_a_reset_as_the_last_card_of_a_hand_still_takes_effect() -> None:
    state = play(position(["X", "R1 R2", "B2"], "R2"), "X!")
    assert demand_of(state) == "1 RGBY"
    assert legal(state) == "R1 R2"


def test_an_action_by_the_last_to_go_out_asks_no_choice() -> None:
    state = play(position(["SR", "B1 B2"], "R1"), "SR")
    assert state.to_act() == ()
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.places == (2, 1)
    assert outcome.ending == "last"


# The turn limit.


def test_at_the_turn_limit_more_cards_rank_higher_and_ties_share() -> None:
    """[N6]: those still in rank by cards held, before those who went out."""
    state = position(["R1", "B1 R2", "B2", "B3 B3"], "R1", draw_pile="G1 G2 Y1", options=STOPPED)
    play(state, "R1 R2 draw")
    assert state.to_act() == ()
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores == (0, 1, 2, 2)
    assert outcome.places == (4, 3, 1, 1)
    assert outcome.ending == "turns"


def test_of_those_out_at_the_turn_limit_later_is_better() -> None:
    state = position(["R1", "R2", "B2", "B3"], "R1", options={"max_turns": 2})
    outcome = play(state, "R1 R2").outcome()
    assert outcome is not None
    assert outcome.places == (4, 3, 1, 1)


def test_a_turn_that_ends_with_nope_counts() -> None:
    state = position(["B1", "B2", "B3"], "R1", draw_pile="B1 B1 B2", options=STOPPED)
    play(state, "draw draw draw")
    assert state.to_act() == ()
    assert state.view(None)["turns"] == 3


def test_a_choice_is_no_turn_of_its_own() -> None:
    state = position(["SR B1", "B2", "B3"], "R1", options=STOPPED)
    play(state, "SR to1:1")
    assert state.view(None)["turns"] == 1


def test_at_the_cap_no_choice_is_asked_any_more() -> None:
    """[N6]"""
    state = position(["SR B1", "B2", "B3"], "R1", options={"max_turns": 1})
    assert play(state, "SR").to_act() == ()


def test_a_match_that_ends_at_the_cap_with_one_player_left_ends_as_won() -> None:
    state = position(["R1", "B2"], "R1", options={"max_turns": 1})
    outcome = play(state, "R1").outcome()
    assert outcome is not None
    assert outcome.ending == "last"


# The state itself.


def test_a_copy_goes_its_own_way() -> None:
    state = position(["R1 R2 B1", "B1", "B2"], "R2", draw_pile="B3 G1 G2")
    before = [state.view(seat) for seat in (0, 1, 2, None)]
    twin = state.copy()
    play(twin, "R1 R2 draw draw")
    assert [state.view(seat) for seat in (0, 1, 2, None)] == before
    assert legal(state) == "R1 R2"
    assert [twin.copy().view(seat) for seat in (0, None)] == [twin.view(seat) for seat in (0, None)]


def test_a_seat_that_owes_nothing_has_nothing_legal() -> None:
    state = position(["R1", "B1"], "R1")
    assert state.legal(1) == ()
    assert state.legal(7) == ()


def test_a_repr_tells_the_state() -> None:
    assert repr(NOPE) == "<game nope>"
    state = position(["R1 R2", "B1"], "RG2")
    assert repr(state) == (
        "<nope turn 0, seat 0 to act, demand 2 cards showing red or green, all the same, hands 2 1>"
    )
    assert "over" in repr(play(position(["R1", "B1"], "R1"), "R1"))
