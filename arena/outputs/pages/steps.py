"""A match in a compact form that a page steps through: the changes of each view, move by move.

One replay makes it, from views alone: the spectator's, and the differences of each seat's from
it. So a seat is never shown with cards it could not see, in any game. A drawing that can work
views out from fewer of them has a form of its own (SCRIPTS).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from arena.games import GAMES, Game, State, View
from arena.outputs.pages.changes import changes, own_part, public_part
from arena.outputs.pages.rounds import DRAWING, Rounds
from arena.record import Move, Record
from arena.record.replay import Step, replay
from arena.record.transcript import told_fault, with_gutter
from arena.text import plain


@dataclass(frozen=True)
class Steps:
    """A replayed match, as its page needs it."""

    data: Mapping[str, Any]  # for the page's script
    transcript: tuple[str, ...]  # as a spectator reads it, with notes and faults
    legal: tuple[tuple[str, ...], ...]  # by fault, the actions its seat could have chosen; or ()


@dataclass(frozen=True)
class Sight:
    """The views of one state."""

    public: View  # the spectator's
    seats: Sequence[View]
    own: Sequence[View]  # by seat, the fields that differ from the spectator's


class Script(Protocol):
    """The data of a match for the page's script, written state by state."""

    def take(self, move: Move | None, public: View, told: Sequence[str], state: State) -> None:
        """Take the next state; `move` led to it, and none to the deal.

        `public` is its spectator's view, and `told` what a spectator is told of it.
        """

    def data(self) -> Mapping[str, Any]: ...


def steps(record: Record) -> Steps:
    """Replay a match; raise RecordError if the rules do not allow it."""
    game = GAMES[record.game]
    script = SCRIPTS.get(game.drawing.name, EveryView)(game, record.seats)
    notes = {note.move: plain(note.text) for note in record.notes}
    legal: dict[int, tuple[str, ...]] = {}
    transcript: list[str] = []
    before: View | None = None
    for step in replay(record):
        public = step.state.view(None)
        told = game.narrate(before, public, None)
        script.take(step.move, public, told, step.state)
        faults = [told_fault(fault) for fault in record.faults if fault.move == step.number]
        lines = [*told]
        if step.move is not None and step.number in notes:
            lines.append(f"     seat {step.move.seat} notes: {notes[step.number]}")
        transcript += [*with_gutter(record, faults), *with_gutter(record, lines, step.number)]
        legal.update(asked_after(step, record))
        before = public
    at_end = [told_fault(fault) for fault in record.faults if fault.move >= len(record.moves)]
    transcript += with_gutter(record, at_end)
    legal_of_each = tuple(legal.get(number, ()) for number in range(len(record.faults)))
    data = {
        "drawing": {"name": game.drawing.name, "details": dict(game.drawing.details)},
        "seats": record.seats,
        "names": [plain(name) for name in record.names],
        **script.data(),
        "notes": [[note.move, plain(note.text)] for note in record.notes],
        "faults": faults_data(record, legal_of_each),
    }
    return Steps(data, tuple(transcript), legal_of_each)


class EveryView:
    """For any game: the changes of each view, and what each audience is told, move by move."""

    def __init__(self, game: Game, seats: int):
        self._game = game
        self._seats = seats
        self._before: Sight | None = None
        self._start: Mapping[str, Any] = {}
        self._moves: list[list[Any]] = []

    def take(self, move: Move | None, public: View, told: Sequence[str], state: State) -> None:
        now = sight(state, public, self._seats)
        if self._before is None or move is None:
            self._start = start_data(now, told)
        else:
            told_own = self._told_own(self._before, now, told)
            self._moves.append(move_data(move, self._before, now, told, told_own))
        self._before = now

    def data(self) -> Mapping[str, Any]:
        return {"start": self._start, "moves": self._moves}

    def _told_own(self, before: Sight, now: Sight, told: Sequence[str]) -> dict[str, list[str]]:
        """By seat, its lines where they are not those of a spectator."""
        own = {
            seat: self._game.narrate(was, view, seat)
            for seat, (was, view) in enumerate(zip(before.seats, now.seats, strict=True))
        }
        return {str(seat): stripped(lines) for seat, lines in own.items() if lines != told}


SCRIPTS: Mapping[str, Callable[[Game, int], Script]] = {DRAWING: Rounds}
"""By drawing, what writes the data for it; any other gets every view."""


def sight(state: State, public: View, seats: int) -> Sight:
    seen = [state.view(seat) for seat in range(seats)]
    return Sight(public, seen, [own_part(public, view) for view in seen])


def asked_after(step: Step, record: Record) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the faults of requests made at this step: their numbers, and the legal actions."""
    for number, fault in enumerate(record.faults):
        if fault.move == step.number + 1:
            yield number, legal_for(record, step.state, fault.seat)


def legal_for(record: Record, state: State, seat: int) -> tuple[str, ...]:
    """Return the legal actions of a seat; () if it owes no decision."""
    if seat not in state.to_act():
        return ()
    name = GAMES[record.game].actions.name
    return tuple(map(name, state.legal(seat)))


# The data for the page's script.


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


def faults_data(record: Record, legal: Sequence[Sequence[str]]) -> list[list[Any]]:
    return [
        [
            fault.seat,
            fault.move,
            fault.kind,
            fault.code,
            plain(fault.text),
            fault.forfeit,
            [*could_play],
        ]
        for fault, could_play in zip(record.faults, legal, strict=True)
    ]


def stripped(lines: Sequence[str]) -> list[str]:
    """Return the lines without the indentation they have in a transcript."""
    return [line.strip() for line in lines]
