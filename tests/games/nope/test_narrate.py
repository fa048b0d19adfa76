"""What people are told of a match of NOPE!, from views alone."""

from __future__ import annotations

from arena.games.nope import NOPE, NopeState
from tests.games.nope_positions import position


def told(state: NopeState, *actions: str, seat: int | None = None) -> list[str]:
    """Everything that is told of these actions, to a spectator or a seat."""
    lines = []
    for action in actions:
        before = state.view(seat)
        state.apply(state.to_act()[0], NOPE.actions.code(action))
        lines += NOPE.narrate(before, state.view(seat), seat)
    return lines


def test_a_match_opens_with_its_dealer_first_card_and_demand() -> None:
    state = position(["R1", "B2"], "RG2")
    assert NOPE.narrate(None, state.view(None), None) == [
        "Seat 1 deals; RG2 is the first open card; demand: 2 RG"
    ]


def test_a_first_open_select_asks_for_its_choice() -> None:
    state = position(["R1", "B2", "B3"], "SR")
    (line,) = NOPE.narrate(None, state.view(None), None)
    assert line.endswith("SR is the first open card; demand: seat 0 chooses")


def test_a_set_is_told_when_it_is_complete_and_its_steps_to_its_own_seat_alone() -> None:
    hands = ["R1 RG1 B1", "B2 B3 Y1"]
    assert told(position(hands, "R2"), "R1", "RG1") == ["  seat 0 lays R1 RG1; demand: 1 RG"]
    assert told(position(hands, "R2"), "R1", "RG1", seat=0) == [
        "  seat 0 chooses R1 for its set",
        "  seat 0 lays R1 RG1; demand: 1 RG",
    ]


def test_a_draw_is_told_and_what_was_drawn_only_to_who_drew() -> None:
    hands = ["B1 B2", "B2 B3", "Y1 Y2"]
    for seat, drawn in ((None, ""), (1, ""), (0, ": Y3")):
        state = position(hands, "R2", draw_pile="Y3 G1")
        assert told(state, "draw", seat=seat) == [f"  seat 0 draws 1{drawn}", "  seat 0 says Nope"]


def test_a_draw_of_nothing_is_told_as_a_draw_of_nothing() -> None:
    state = position(["B1 B2", "B2 B3", "Y1 Y2"], "R2", draw_pile="")
    for seat in (None, 0):
        lines = told(state.copy(), "draw", seat=seat)
        assert lines == ["  seat 0 draws 0", "  seat 0 says Nope"]


def test_a_reshuffle_is_told() -> None:
    state = position(["B1 B2", "B2 B3", "Y1 Y2"], "G1 G2 R2", draw_pile="")
    lines = told(state, "draw")
    assert lines[:2] == [
        "  seat 0 draws 1",
        "  the discard pile but for its top card is shuffled into a draw pile",
    ]


def test_a_selects_choice_and_who_goes_out_are_told() -> None:
    state = position(["SR B1", "B2 B3", "R1"], "R1")
    assert told(state, "SR", "to2:1", "R1") == [
        "  seat 0 lays SR; demand: seat 0 chooses",
        "  seat 0 names seat 2; demand: 1 R",
        "  seat 2 lays R1; demand: 1 R",
        "  seat 2 is out",
    ]


def test_the_end_has_no_demand() -> None:
    state = position(["R1", "B2 B3"], "R1")
    assert told(state, "R1") == [
        "  seat 0 lays R1; demand: none, the match is over",
        "  seat 0 is out",
    ]
