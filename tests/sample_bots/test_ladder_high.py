"""python-high: take tricks cheaply, and chance for the rest."""

from __future__ import annotations

import pytest

from arena.games import GAMES
from tests.sample_bots.ladder import chooses, decisions, games_of, load, trick_view

choose = chooses(load("python-high"))


def asked(legal: str, trick: str, *, points: int = 2, leader: int = 0, game: str = "nyet") -> str:
    """What seat 2, in a team with seat 0, plays to this trick; yellow is trump."""
    view = trick_view(
        game,
        legal,
        seat=2,
        phase="play",
        team=[0, 2],
        trump="Y",
        supertrump="B",
        points=points,
        tricks=[trick.split()],
        leaders=[leader],
    )
    return choose(view, legal.split())


def test_it_takes_a_trick_with_the_weakest_card_that_does() -> None:
    assert asked("R5 R9 R12", "R3 R7") == "R9"


def test_it_throws_its_weakest_card_when_the_trick_cannot_be_had() -> None:
    assert asked("R5 R9", "R3 R13") == "R5"


def test_it_leaves_a_trick_to_its_teammate() -> None:
    assert asked("R5 R12", "R11 R7") == "R5"


def test_it_leads_its_strongest_card() -> None:
    assert asked("R13 Y4 G2", "", leader=2) == "Y4"
    assert asked("B1 Y4 G2", "", leader=2) == "B1"


def test_it_ruffs_with_the_lowest_trump() -> None:
    assert asked("B9 Y4 Y9", "R3 R7") == "Y4"


def test_a_supertrump_that_was_led_asks_for_trump_in_nyet() -> None:
    """SPEC 11.4: so blue does not follow, and the blue 3 is the weakest card, not the strongest."""
    assert asked("B3 R5 G7", "B1 B1") == "B3"
    assert asked("B3 R9", "B1", leader=1, points=-2) == "R9"


def test_a_supertrump_that_was_led_asks_for_its_colour_in_njet() -> None:
    assert asked("B3 R2", "B0", leader=1, game="njet") == "R2"
    assert asked("B3 R9", "B0", leader=1, points=-2, game="njet") == "B3"


def test_of_two_equal_cards_the_later_takes() -> None:
    assert asked("Y3 Y7", "Y1 Y7", game="njet") == "Y7"


def test_it_stays_below_the_trick_when_points_are_negative() -> None:
    assert asked("R5 R6 R12", "R3 R7", points=-2) == "R6"
    assert asked("R8 R12", "R3 R7", points=-2) == "R12"
    assert asked("R3 Y4 G9", "", points=-2, leader=2) == "R3"


@pytest.mark.parametrize("game", games_of("python-high"))
def test_it_never_plays_what_is_not_legal(game: str) -> None:
    for seats in GAMES[game].seats:
        for view, legal, chosen in decisions(game, seats, seats, choose):
            assert chosen in legal, view
