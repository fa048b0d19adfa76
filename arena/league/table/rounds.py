"""The rounds of a league's matches; points are shown by round if their number is fixed."""

from __future__ import annotations

from arena.games import GAMES
from arena.league.model.settings import Settings


def rounds_of(settings: Settings) -> int | None:
    """Return the number of rounds of every match; None if the game has none, or it varies."""
    return GAMES[settings.game].rounds(settings.seats, settings.options)
