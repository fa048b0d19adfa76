"""What a refused action is told, and that it changes nothing (SPEC 12.4, 12.5, 12.10)."""

from __future__ import annotations

import pytest

from arena.games.errors import IllegalAction, OutOfTurn, RefusedAction, UnknownAction
from arena.games.nope import NOPE, NopeState
from tests.games.nope_positions import play, position


def refused(state: NopeState, name: str) -> str:
    """The words for this action of the seat to act."""
    before = [state.view(seat) for seat in (*range(len(state.hands)), None)]
    (seat,) = state.to_act()
    with pytest.raises(IllegalAction) as error:
        state.apply(seat, NOPE.actions.code(name))
    assert [state.view(seat) for seat in (*range(len(state.hands)), None)] == before
    assert error.value.allowed == tuple(NOPE.actions.name(code) for code in state.legal(seat))
    return str(error.value)


def rule(state: NopeState, seat: int, name: str) -> str | None:
    return state.refusal(seat, NOPE.actions.code(name))


def test_the_rule_is_told_as_a_clause_and_to_a_seat_that_is_not_asked_nothing_else() -> None:
    state = position(["R1 R2", "B1"], "R2")
    assert rule(state, 0, "R3") == "you do not hold R3 (SPEC 12.4)"
    assert rule(state, 0, "to1:1") == "no select of yours asks for a choice (SPEC 12.5)"
    assert rule(state, 0, "R1") is None
    assert rule(state, 1, "B1") == "you owe no decision now (SPEC 5.1)"


def test_a_card_of_a_colour_in_which_no_set_is_held() -> None:
    state = position(["R2 G1 G2 B1", "B1"], "RG2")
    assert refused(state, "R2") == (
        'you chose "R2", but you must lay 2 cards showing red or green, all the same and hold '
        "only 1 showing red. Legal: G1, G2 (SPEC 12.4)"
    )
    assert "hold only 1 showing red and 1 showing green. Legal: draw" in refused(
        position(["RG2 B1", "B1"], "RG2"), "RG2"
    )


def test_a_card_that_shows_no_demanded_colour() -> None:
    assert refused(position(["R1 B1", "B1"], "R1"), "B1") == (
        'you chose "B1", but B1 shows no colour of the demand of 1 card showing red. '
        "Legal: R1 (SPEC 12.4)"
    )


def test_a_card_that_is_not_held() -> None:
    state = position(["R1 R2", "B1"], "R2")
    assert 'you chose "R3", but you do not hold R3. Legal: R1, R2' in refused(state, "R3")
    play(state, "R1")
    assert "you do not hold R1 any more" in refused(state, "R1")


def test_a_card_that_would_not_leave_the_set_completable() -> None:
    state = play(position(["R1 R2 G1 G2", "B1"], "RG2"), "R1")
    assert refused(state, "G1") == (
        'you chose "G1", but after R1 it would not leave a set of 2 cards that show one same '
        "colour. Legal: R2 (SPEC 12.4)"
    )


def test_drawing_with_a_set_in_hand() -> None:
    state = position(["R1 R2 TR B1", "B1"], "R2")
    assert refused(state, "draw") == (
        'you chose "draw", but you hold a set for the demand of 2 cards showing red, and must '
        "lay. Legal: R1, R2, TR, TR! (SPEC 12.4)"
    )
    play(state, "R1")
    assert "you have begun a set with R1" in refused(state, "draw")


def test_drawing_a_second_time() -> None:
    state = play(position(["B2", "B1", "B1"], "R1", draw_pile="R3"), "draw")
    assert "you have drawn, and now hold a set for the demand of 1 card" in refused(state, "draw")


def test_an_action_card_alone_out_of_place() -> None:
    state = position(["R1 TR SB B1", "B1"], "R2")
    assert "you do not hold X" in refused(state, "X!")
    assert "SB shows no colour of the demand of 2 cards showing red" in refused(state, "SB!")
    play(state, "R1")
    assert "you have begun a set with R1" in refused(state, "TR!")


def test_with_one_card_demanded_an_action_card_goes_by_its_plain_name() -> None:
    state = position(["R1 TR", "B1"], "R1")
    assert refused(state, "TR!") == (
        'you chose "TR!", but where one card is demanded, laying TR is simply "TR". '
        "Legal: R1, TR (SPEC 12.4)"
    )


def test_a_choice_without_a_select() -> None:
    assert "but no select of yours asks for a choice" in refused(
        position(["R1", "B1"], "R1"), "to1:1"
    )


def test_something_else_than_the_choice_that_is_asked() -> None:
    state = position(["B1", "B2", "B3"], "SR")
    assert refused(state, "B1") == (
        'you chose "B1", but your select SR first asks whom you choose and how many cards. '
        "Legal: to1:1, to1:2, to1:3, to2:1, to2:2, to2:3 (SPEC 12.5)"
    )
    assert "first asks whom" in refused(state, "draw")


def test_a_choice_of_oneself_of_nobody_or_of_who_is_out() -> None:
    state = position(["B1", "", "B3"], "SR")
    assert "a select names another player, not yourself" in refused(state, "to0:1")
    assert "seat 1 is out of the game" in refused(state, "to1:1")
    assert "there is no seat 3 at this table" in refused(state, "to3:1")


def test_a_colour_for_a_one_coloured_select_and_none_for_a_four_coloured_one() -> None:
    assert "the colour of the select SR is its own, red" in refused(
        position(["B1", "B3"], "SR"), "to1:1R"
    )
    assert "the four-coloured select S* asks for a colour too" in refused(
        position(["B1", "B3"], "S*"), "to1:1"
    )


ODDITIES = [-1, -142, 142, 10**30, "draw", "51", None, 51.0, True, False, b"draw", [51], ...]


@pytest.mark.parametrize("action", ODDITIES, ids=repr)
def test_what_is_no_action_at_all_is_unknown(action: int) -> None:
    state = position(["R1 B1", "B1"], "R1")
    before = state.view(0)
    with pytest.raises(UnknownAction, match=r"numbered 0 to 141; got .*SPEC 12\.10"):
        state.apply(0, action)
    assert state.view(0) == before


@pytest.mark.parametrize("seat", [1, -1, 2, 10**30, "0", None, 0.0, False, b"", [0], ...], ids=repr)
def test_a_seat_that_owes_nothing_is_out_of_turn(seat: int) -> None:
    state = position(["R1 B1", "B1"], "R1")
    before = state.view(0)
    with pytest.raises(OutOfTurn, match="owes no decision now; it is the turn of seat 0"):
        state.apply(seat, 0)
    assert state.view(0) == before


def test_a_truth_value_is_no_seat_and_no_action() -> None:
    state = position(["B1", "R1 R2"], "R1", turn=1)
    with pytest.raises(OutOfTurn):
        state.apply(True, 0)
    with pytest.raises(UnknownAction):
        state.apply(1, False)


@pytest.mark.parametrize("seat", [0, 1, -1])
def test_nothing_can_be_played_when_the_match_is_over(seat: int) -> None:
    state = play(position(["R1", "B1"], "R1"), "R1")
    for action in (0, 51, -1):
        with pytest.raises(OutOfTurn, match="the match is over"):
            state.apply(seat, action)


def test_everything_not_legal_is_refused_all_through_a_match() -> None:
    state = NOPE.deal(3, b"refuse")
    while state.to_act():
        (seat,) = state.to_act()
        legal = state.legal(seat)
        before = state.view(seat)
        for action in range(-1, len(NOPE.actions) + 1):
            if action not in legal:
                with pytest.raises(RefusedAction):
                    state.apply(seat, action)
        assert state.view(seat) == before
        state.apply(seat, legal[-1])
