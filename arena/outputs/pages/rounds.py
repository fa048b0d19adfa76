"""A match of a game of tricks in the form that its page steps through: by rounds.

For each round it holds what the spectator sees at its start, the hand of each seat, and then only
the moves: which seat, which action, how long. All that follows from these, each view after each
move and what is told of it, `static/rounds.js` works out. It is a fifth of the size of every view's
changes, and nothing but the first view of a round has to be made for it.

The hand and the secret choices of a seat lie in its own entry of `hands` and in its own moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.games import Game, State, View
from arena.outputs.pages.changes import changes, own_part, public_part
from arena.record import Move

DRAWING = "tricks"


class Rounds:
    """Written round by round, while a match is replayed."""

    def __init__(self, game: Game, seats: int):
        self._seats = seats
        self._rounds: list[dict[str, Any]] = []
        self._moves: list[Move] = []  # of the round being played
        self._start: View = {}  # what a spectator saw at its start
        self._now: View = {}

    def take(self, move: Move | None, public: View, told: Sequence[str], state: State) -> None:
        """Take the next state, as `steps.Script` says; what is told follows from the views."""
        if move is not None:
            self._moves.append(move)
        if not self._rounds or public["round"] != self._now["round"]:
            self._end_round()
            hands = [own_part(public, state.view(seat))["hand"] for seat in range(self._seats)]
            self._enter(public, hands=[*map(" ".join, hands)])
        self._now = public

    def data(self) -> Mapping[str, Any]:
        """Return the rounds, and after them an entry for the view at the end of the match."""
        self._end_round()
        return {"rounds": [*self._rounds, {"view": changes(self._start, self._now)}]}

    def _enter(self, public: View, **more: object) -> None:
        """Begin a round: the first view is whole, a later one has what is not as a round before."""
        shown = public_part(public)
        view = changes(self._start, shown) if self._rounds else shown
        self._rounds.append({"view": view, **more})
        self._start = shown

    def _end_round(self) -> None:
        if self._moves:
            self._rounds[-1]["moves"] = in_columns(self._moves)
            self._moves = []


def in_columns(moves: Sequence[Move]) -> list[str]:
    """Return the seats, the actions and the times in microseconds of some moves, each as a text."""
    return [
        "".join(str(move.seat) for move in moves),
        " ".join(move.action for move in moves),
        " ".join(str(move.time_us or "") for move in moves),
    ]
