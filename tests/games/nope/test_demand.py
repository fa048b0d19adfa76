"""What must be laid (SPEC 12.3)."""

from __future__ import annotations

import pytest

from arena.games.nope.demand import DEMANDS
from tests.games.nope_positions import demand_of, legal, play, position


def test_a_number_card_demands_its_number_in_its_colours() -> None:
    assert demand_of(position(["B1", "B1"], "RG3")) == "3 RG"
    assert demand_of(position(["B1", "B1"], "Y2")) == "2 Y"


def test_a_joker_demands_one_card_of_any_colour() -> None:
    state = position(["B1 RG3", "B2"], "J")
    assert demand_of(state) == "1 RGBY"
    assert legal(state) == "B1 RG3"


def test_a_reset_demands_one_card_of_any_colour() -> None:
    state = play(position(["X B1", "B2 RG3"], "R3"), "X!")
    assert demand_of(state) == "1 RGBY"
    assert legal(state) == "B2 RG3"


def test_the_cards_of_a_set_all_show_one_same_colour() -> None:
    """Two red and one green do not make a set of three of red or green [12.3-1]."""
    assert legal(position(["R1 R2 G1", "B1"], "RG3")) == "draw"


def test_three_show_red_and_four_show_green_either_set_may_be_laid() -> None:
    """The booklet's example: three of the one colour or three of the other."""
    state = position(["R1 R2 RG1 G1 G2 GB1", "B1"], "RG3")
    assert legal(state) == "R1 R2 G1 G2 RG1 GB1"
    # Red is begun: green alone no longer will do, though red and green both are sets.
    assert legal(play(state.copy(), "R1")) == "R2 RG1"
    assert legal(play(state.copy(), "RG1")) == "R1 R2 G1 G2 GB1"


def test_with_two_of_each_colour_nothing_need_be_laid() -> None:
    """The booklet's example: two that show the one colour, two that show the other."""
    assert legal(position(["R1 R2 G1 G2", "B1"], "RG3")) == "draw"


def test_a_select_demands_what_was_chosen_by_who_laid_it() -> None:
    state = play(position(["SR B1", "B2", "B3"], "R1"), "SR to2:3")
    assert demand_of(state) == "3 R"
    assert state.view(None)["choice"] == {"by": 0, "to": 2}


def test_a_see_through_demands_what_the_card_below_it_does() -> None:
    assert demand_of(play(position(["TR B1", "B2"], "RG2"), "TR!")) == "2 RG"


def test_see_throughs_on_each_other_look_through_all_of_them() -> None:
    state = play(position(["TR B1", "TG B2", "B3"], "RG2"), "TR! TG!")
    assert demand_of(state) == "2 RG"
    assert state.to_act() == (2,)


def test_a_chain_of_see_throughs_over_a_select_keeps_its_choice() -> None:
    """[N9]: count and colour stay; the turn passes to the next seat after each see-through."""
    state = position(["SR B1", "TR B2", "X B3", "B1"], "R1")
    play(state, "SR to1:2 TR!")
    assert demand_of(state) == "2 R"
    assert state.view(None)["choice"] == {"by": 0, "to": 1}
    assert state.to_act() == (2,)


def test_two_see_throughs_over_a_four_coloured_select_need_the_chosen_colour() -> None:
    """A see-through fits only where it shows the colour chosen for the select below."""
    state = position(["S* B1", "TR B2", "TG X B3"], "R1")
    play(state, "S* to1:2R TR!")
    assert legal(state) == "X! draw"


def test_the_demand_stays_in_force_until_somebody_lays() -> None:
    state = position(["B1", "B2", "R1 R2"], "R2", draw_pile="B1 B2 G1 G1")
    play(state, "draw draw")
    assert demand_of(state) == "2 R"
    assert state.to_act() == (2,)
    assert legal(state) == "R1 R2"


def test_a_demand_comes_back_to_who_set_it() -> None:
    """The boomerang of the booklet's advice."""
    state = position(["R2 R2 R1 R1", "B1"], "R1", draw_pile="B2 G1 G1")
    play(state, "R2 draw")
    assert demand_of(state) == "2 R"
    assert legal(state) == "R1 R2"


def test_on_one_card_of_any_colour_nobody_may_draw() -> None:
    for top in ("J", "X"):
        for hand in ("R1", "S*", "BY3 TG"):
            assert "draw" not in legal(position([hand, "B1"], top))


@pytest.mark.parametrize("first_open", ["R1 B3", "X B3"])
def test_only_the_top_card_rules(first_open: str) -> None:
    assert demand_of(position(["R2", "R2"], first_open)) == "3 B"


def test_a_demand_is_told_in_words() -> None:
    assert str(DEMANDS[1, 0b1111]) == "1 card showing any colour"
    assert str(DEMANDS[2, 0b0011]) == "2 cards showing red or green, all the same"
    assert str(DEMANDS[3, 0b0100]) == "3 cards showing blue"


def test_demands_are_numbered_in_order() -> None:
    assert [demand.code for demand in DEMANDS.values()] == list(range(45))
