"""The values of actions by game: the one place that knows which game is measured how."""

from __future__ import annotations

from arena.games import Game
from arena.games.nope.game import Nope
from arena.games.nyet.game import TrickGame
from arena.judge.knockout import KnockoutValues
from arena.judge.lots import LotValues
from arena.judge.measure import Values
from arena.judge.tricks import TrickValues


def values_of(game: Game) -> Values:
    """Return what measures the actions of a game; one without rules here is played on by lot."""
    match game:
        case TrickGame():
            return TrickValues()
        case Nope():
            return KnockoutValues()
        case _:
            return LotValues(game)
