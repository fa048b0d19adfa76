"""What a refused action is told, and that it changes nothing (SPEC 11.3, 11.4, 11.10)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from arena.games.errors import (
    BadSeats,
    IllegalAction,
    OutOfTurn,
    RefusedAction,
    UnknownAction,
)
from arena.games.nyet.state import TrickState
from tests.games.nyet.test_rulesets import TABLES
from tests.games.trick_positions import (
    RULE_SETS,
    act,
    legal,
    play,
    rules_of,
    settle,
    table,
    trick_game,
)


def all_views(state: TrickState) -> list[dict[str, Any]]:
    return [state.view(seat) for seat in (*range(state.match.seats), None)]


def check_untouched(state: TrickState, before: TrickState) -> None:
    """It looks as before to everyone, and plays on as if nothing had been."""
    assert all_views(state) == all_views(before)
    assert state.to_act() == before.to_act()
    one, two = state.copy(), before.copy()
    rng = random.Random(1)
    for _ in range(12):
        if not one.to_act():
            break
        seat = rng.choice(one.to_act())
        assert list(one.legal(seat)) == list(two.legal(seat))
        action = rng.choice(one.legal(seat))
        one.apply(seat, action)
        two.apply(seat, action)
    assert all_views(one) == all_views(two)


def refused(state: TrickState, seat: Any, action: Any) -> RefusedAction:
    """Not played, and nothing is changed by the attempt."""
    before = state.copy()
    with pytest.raises(RefusedAction) as error:
        state.apply(seat, action)
    check_untouched(state, before)
    assert f"(SPEC {error.value.where})" in str(error.value)
    return error.value


def illegal(state: TrickState, name: str, seat: int | None = None) -> str:
    """The words for this action of the seat to act."""
    seat = state.to_act()[0] if seat is None else seat
    error = refused(state, seat, state.match.tables.actions.code(name))
    assert type(error) is IllegalAction
    assert error.came == name
    assert list(error.allowed) == legal(state, seat)
    assert f"Legal: {', '.join(legal(state, seat))} (SPEC" in str(error)
    return str(error)


def rule(state: TrickState, seat: int, name: str) -> str | None:
    return state.refusal(seat, state.match.tables.actions.code(name))


def test_the_rule_is_told_as_a_clause_to_the_seat() -> None:
    state = at_tricks("nyet", "R5 R6", "R9 G2", "Y2 Y3")
    assert rule(state, 1, "G2") == "red was led and you hold R9 (SPEC 11.4)"
    assert rule(state, 1, "R2") == "you do not hold this card (SPEC 11.4)"
    assert rule(state, 1, "R9") is None
    assert rule(state, 2, "Y2") == "you owe no decision now (SPEC 5.1)"


def test_a_seat_that_has_given_its_cards_is_not_told_who_still_chooses() -> None:
    state = table("njet", ["R1 R2", "R3 R4"], discard="1")
    act(state, 0, "R1")
    assert rule(state, 0, "R2") == "you owe no decision now (SPEC 5.1)"
    assert rule(state, 1, "R1") == "you do not hold this card (SPEC 11.3.4)"


# ---- tokens ---------------------------------------------------------------------------------


def at_tokens(*covered: str) -> TrickState:
    state = trick_game("nyet").deal(3, b"refused", {"dealer": 0})
    play(state, *covered)
    return state


def test_a_box_that_is_covered() -> None:
    assert illegal(at_tokens("trump:R"), "trump:R") == (
        "you chose 'trump:R', but this box is covered already; cover an open box of a row that "
        "has two or more. Legal: first:0, first:1, first:2, discard:1, discard:2, discard:1x, "
        "discard:left1, discard:0, trump:B, trump:Y, trump:G, supertrump:R, supertrump:B, "
        "supertrump:Y, supertrump:G, supertrump:-, points:1, points:2, points:3, points:4, "
        "points:-2 (SPEC 11.3.2)"
    )


def test_the_last_box_of_a_row() -> None:
    text = illegal(at_tokens("trump:R", "trump:B", "trump:Y"), "trump:G")
    assert text.startswith(
        "you chose 'trump:G', but this is the last open box of row 'trump', which is settled; "
        "cover an open box of a row that has two or more. Legal: first:0, "
    )


def test_a_box_of_a_seat_that_is_not_at_the_table() -> None:
    text = illegal(at_tokens(), "first:4")
    assert text.startswith(
        "you chose 'first:4', but nobody has this seat at a table of 3; "
        "cover an open box of a row that has two or more. Legal: first:0, "
    )


def test_a_card_or_a_team_while_tokens_are_placed() -> None:
    for name in ("R7", "team:0"):
        assert illegal(at_tokens(), name).startswith(
            f"you chose '{name}', but the tokens are being placed; cover an open box of a row "
            "that has two or more. Legal: first:0, "
        )


# ---- teams ----------------------------------------------------------------------------------


def test_a_team_that_is_not_ones_own() -> None:
    state = at_tokens()
    settle(state, first=1)
    assert illegal(state, "team:02") == (
        "you chose 'team:02', but this is no team of seat 1 at a table of 3; choose a team of "
        "yours. Legal: team:1, team:01, team:12 (SPEC 11.3.3)"
    )


def test_a_card_or_a_box_while_the_team_is_chosen() -> None:
    state = at_tokens()
    settle(state, first=1)
    for name in ("R7", "trump:G"):
        assert illegal(state, name) == (
            f"you chose '{name}', but the teams are being chosen; choose a team of yours. "
            "Legal: team:1, team:01, team:12 (SPEC 11.3.3)"
        )


# ---- discards -------------------------------------------------------------------------------


def at_discards(name: str, hand: str, discard: str) -> TrickState:
    hands = [hand, "B2 B3 B4 B5", "Y2 Y3 Y4 Y5"]
    return table(name, hands, discard=discard, team=(0,), bonus=0)


def test_a_low_card_while_others_are_held() -> None:
    assert illegal(at_discards("nyet", "R1 R2 R3 B1", "1x"), "R1") == (
        "you chose 'R1', but low cards may not be discarded while you hold others [D5]; choose a "
        "card of your hand to give away. Legal: R2, R3 (SPEC 11.3.4)"
    )
    assert illegal(at_discards("njet", "R0 K0 R3 B0", "2x"), "R0") == (
        "you chose 'R0', but low cards may not be discarded while you hold others [D5]; choose a "
        "card of your hand to give away. Legal: R3 (SPEC 11.3.4)"
    )


@pytest.mark.parametrize(("name", "discard"), [("nyet", "2"), ("njet", "2x"), ("njet", "right2")])
def test_a_card_that_cannot_be_given_away_because_it_is_not_held(name: str, discard: str) -> None:
    state = at_discards(name, "R2 R3 R5 R6", discard)
    assert illegal(state, "B2") == (
        "you chose 'B2', but you do not hold this card; choose a card of your hand to give away. "
        "Legal: R2, R3, R5, R6 (SPEC 11.3.4)"
    )
    play(state, "R3")
    assert "Legal: R2, R5, R6 (SPEC 11.3.4)" in illegal(state, "R3")


def test_a_box_or_a_team_when_a_card_is_to_be_given_away() -> None:
    for name in ("trump:R", "team:0"):
        assert illegal(at_discards("nyet", "R2 R3 R5 R6", "1"), name) == (
            f"you chose '{name}', but a card is asked for; choose a card of your hand to give "
            "away. Legal: R2, R3, R5, R6 (SPEC 11.3.4)"
        )


# ---- tricks ---------------------------------------------------------------------------------


def at_tricks(name: str, *hands: str, trump: str = "Y", supertrump: str = "B") -> TrickState:
    state = table(name, hands, trump=trump, supertrump=supertrump, team=(0,), bonus=0)
    play(state, hands[0].split()[0])
    return state


def test_a_card_that_does_not_follow() -> None:
    assert illegal(at_tricks("nyet", "R5 R6", "R9 G2", "Y2 Y3"), "G2") == (
        "you chose 'G2', but red was led and you hold R9; play a card of your hand. "
        "Legal: R9 (SPEC 11.4)"
    )


def test_a_card_that_does_not_follow_trump() -> None:
    """In nyet the supertrump must answer."""
    assert illegal(at_tricks("nyet", "Y5 R6", "R9 B1 Y2", "Y3 Y4"), "R9") == (
        "you chose 'R9', but trump (yellow) was led and you hold B1, Y2; play a card of your "
        "hand. Legal: B1, Y2 (SPEC 11.4)"
    )


def test_a_supertrump_that_in_nyet_does_not_follow_its_printed_colour() -> None:
    assert illegal(at_tricks("nyet", "B5 R6", "B1 B9", "Y3 Y4"), "B1").startswith(
        "you chose 'B1', but blue was led and you hold B9; "
    )


def test_a_trump_that_in_njet_does_not_follow_a_supertrump() -> None:
    """Its printed colour is asked for."""
    state = at_tricks("njet", "B0 R6", "B5 Y2", "Y3 Y4", trump="Y", supertrump="B")
    assert illegal(state, "Y2") == (
        "you chose 'Y2', but blue was led and you hold B5; play a card of your hand. "
        "Legal: B5 (SPEC 11.4)"
    )


def test_a_card_that_is_not_held() -> None:
    state = at_tricks("nyet", "R5 R6", "R9 G2", "Y2 Y3")
    assert illegal(state, "R10") == (
        "you chose 'R10', but you do not hold this card; play a card of your hand. "
        "Legal: R9 (SPEC 11.4)"
    )
    play(state, "R9", "Y2")
    assert "you do not hold this card" in illegal(state, "R9")


def test_a_box_or_a_team_when_a_card_is_to_be_played() -> None:
    state = at_tricks("nyet", "R5 R6", "R9 G2", "Y2 Y3")
    for name in ("points:1", "team:0"):
        assert illegal(state, name) == (
            f"you chose '{name}', but a card is asked for; play a card of your hand. "
            "Legal: R9 (SPEC 11.4)"
        )


# ---- out of turn ----------------------------------------------------------------------------


def test_a_seat_that_owes_no_decision_is_told_who_does() -> None:
    state = at_tokens()
    error = refused(state, 1, state.legal(0)[0])
    assert type(error) is OutOfTurn
    assert str(error) == "seat 1 owes no decision now; to act: 0 (SPEC 5.1)"
    assert error.came == 1
    assert error.allowed == (0,)


def test_a_seat_that_has_given_its_cards_is_told_who_has_not() -> None:
    state = at_discards("nyet", "R2 R3 R5 R6", "1")
    play(state, "R2")
    code = state.match.tables.actions.code("R3")
    assert str(refused(state, 0, code)) == ("seat 0 owes no decision now; to act: 1, 2 (SPEC 5.1)")


def test_after_the_match_nobody_owes_a_decision() -> None:
    state = trick_game("njet").deal(2, b"over", {"rounds": 1})
    trick_game("njet").playout(state, random.Random(1))
    for seat in (0, 1):
        error = refused(state, seat, 0)
        assert type(error) is OutOfTurn
        assert str(error) == (
            f"seat {seat} owes no decision now; to act: nobody, the match is over (SPEC 5.1)"
        )


# ---- what is no seat and no action at all ---------------------------------------------------

NO_SEATS: list[Any] = [None, "R7", "0", 3.5, -1, 5, 10**9, b"R7", (), [0], {}, float("nan")]
NO_ACTIONS: list[Any] = [None, "R7", 3.5, -1, 255, 256, 10**9, b"R7", (), [1], {}, float("nan")]


def in_every_phase(name: str, seats: int) -> list[TrickState]:
    """A state of each kind, cards in play among them, and one of a match that is over."""
    game = trick_game(name)
    discard = max(rules_of(name).discards, key=lambda box: (box.cards, box.passes != 0)).name
    state = game.deal(seats, b"phases", {"dealer": 0, "rounds": 1})
    states = [state.copy()]
    settle(state, first=1, discard=discard)
    rng = random.Random(1)
    states.append(state.copy())
    while state.to_act():
        seat = rng.choice(state.to_act())
        state.apply(seat, rng.choice(state.legal(seat)))
        if rng.random() < 0.3:
            states.append(state.copy())
    return [*states, state]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_is_no_seat_owes_no_decision(name: str, seats: int) -> None:
    for state in in_every_phase(name, seats):
        for seat in NO_SEATS:
            assert type(refused(state, seat, 0)) is OutOfTurn


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_is_no_action_is_unknown(name: str, seats: int) -> None:
    for state in in_every_phase(name, seats):
        if not state.to_act():
            continue
        for action in [*NO_ACTIONS, len(trick_game(name).actions)]:
            assert type(refused(state, state.to_act()[0], action)) is UnknownAction


def test_a_number_of_no_action_is_told_the_numbers() -> None:
    assert str(refused(at_tokens(), 0, 125)) == (
        "actions are numbered 0 to 124; got 125 (SPEC 11.10)"
    )
    assert str(refused(at_tokens(), 0, "R7")) == (
        "actions are numbered 0 to 124; got 'R7' (SPEC 11.10)"
    )


@pytest.mark.parametrize("truth", [True, False])
def test_a_truth_value_is_no_action(truth: bool) -> None:
    """R1 and R2 have the numbers 0 and 1, which Python takes for False and True."""
    hands = ["R1 R2 R3", "B2 B3 B4", "Y2 Y3 Y4"]
    for state in (
        table("nyet", hands),
        table("nyet", hands, discard="1", team=(0,), bonus=0),
        table("nyet", hands, team=(0,), bonus=0),
        table("nyet", [*hands[1:], hands[0]], first=2, team=(2,), bonus=2),
    ):
        assert type(refused(state, state.to_act()[-1], truth)) is UnknownAction


@pytest.mark.parametrize("phase", ["tokens", "team", "discard", "play"])
@pytest.mark.parametrize("seat", [True, 1.0], ids=str)
def test_a_seat_is_a_whole_number_and_nothing_that_equals_one(seat: Any, phase: str) -> None:
    hands = ["B2 B3", "R2 R3", "Y2 Y3"]
    if phase == "tokens":
        state = trick_game("nyet").deal(3, b"seat", {"dealer": 1})
    elif phase == "team":
        state = table("nyet", hands, first=1)
    else:
        discard = "1" if phase == "discard" else "0"
        state = table("nyet", hands, first=1, discard=discard, team=(1,), bonus=1)
    assert state.view(None)["phase"] == phase
    assert type(refused(state, seat, state.legal(1)[0])) is OutOfTurn


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_no_view_is_given_to_who_does_not_sit_at_the_table(name: str, seats: int) -> None:
    state = trick_game(name).deal(seats, b"views")
    for seat in ("0", 1.0, True, -1, seats, 10**9, b"0"):
        with pytest.raises(BadSeats) as error:
            state.view(seat)  # type: ignore[arg-type]  # on purpose
        assert str(error.value) == (
            f"seats at this table are numbered 0 to {seats - 1}, and None is a spectator; "
            f"got {seat!r} (SPEC 11.11)"
        )


def test_who_owes_nothing_may_do_nothing() -> None:
    state = at_tokens()
    for seat in (1, 2, 3, -1):
        assert list(state.legal(seat)) == []


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_action_is_either_legal_or_refused_and_then_changes_nothing(
    name: str, seats: int
) -> None:
    """All actions of all seats, in every phase."""
    for state in in_every_phase(name, seats):
        before = state.copy()
        for seat in range(seats):
            allowed = set(state.legal(seat))
            for action in range(len(trick_game(name).actions)):
                if action in allowed:
                    continue
                with pytest.raises((OutOfTurn, IllegalAction)):
                    state.apply(seat, action)
        check_untouched(state, before)


@pytest.mark.parametrize("name", RULE_SETS)
def test_actions_are_named_both_ways(name: str) -> None:
    actions = trick_game(name).actions
    for code, text in enumerate(actions.names):
        assert actions.name(code) == text
        assert actions.code(text) == code
        assert text in actions
    assert len(set(actions.names)) == len(actions)
    with pytest.raises(UnknownAction, match="Did you mean 'trump:R'"):
        actions.code("trump;R")
    with pytest.raises(UnknownAction):
        actions.name(len(actions))


def test_a_seat_plays_only_what_it_holds_itself() -> None:
    state = table("nyet", ["R2 R3", "B2 B3", "Y2 Y3"], team=(0,), bonus=0)
    with pytest.raises(IllegalAction):
        act(state, 0, "B2")
