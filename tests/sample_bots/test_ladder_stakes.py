"""python-stakes: keeps its time, plays by the rules, and covers for what the round is about."""

from __future__ import annotations

import random

import pytest

from arena.games import GAMES, View
from tests.sample_bots.ladder import decisions, games_of, load, trick_view

BOT = load("python-stakes")
PLAYER = load("python-stakes", "player")
BOARD = load("python-stakes", "board")
NO_TIME = 0.0  # one world for each decision

# A hand of trumps and of high cards whatever the colour, and one of low cards.
STRONG = "R11 R12 R13 B11 B12 B13 Y11 Y12 Y13 G9 G10 G11 G12 G13 B10"
WEAK = "R1 R1 R2 R3 B1 B2 B3 Y1 Y2 Y3 Y4 G1 G2 G3 G4"
POINTS = ["points:1", "points:2", "points:3", "points:4", "points:-2"]


def choose(view: View, legal: list[str]) -> str:
    player = PLAYER.Player(BOT.cover, BOT.THINK_MS, BOT.FREE_PART, random.Random(1))
    chosen = player.think(view, legal, NO_TIME)
    assert isinstance(chosen, str)
    return chosen


def board(hand: str, round_number: int) -> View:
    view = trick_view("nyet", hand)
    return {**view, "round": round_number}


@pytest.mark.parametrize(
    ("think_ms", "decision_ms", "time_us", "expected_ms"),
    [
        (80, 100, 10_100_000, 80),
        (80, 50, 10_050_000, 40),
        (5, 100, 10_100_000, 5),
        (80, 100, 100_000, 10),
    ],
    ids=["as asked", "0.8 of the free time", "asked for little", "a tenth of what is left"],
)
def test_it_thinks_no_longer_than_its_clock_allows(
    think_ms: float, decision_ms: int, time_us: int, expected_ms: float
) -> None:
    player = PLAYER.Player(BOT.cover, think_ms, BOT.FREE_PART, random.Random(1))
    player.start({"clock": {"decision_ms": decision_ms}})
    assert player.budget(time_us) == pytest.approx(expected_ms / 1000)


def test_before_the_last_round_a_strong_hand_values_the_points_by_their_size() -> None:
    values = BOARD.values_of(board(STRONG, 1))["points"]
    assert sorted(values, key=values.__getitem__) == [POINTS[4], *POINTS[:4]]


def test_in_the_last_round_only_the_sign_of_the_points_matters() -> None:
    values = BOARD.values_of(board(STRONG, 8))["points"]
    assert len({values[box] for box in POINTS[:4]}) == 1
    assert values["points:-2"] == -values["points:1"] < 0


@pytest.mark.parametrize(
    ("hand", "covered"), [(STRONG, "points:-2"), (WEAK, "points:1")], ids=["strong", "weak"]
)
def test_of_the_last_round_a_strong_hand_wants_positive_points_and_a_weak_one_does_not(
    hand: str, covered: str
) -> None:
    assert BOARD.cover(board(hand, 8), POINTS) == covered


def test_a_weak_hand_covers_the_greatest_points_before_the_last_round() -> None:
    assert BOARD.cover(board(WEAK, 1), POINTS) == "points:4"


@pytest.mark.parametrize("game", games_of("python-stakes"))
def test_it_never_plays_what_is_not_legal(game: str) -> None:
    for seats in GAMES[game].seats:
        for view, legal, chosen in decisions(
            game, seats, seats, choose, GAMES[game].trials.sweep[0]
        ):
            assert chosen in legal, view
