"""Each move of a match told to one seat as it is played: the table as that seat sees it, in words.

Only the seat's own view is read, so nothing is told that a bot in this seat could not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.games import Game, State, View
from arena.record import Move


class MovesTold:
    """Called after each move; tells it, unless nothing of it can be seen from the seat."""

    def __init__(self, game: Game, seat: int, tell: Callable[[Mapping[str, Any]], None]):
        self._game = game
        self._seat = seat
        self._tell = tell
        self._before: View | None = None

    def __repr__(self) -> str:
        return f"<MovesTold to seat {self._seat}>"

    def deal(self, state: State) -> None:
        """Tell the deal."""
        self._told(None, state)

    def __call__(self, number: int, move: Move, state: State) -> None:
        self._told(move, state)

    def _told(self, move: Move | None, state: State) -> None:
        before, now = self._before, state.view(self._seat)
        if now == before:
            return  # a choice that is secret until all have chosen
        self._before = now
        lines = [each.strip() for each in self._game.narrate(before, now, self._seat)]
        seat = None if move is None else move.seat
        self._tell({"type": "moved", "seat": seat, "view": now, "told": lines})
