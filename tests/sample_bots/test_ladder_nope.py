"""python-nope: each of its ideas where the right action is plain to see."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games import GAMES
from tests.sample_bots.ladder import chooses, decisions, load

choose = chooses(load("python-nope"))


def turn(hand: str, demand: str, legal: str, **fields: Any) -> str:
    """What seat 0 of three does on a demand such as `2 RG`."""
    count, colours = demand.split()
    cards = hand.split()
    view = GAMES["nope"].deal(3, b"").view(0)
    view |= {
        "phase": "lay",
        "turn": 0,
        "hand": cards,
        "hand_sizes": [len(cards), 7, 7],
        "demand": {"count": int(count), "colours": colours},
        "choice": None,
    }
    return choose(view | fields, legal.split())


def test_it_lays_one_action_card_instead_of_three_cards() -> None:
    assert turn("R1 R2 R3 B1 X", "3 R", "R1 R2 R3 X X!") == "X!"


def test_it_parts_with_the_card_that_completes_most_sets() -> None:
    assert turn("R2 RG2 G2 GB2 GY2", "1 R", "R2 RG2") == "RG2"


def test_it_does_not_go_out_when_it_need_not() -> None:
    assert turn("R1 X", "2 R", "R1 X X!") == "X!"


def test_it_draws_rather_than_lay_an_action_card() -> None:
    assert turn("B1 B2 TR", "3 R", "TR! draw") == "draw"


def test_it_ends_a_set_with_the_card_that_costs_a_full_hand_most() -> None:
    # Against seven cards three are much to ask; the last card laid makes the demand.
    hand = "R1 RG3 B2 Y2 G1"
    assert turn(hand, "2 R", "R1 RG3") == "R1"
    assert turn("RG3 B2 Y2 G1", "2 R", "RG3", phase="set", chosen=["R1"]) == "RG3"


def test_it_asks_little_of_a_small_hand() -> None:
    assert turn("R1 RG3 B2 Y2 G1", "2 R", "R1 RG3", hand_sizes=[5, 1, 7]) == "RG3"


def test_a_select_asks_three_of_a_full_hand_and_one_of_a_small_one() -> None:
    legal = [f"to{seat}:{count}" for seat in (1, 2) for count in (1, 2, 3)]
    asked = {"discard": ["R2", "SR"], "demand": None, "phase": "choose"}
    view = GAMES["nope"].deal(3, b"").view(0) | asked
    assert choose({**view, "hand_sizes": [5, 2, 9]}, legal) == "to2:3"
    assert choose({**view, "hand_sizes": [5, 1, 1]}, legal) == "to1:1"


@pytest.mark.parametrize("seats", GAMES["nope"].seats)
def test_it_never_plays_what_is_not_legal(seats: int) -> None:
    for seed in range(5):
        for view, legal, chosen in decisions("nope", seats, seed, choose):
            assert chosen in legal, view


def test_it_copes_with_a_hand_of_half_the_deck() -> None:
    options = {"hand": [51, 51], "max_turns": 10}
    for view, legal, chosen in decisions("nope", 2, 1, choose, options):
        assert chosen in legal, view


def test_it_plays_the_same_to_the_same() -> None:
    once, again = (list(decisions("nope", 4, 1, choose)) for _ in range(2))
    assert once == again
