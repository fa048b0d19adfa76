"""What a round is worth (SPEC 11.6, and its variants in 11.7)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from arena.games.nyet.state import TrickState
from tests.games.nyet.test_rulesets import NJET
from tests.games.trick_positions import (
    play,
    table,
)


def scored(state: TrickState) -> list[int]:
    """By seat, the points of the round just finished."""
    scores: list[int] = state.view(None)["previous"]["scored"]
    return scores


def variants(scoring: str, bonus: str) -> dict[str, object]:
    return {"scoring": scoring, "bonus": bonus}


# ---- a whole round with five players: the example of 003 ------------------------------------

# Twelve tricks without trump, each from its leader on. Seats 0, 1 and 2 take 7 tricks and
# loot K0, K0, B0; seat 3 takes 3; seat 4, with the bonus card, 2 and loots B0.
LEADERS = [0] * 8 + [3] * 3 + [4]
TRICKS = [
    "R9 R0 R1 K0 B0",
    "R8 R0 R0 K0 B2",
    "R7 K0 B0 K5 B3",
    "R7 Y0 Y6 K6 B4",
    "R7 Y0 Y7 K7 B5",
    "R7 Y0 Y7 K7 B6",
    "R6 Y1 Y7 K7 B7",
    "K1 K2 K3 K9 B7",
    "K8 B7 R5 Y2 Y7",
    "K7 B7 R4 Y3 Y8",
    "B1 B9 R3 Y4 B0",
    "B8 R2 Y5 Y9 K4",
]


def the_example(points: int, options: Mapping[str, object] = {}) -> TrickState:
    """The round as 003 tells it, all sixty cards of it."""
    hands: list[list[str]] = [[], [], [], [], []]
    for leader, trick in zip(LEADERS, TRICKS, strict=True):
        for place, card in enumerate(trick.split()):
            hands[(leader + place) % 5].append(card)
    assert Counter(itertools.chain(*hands)) == NJET
    state = table(
        "njet",
        [" ".join(hand) for hand in hands],
        trump="-",
        points=points,
        team=(0, 1, 2),
        bonus=4,
        options=options,
    )
    for leader, trick in zip(LEADERS, TRICKS, strict=True):
        assert state.to_act() == (leader,)
        play(state, *trick.split())
    previous = state.view(None)["previous"]
    assert previous["tricks_won"] == [7, 0, 0, 3, 2]
    assert previous["loot"] == [3, 0, 0, 0, 1]
    return state


def test_the_example_of_003_in_full() -> None:
    """(7 + 3) x 2 = 20 each; 3 x 2 + (2 + 1) x 2 x 2 = 18 each (D6)."""
    assert scored(the_example(2)) == [20, 20, 20, 18, 18]


def test_the_example_of_003_with_the_difference() -> None:
    """20 - 18 = 2 to each of the three, nothing to the two."""
    assert scored(the_example(2, variants("difference", "take"))) == [2, 2, 2, 0, 0]


def test_the_bonus_card_may_double_its_holders_score_instead() -> None:
    """The team of two has (3 + 3) x 2 = 12; its holder alone 24 (D6)."""
    assert scored(the_example(2, variants("full", "score"))) == [20, 20, 20, 12, 24]


def test_with_bonus_on_the_score_the_undoubled_team_scores_are_compared() -> None:
    """20 - 12 = 8; the holder's team lost, and gets nothing to double."""
    assert scored(the_example(2, variants("difference", "score"))) == [8, 8, 8, 0, 0]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (1, [10, 10, 10, 9, 9]),
        (3, [30, 30, 30, 27, 27]),
        (4, [40, 40, 40, 36, 36]),
        (-2, [-20, -20, -20, -18, -18]),
    ],
)
def test_the_take_is_multiplied_by_row_five(points: int, expected: list[int]) -> None:
    """With -2 all of it is negative, the doubling too."""
    assert scored(the_example(points)) == expected


def test_minus_points_are_doubled_with_bonus_on_the_score() -> None:
    """(3 + 3) x -2 = -12, and its double."""
    assert scored(the_example(-2, variants("full", "score"))) == [-20, -20, -20, -12, -24]


def test_of_minus_points_the_team_that_lost_less_gains_the_difference() -> None:
    """-18 against -20."""
    assert scored(the_example(-2, variants("difference", "take"))) == [0, 0, 0, 2, 2]


def test_of_minus_points_the_holders_share_of_the_difference_is_doubled() -> None:
    """-12 against -20 is 8; the holder's share doubles afterwards."""
    assert scored(the_example(-2, variants("difference", "score"))) == [0, 0, 0, 8, 16]


# ---- two, three and four players ------------------------------------------------------------


def test_loot_counts_like_a_trick() -> None:
    """One trick with two pieces of loot: a take of 3."""
    state = table("nyet", ["R9", "R1", "R2", "R1"], trump="B", points=4, team=(0, 2))
    play(state, "R9", "R1", "R2", "R1")
    assert scored(state) == [12, 0, 12, 0]


def test_card_values_do_not_matter_for_the_score() -> None:
    for high, low in (("R13", "R12"), ("R3", "R2")):
        state = table("nyet", [high, low], trump="B", points=3)
        play(state, high, low)
        assert scored(state) == [3, 0]


@pytest.mark.parametrize("name", ["nyet", "njet", "njet-it"])
def test_each_of_a_pair_scores_what_both_took(name: str) -> None:
    """In njet-it, too, each of the pair scores the pair's result (D9)."""
    hands = ["R9 B2 G2", "R2 B9 R3", "R4 B3 G3", "R5 B4 R6"]
    hands = [hand.replace("G", "K") for hand in hands] if name == "njet" else hands
    third = "K" if name == "njet" else "G"
    state = table(name, hands, trump="B", points=3, team=(0, 1))
    play(state, "R9", "R2", "R4", "R5")  # to seat 0
    play(state, "B2", "B9", "B3", "B4")  # to seat 1
    play(state, "R3", f"{third}3", "R6", f"{third}2")  # to seat 3
    assert state.view(None)["previous"]["tricks_won"] == [1, 1, 0, 1]
    assert scored(state) == [6, 6, 3, 3]


@pytest.mark.parametrize("scoring", ["full", "difference"])
@pytest.mark.parametrize("bonus", ["take", "score"])
def test_without_a_bonus_card_nothing_is_doubled(scoring: str, bonus: str) -> None:
    """With two and with four players."""
    options = variants(scoring, bonus)
    duel = table("nyet", ["R9 R3", "R2 R4"], trump="B", points=2, options=options)
    play(duel, "R9", "R2", "R3", "R4")
    assert scored(duel) == ([2, 2] if scoring == "full" else [0, 0])
    hands = ["R9 R8", "R2 R3", "R4 R5", "R6 R7"]
    pairs = table("njet-it", hands, trump="B", points=2, team=(0, 2), options=options)
    play(pairs, "R9", "R2", "R4", "R6", "R8", "R3", "R5", "R7")
    assert scored(pairs) == [4, 0, 4, 0]


def lone(points: int, scoring: str, bonus: str, team: Sequence[int]) -> TrickState:
    """Seat 1, alone, takes one trick; the others two. Either side may have had the choice."""
    state = table(
        "nyet",
        ["R9 B2 R8", "R2 B9 R4", "R3 B3 R6"],
        first=team[0],
        trump="Y",
        points=points,
        team=team,
        bonus=1,
        options=variants(scoring, bonus),
    )
    if team[0] == 0:
        play(state, "R9", "R2", "R3", "B2", "B9", "B3", "R4", "R6", "R8")
    else:
        play(state, "B9", "B3", "B2", "R4", "R6", "R9", "R8", "R2", "R3")
    assert state.view(None)["previous"]["tricks_won"] == [2, 1, 0]
    return state


@pytest.mark.parametrize("team", [(1,), (0, 2)])
@pytest.mark.parametrize(
    ("points", "scoring", "bonus", "expected"),
    [
        # The pair takes 2, the lone player 1, doubled.
        (3, "full", "take", [6, 6, 6]),
        (3, "full", "score", [6, 6, 6]),
        (-2, "full", "take", [-4, -4, -4]),
        (-2, "full", "score", [-4, -4, -4]),
        # Doubled, both are equal: nothing for anyone.
        (3, "difference", "take", [0, 0, 0]),
        (-2, "difference", "take", [0, 0, 0]),
        # Undoubled, 6 against 3: the difference goes to the pair.
        (3, "difference", "score", [3, 0, 3]),
        # Undoubled, -4 against -2: the lone player gains 2, doubled.
        (-2, "difference", "score", [0, 4, 0]),
    ],
)
def test_the_lone_player_of_three_holds_the_bonus_card_whoever_was_first(
    team: Sequence[int], points: int, scoring: str, bonus: str, expected: list[int]
) -> None:
    assert scored(lone(points, scoring, bonus, team)) == expected


@pytest.mark.parametrize(
    ("points", "bonus", "expected"),
    [
        # 2 tricks and 1 loot, doubled, against 0.
        (2, "take", [12, 0, 0]),
        (2, "score", [12, 0, 0]),
        # All lost by the lone player: 0 is higher than -12, or than -6.
        (-2, "take", [0, 12, 12]),
        (-2, "score", [0, 6, 6]),
    ],
)
def test_the_difference_when_the_lone_player_takes_all(
    points: int, bonus: str, expected: list[int]
) -> None:
    state = table(
        "njet",
        ["R9 R8", "R2 R0", "R3 R4"],
        trump="Y",
        points=points,
        team=(0,),
        bonus=0,
        options=variants("difference", bonus),
    )
    play(state, "R9", "R2", "R3", "R8", "R0", "R4")
    assert scored(state) == expected


@pytest.mark.parametrize("bonus", ["take", "score"])
def test_equal_scores_make_no_difference(bonus: str) -> None:
    hands = ["R9 B2", "R2 B3", "R3 B4", "R4 B9"]
    state = table(
        "nyet", hands, trump="Y", points=-2, team=(0, 1), options=variants("difference", bonus)
    )
    play(state, "R9", "R2", "R3", "R4", "B2", "B3", "B4", "B9")
    assert state.view(None)["previous"]["tricks_won"] == [1, 0, 0, 1]
    assert scored(state) == [0, 0, 0, 0]


def test_the_doubling_is_of_the_holders_own_take_not_of_the_partners() -> None:
    """D6: the partner takes all, so that the card is worth nothing."""
    hands = ["R9 R8", "R2 R3", "R4 R5", "R6 R7", "B2 B3"]
    state = table("njet", hands, trump="Y", points=3, team=(0, 1), bonus=1)
    play(state, "R9", "R2", "R4", "R6", "B2", "R8", "R3", "R5", "R7", "B3")
    assert scored(state) == [6, 6, 0, 0, 0]
    state = table("njet", hands, trump="Y", points=3, team=(0, 1), bonus=0)
    play(state, "R9", "R2", "R4", "R6", "B2", "R8", "R3", "R5", "R7", "B3")
    assert scored(state) == [12, 12, 0, 0, 0]


def test_bonus_on_the_score_doubles_the_holder_whoever_took_the_tricks() -> None:
    hands = ["R9 R8", "R2 R3", "R4 R5", "R6 R7", "B2 B3"]
    state = table(
        "nyet",
        hands,
        trump="Y",
        points=3,
        team=(0, 1),
        bonus=1,
        options=variants("full", "score"),
    )
    play(state, "R9", "R2", "R4", "R6", "B2", "R8", "R3", "R5", "R7", "B3")
    assert scored(state) == [6, 12, 0, 0, 0]


def test_loot_of_the_holder_is_doubled_too() -> None:
    """One trick and one piece of loot, doubled: (1 + 1) x 2 x 1."""
    state = table("nyet", ["R9", "R1", "R2"], trump="Y", points=1, team=(0,), bonus=0)
    play(state, "R9", "R1", "R2")
    assert scored(state) == [4, 0, 0]
