"""A match of any game for its page: the changes of every view, and what each audience is told.

Nothing in it has to be worked out, so a page can show a game of which its script knows nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games import Game, State, View
from arena.outputs.pages.sets.changes import changes, own_part, public_part
from arena.record import Move, Record
from arena.record.transcript import with_gutter


@dataclass(frozen=True)
class Sight:
    """The views of one state."""

    public: View  # the spectator's
    seats: Sequence[View]
    own: Sequence[View]  # by seat, the fields that differ from the spectator's


class EveryView:
    """Written move by move, while a match is replayed."""

    def __init__(self, game: Game, record: Record):
        self._game = game
        self._record = record
        self._before: Sight | None = None
        self._start: Mapping[str, Any] = {}
        self._moves: list[list[Any]] = []
        self._lines: list[str] = []

    def take(self, move: Move | None, state: State) -> None:
        now = sight(state, self._record.seats)
        before = self._before
        told = self._game.narrate(None if before is None else before.public, now.public, None)
        self._lines += with_gutter(self._record, told, len(self._moves) if move else -1)
        if before is None or move is None:
            self._start = start_data(now, told)
        else:
            told_own = self._told_own(before, now, told)
            self._moves.append(move_data(move, before, now, told, told_own))
        self._before = now

    def lines(self) -> Sequence[str]:
        return self._lines

    def data(self) -> Mapping[str, Any]:
        return {"start": self._start, "moves": self._moves}

    def _told_own(self, before: Sight, now: Sight, told: Sequence[str]) -> dict[str, list[str]]:
        """By seat, its lines where they are not those of a spectator."""
        own = {
            seat: self._game.narrate(was, view, seat)
            for seat, (was, view) in enumerate(zip(before.seats, now.seats, strict=True))
        }
        return {str(seat): stripped(lines) for seat, lines in own.items() if lines != told}


def sight(state: State, seats: int) -> Sight:
    public = state.view(None)
    seen = [state.view(seat) for seat in range(seats)]
    return Sight(public, seen, [own_part(public, view) for view in seen])


def start_data(now: Sight, told: Sequence[str]) -> dict[str, Any]:
    """Return the data of the deal."""
    return {"view": public_part(now.public), "own": now.own, "told": stripped(told)}


def move_data(
    move: Move,
    before: Sight,
    now: Sight,
    told: Sequence[str],
    told_own: Mapping[str, Sequence[str]],
) -> list[Any]:
    """Return the data of one move; empty values at its end are left out."""
    own_changes = {
        str(seat): changed
        for seat, (was, is_) in enumerate(zip(before.own, now.own, strict=True))
        if (changed := changes(was, is_))
    }
    row = [
        move.seat,
        move.action,
        move.time_us,
        changes(before.public, now.public),
        own_changes,
        stripped(told),
        told_own,
    ]
    while not row[-1]:
        row.pop()
    return row


def stripped(lines: Sequence[str]) -> list[str]:
    """Return the lines without the indentation they have in a transcript."""
    return [line.strip() for line in lines]
