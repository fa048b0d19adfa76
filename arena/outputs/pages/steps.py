"""A match made small, for a page to step through: what changed in each view, move by move.

Made by one replay, and from views alone: the spectator's, and of each seat's what differs from
it. So what a seat could not see is not in what is shown as that seat's, for any game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games import GAMES, Game, State, View
from arena.outputs.pages.changes import changes, own_part, public_part
from arena.record import Move, Record, Step, replay
from arena.record.transcript import plain, told_fault


@dataclass(frozen=True)
class Steps:
    """A match replayed."""

    data: Mapping[str, Any]  # for the page's script
    transcript: tuple[str, ...]  # as a spectator reads it, with notes and faults
    legal: tuple[tuple[str, ...], ...]  # for each fault, what its seat could have played; or ()


@dataclass(frozen=True)
class Sight:
    """What is seen of one state."""

    public: View  # by a spectator
    seats: Sequence[View]
    own: Sequence[View]  # by seat, what it sees otherwise than a spectator


@dataclass(frozen=True)
class Told:
    """What is told of one step."""

    public: Sequence[str]  # to a spectator
    own: Mapping[int, Sequence[str]]  # by seat, where it is told otherwise


def steps(record: Record) -> Steps:
    """All of it; a RecordError where the rules do not allow the match."""
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
        transcript += [told_fault(fault) for fault in record.faults if fault.move == step.number]
        transcript += told.public
        if before is None or step.move is None:
            start = start_data(now, told)
        else:
            moves.append(move_data(step.move, before, now, told))
            if step.number in notes:
                transcript.append(f"     seat {step.move.seat} notes: {notes[step.number]}")
        legal.update(asked_after(step, record))
        before = now
    transcript += [told_fault(fault) for fault in record.faults if fault.move >= len(moves)]
    legal_of_each = tuple(legal.get(number, ()) for number in range(len(record.faults)))
    data = {
        "game": record.game,
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
    """What the game tells of a step, or of the deal."""
    public = game.narrate(before.public if before else None, now.public, None)
    own = {
        seat: game.narrate(before.seats[seat] if before else None, view, seat)
        for seat, view in enumerate(now.seats)
    }
    return Told(public, {seat: lines for seat, lines in own.items() if lines != public})


def asked_after(step: Step, record: Record) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The faults that answered requests made at this step, with what was legal then."""
    for number, fault in enumerate(record.faults):
        if fault.move == step.number + 1:
            yield number, legal_for(record, step.state, fault.seat)


def legal_for(record: Record, state: State, seat: int) -> tuple[str, ...]:
    """What a seat may do now; nothing where it owes no decision."""
    if seat not in state.to_act():
        return ()
    name = GAMES[record.game].actions.name
    return tuple(map(name, state.legal(seat)))


# What the page's script reads.


def start_data(now: Sight, told: Told) -> dict[str, Any]:
    """The deal."""
    return {"view": public_part(now.public), "own": now.own, "told": stripped(told.public)}


def move_data(move: Move, before: Sight, now: Sight, told: Told) -> list[Any]:
    """One move. What is empty at the end of it is left out."""
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
    """Lines without the indentation they have in a transcript."""
    return [line.strip() for line in lines]
