"""A match in a compact form that a page steps through: the changes of each view, move by move.

One replay makes it, from views alone: the spectator's, and the differences of each seat's from
it. So a seat is never shown with cards it could not see, in any game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games import GAMES, Game, State, View
from arena.outputs.pages.changes import changes, own_part, public_part
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


@dataclass(frozen=True)
class Told:
    """The lines of text about one step."""

    public: Sequence[str]  # for a spectator
    own: Mapping[int, Sequence[str]]  # by seat, if its lines differ from the spectator's


def steps(record: Record) -> Steps:
    """Replay a match; raise RecordError if the rules do not allow it."""
    game = GAMES[record.game]
    notes = {note.move: plain(note.text) for note in record.notes}
    legal: dict[int, tuple[str, ...]] = {}
    transcript: list[str] = []
    start: Mapping[str, Any] = {}
    moves: list[list[Any]] = []
    before: Sight | None = None
    for step in replay(record):
        now = sight(step.state, record.seats)
        told = tell(game, before, now)
        faults = [told_fault(fault) for fault in record.faults if fault.move == step.number]
        lines = [*told.public]
        if before is None or step.move is None:
            start = start_data(now, told)
        else:
            moves.append(move_data(step.move, before, now, told))
            if step.number in notes:
                lines.append(f"     seat {step.move.seat} notes: {notes[step.number]}")
        transcript += [*with_gutter(record, faults), *with_gutter(record, lines, step.number)]
        legal.update(asked_after(step, record))
        before = now
    at_end = [told_fault(fault) for fault in record.faults if fault.move >= len(moves)]
    transcript += with_gutter(record, at_end)
    legal_of_each = tuple(legal.get(number, ()) for number in range(len(record.faults)))
    data = {
        "drawing": {"name": game.drawing.name, "details": dict(game.drawing.details)},
        "seats": record.seats,
        "names": [plain(name) for name in record.names],
        "start": start,
        "moves": moves,
        "notes": [[note.move, plain(note.text)] for note in record.notes],
        "faults": faults_data(record, legal_of_each),
    }
    return Steps(data, tuple(transcript), legal_of_each)


def sight(state: State, seats: int) -> Sight:
    public = state.view(None)
    seen = [state.view(seat) for seat in range(seats)]
    return Sight(public, seen, [own_part(public, view) for view in seen])


def tell(game: Game, before: Sight | None, now: Sight) -> Told:
    """Return the game's lines about a step; `before` is None for the deal."""
    public = game.narrate(before.public if before else None, now.public, None)
    own = {
        seat: game.narrate(before.seats[seat] if before else None, view, seat)
        for seat, view in enumerate(now.seats)
    }
    return Told(public, {seat: lines for seat, lines in own.items() if lines != public})


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


def start_data(now: Sight, told: Told) -> dict[str, Any]:
    """Return the data of the deal."""
    return {"view": public_part(now.public), "own": now.own, "told": stripped(told.public)}


def move_data(move: Move, before: Sight, now: Sight, told: Told) -> list[Any]:
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
        stripped(told.public),
        {str(seat): stripped(lines) for seat, lines in told.own.items()},
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
