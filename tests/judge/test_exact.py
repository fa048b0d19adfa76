"""Judged values against exact ones: every world that agrees with a view, on a small deck."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from arena.games.interface import View
from arena.games.nyet.game import TrickGame
from arena.games.nyet.state import TrickState
from arena.judge.bars import Level
from arena.judge.tricks import TrickValues
from arena.judge.weighing import Question, Weighing
from tests.games.nyet.test_worlds import RULES, game_of, rounds
from tests.games.trick_worlds import World, hidden, worlds

NAME = "small"
MOST_DEALS = 10_000
WORLDS = 512
LEVEL = Level(40)


def exact(game: TrickGame, view: View, found: Counter[World], seat: int, action: int) -> float:
    """The mean value of an action over all worlds, each counted as often as it can be dealt."""
    deck = game._tables.deck
    any_world = game.imagine(view, random.Random(0))
    total = 0.0
    for world, times in found.items():
        state = any_world.copy()
        assert isinstance(state, TrickState)
        for other, (hand, _) in enumerate(world):
            state.hands[other], state.spares[other] = deck.sort_hand(deck.kinds_of(hand))
        total += times * TrickValues().value(state, seat, action, 0)
    return total / found.total()


def a_choice(name: str, seats: int, box: str, seed: int) -> tuple[Question, Counter[World]] | None:
    """The first decision of a round with a real choice and few deals; None if there is none."""
    game = game_of(name)
    deck = game.deck(seats)
    for state in rounds(name, seats, box, seed):
        seat = state.to_act()[0]
        legal = tuple(state.legal(seat))
        view = state.view(seat)
        if len(legal) > 1 and hidden(deck, view).deals() <= MOST_DEALS:
            found = worlds(RULES[name], deck, view)
            if len(found) > 1:
                return Question(seed, seat, view, legal, legal[seed % len(legal)]), found
    return None


CASES = [
    (seats, box, seed) for seats in (2, 3, 4) for box in ("1x", "1", "left1") for seed in (1, 2)
]


@cache
def solved(seats: int, box: str, seed: int) -> tuple[Question, dict[int, float]] | None:
    """A decision, and the exact value of each of its actions.

    Not every round has such a decision, so several are tried.
    """
    tried = (a_choice(NAME, seats, box, each) for each in range(seed, seed + 100, 10))
    case = next((each for each in tried if each is not None), None)
    if case is None:
        return None
    choice, found = case
    game = game_of(NAME)
    return choice, {
        code: exact(game, choice.view, found, choice.seat, code) for code in choice.legal
    }


@pytest.mark.parametrize(("seats", "box", "seed"), CASES)
def test_judged_values_agree_with_those_over_all_worlds(seats: int, box: str, seed: int) -> None:
    case = solved(seats, box, seed)
    assert case is not None, "this round has no decision with few deals left"
    choice, values = case
    game = game_of(NAME)
    weighing = Weighing(game, TrickValues(), choice, "exact")
    while weighing.worlds < WORLDS:
        weighing.add_world()
    weighing.look(LEVEL)
    assert weighing.result is not None
    for each in weighing.result.actions:
        more = values[game.actions.code(each.action)] - values[choice.played]
        assert abs(each.more - more) <= each.bar + 1e-9, (each, more)


def test_in_most_of_these_decisions_actions_differ() -> None:
    """Else the test above would show little."""
    differ = sum(case is not None and len({*case[1].values()}) > 1 for case in map(solve, CASES))
    assert differ >= len(CASES) * 2 / 3


def solve(case: tuple[int, str, int]) -> tuple[Question, dict[int, float]] | None:
    return solved(*case)
