"""The rules of the worked example: sentence by sentence, and against its oracle."""

from __future__ import annotations

import random

import pytest

from arena.games import BadSeats, IllegalAction, OutOfTurn
from tests.games.example.match_up import CARDS, DRAW, EXAMPLE, MatchUpState
from tests.games.example.oracle import MatchUpOracle


def at(*hands: str, top: str, stock: str = "") -> MatchUpState:
    """Seat 0 is to act; a hand is card names with spaces between."""
    cards = [sorted(map(CARDS.index, hand.split())) for hand in hands]
    options = EXAMPLE.read(len(hands), {})
    drawn_from_the_end = [*map(CARDS.index, stock.split())]
    return MatchUpState(options, cards, [CARDS.index(top)], drawn_from_the_end, turn=0)


def may(state: MatchUpState) -> str:
    (seat,) = state.to_act()
    return " ".join(map(EXAMPLE.actions.name, state.legal(seat)))


def play(state: MatchUpState, *actions: str) -> MatchUpState:
    for action in actions:
        state.apply(state.to_act()[0], EXAMPLE.actions.code(action))
    return state


def test_a_card_fits_by_its_colour_or_its_number() -> None:
    assert may(at("R1 R7 B3 G4", "Y1", top="R3")) == "R1 R7 B3"


def test_a_seat_without_a_card_that_fits_draws_and_its_turn_is_over() -> None:
    state = at("B1", "Y1", top="R3", stock="G2 R5")
    assert may(state) == "draw"
    assert play(state, "draw").view(0)["hand"] == ["R5", "B1"]
    assert state.to_act() == (1,)


def test_nothing_is_drawn_from_an_empty_stock() -> None:
    assert play(at("B1", "Y1", top="R3"), "draw").view(0)["hand_sizes"] == [1, 1]


def test_the_last_card_ends_the_match_and_cards_held_cost_points() -> None:
    outcome = play(at("R1", "Y1 Y2", "B1", top="R3"), "R1").outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.places, outcome.ending) == ((0, -2, -1), (1, 3, 2), "out")


def test_the_turn_limit_ends_the_match_and_equals_share_a_place() -> None:
    state = EXAMPLE.deal(2, b"seed", {"max_turns": 1})
    state.hands = [[CARDS.index("R1"), CARDS.index("B1")]] * 2
    state.pile = [CARDS.index("G7")]
    state.stock = []
    outcome = play(state, "draw").outcome()
    assert outcome is not None
    assert (outcome.places, outcome.ending) == ((1, 1), "turns")


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        ("draw", "you hold a card that fits R3 (SPEC 10.2)"),
        ("R2", "you do not hold this card (SPEC 10.2)"),
        ("B1", "it has neither the colour nor the number of R3 (SPEC 10.2)"),
    ],
)
def test_the_rule_that_an_action_breaks_is_told(action: str, rule: str) -> None:
    state = at("R1 B1", "Y1", top="R3")
    assert state.refusal(0, EXAMPLE.actions.code(action)) == rule
    with pytest.raises(IllegalAction):
        play(state, action)
    with pytest.raises(OutOfTurn):
        state.apply(1, DRAW)


def test_it_is_played_by_two_to_four() -> None:
    with pytest.raises(BadSeats, match="is played by 2 to 4; got 5"):
        EXAMPLE.deal(5, b"seed")


@pytest.mark.parametrize("seats", EXAMPLE.seats)
@pytest.mark.parametrize("options", [{}, {"hand": 6}, {"hand": 1}, {"max_turns": 7}])
def test_game_and_oracle_agree(seats: int, options: dict[str, int]) -> None:
    rng = random.Random(f"{seats} {options}")
    endings = set()
    for number in range(40):
        seed = bytes([number])
        state = EXAMPLE.deal(seats, seed, options)
        oracle = MatchUpOracle(seats, seed, **options)
        while True:
            for seat in (*range(seats), None):
                assert oracle.sees(seat).items() <= state.view(seat).items()
            for seat in range(seats):
                legal = {EXAMPLE.actions.name(code) for code in state.legal(seat)}
                assert legal == oracle.legal(seat)
            if oracle.is_over():
                break
            action = rng.choice(sorted(oracle.legal(oracle.whose_turn)))
            state.apply(oracle.whose_turn, EXAMPLE.actions.code(action))
            oracle.apply(oracle.whose_turn, action)
        outcome = state.outcome()
        assert outcome is not None
        assert [*outcome.scores] == oracle.points()
        assert (outcome.ending == "out") == ([] in oracle.hands)
        endings.add(outcome.ending)
    assert endings >= {"turns" if "max_turns" in options else "out"}
