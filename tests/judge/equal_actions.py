"""Matches in which all actions are worth the same, by construction, and luck alone decides.

A world is a number; the value of an action in it is drawn by lot with a mean of 0.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import cast

from arena.games import GAMES, Game, State, View
from arena.judge.judging import Effort, weigh
from arena.judge.measure import Measure
from arena.judge.weighing import Question, Weighing

DECISIONS = 40
ACTIONS = 4
WORLDS = 256


def even(rng: random.Random) -> float:
    """As in many rounds: a trick more or less, often none."""
    return float(rng.choice((-2, -1, 0, 0, 0, 0, 1, 2)))


def wide(rng: random.Random) -> float:
    return rng.gauss(0, 5)


def rare(rng: random.Random) -> float:
    """One world in fifty differs, and then by much."""
    return rng.choice((-10.0, 10.0)) if rng.random() < 0.02 else 0.0


def lopsided(rng: random.Random) -> float:
    """A little is won in most worlds, and much is lost in one of eleven."""
    return -10.0 if rng.random() < 1 / 11 else 1.0


LUCK: Mapping[str, Callable[[random.Random], float]] = {
    each.__name__: each for each in (even, wide, rare, lopsided)
}


class EqualValues:
    """Values by lot, from the lots of the world and the action."""

    measure = Measure("points", 0.25, "luck", "by lot", "not at all")

    def __init__(self, luck: Callable[[random.Random], float]):
        self._luck = luck

    def value(self, world: State, seat: int, action: int, seed: int) -> float:
        # A generator seeded by a whole number costs the most of a simulated world.
        return self._luck(random.Random(seed * ACTIONS + action))


class NoCards:
    """A game with worlds that are nothing, and the names of actions of a real one."""

    actions = GAMES["nope"].actions

    def imagine(self, view: View, rng: random.Random) -> State:
        return cast(State, None)


def mistakes_found(luck: Callable[[random.Random], float], match: int) -> int:
    """Return the number of decisions of a match that are called mistakes."""
    game = cast(Game, NoCards())
    values = EqualValues(luck)
    actions = tuple(range(ACTIONS))
    weighings = [
        Weighing(game, values, Question(number, 0, {}, actions, 0), f"match {match}")
        for number in range(DECISIONS)
    ]
    comparisons = DECISIONS * (ACTIONS - 1)
    weigh(weighings, comparisons, Effort(WORLDS), lambda what, done, of: None)
    return sum(each.result is not None and each.result.verdict == "mistake" for each in weighings)
