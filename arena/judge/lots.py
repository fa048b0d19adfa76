"""The value of an action in any game that has no rules of its own here: played on by lot."""

from __future__ import annotations

import random

from arena.games import Game, State
from arena.judge.knockout import behind
from arena.judge.measure import Measure

MEASURE = Measure(
    unit="places",
    negligible=0.05,
    meaning=(
        "the number of players that finish behind the seat at the end of the match, a tie counting"
        " half; more is better"
    ),
    policy="the match is played to its end by lot",
    trust="Nobody plays to win in it: take it for a hint.",
)


class LotValues:
    """See `arena.judge.measure.Values`."""

    measure = MEASURE

    def __init__(self, game: Game):
        self._game = game

    def value(self, world: State, seat: int, action: int, seed: int) -> float:
        state = world.copy()
        state.apply(seat, action)
        self._game.playout(state, random.Random(seed))
        outcome = state.outcome()
        assert outcome is not None
        return behind(outcome.places, seat)
