"""Every rule set at every table, with options that make a match short."""

from __future__ import annotations

import pytest

from arena.games import GAMES

every_cell = pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        pytest.param(game.name, seats, game.trials.short, id=f"{game.name}-{seats}")
        for game in GAMES.values()
        for seats in game.seats
    ],
)
