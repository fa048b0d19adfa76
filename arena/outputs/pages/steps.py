"""A match made small, for a page to step through: what changed in each view, move by move.

Made by one replay, and from views alone: the spectator's, and of each seat's what differs from
it. So what a seat could not see is not in what is shown as that seat's, for any game.

A change is `{field: change}`: `[value]` a new value, `[start, count, items...]` a list in which
so many items from `start` on are replaced, `0` a field that is gone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games import GAMES, State, View
from arena.record import Record, replay
from arena.record.transcript import plain, told_fault

Changes = dict[str, Any]

# The same in every view of a match, or told by the page already.
LEFT_OUT = frozenset({"game", "seats", "seat", "options", "recent"})


@dataclass(frozen=True)
class Steps:
    """A match replayed."""

    data: Mapping[str, Any]  # for the page's script
    transcript: tuple[str, ...]  # as a spectator reads it, with notes and faults
    legal: tuple[tuple[str, ...], ...]  # for each fault, what its seat could have played; or ()


def steps(record: Record) -> Steps:
    """All of it; a RecordError where the rules do not allow the match."""
    game = GAMES[record.game]
    seats = range(record.seats)
    notes = {note.move: plain(note.text) for note in record.notes}
    legal: list[tuple[str, ...]] = [()] * len(record.faults)
    transcript: list[str] = []
    moves: list[list[Any]] = []
    start: dict[str, Any] = {}
    before: View | None = None
    seen_before: list[View | None] = [None for _ in seats]
    own_before: list[View] = []
    for step in replay(record):
        now = step.state.view(None)
        seen = [step.state.view(seat) for seat in seats]
        own = [own_part(now, view) for view in seen]
        told = game.narrate(before, now, None)
        told_own = {
            str(seat): lines
            for seat in seats
            if (lines := game.narrate(seen_before[seat], seen[seat], seat)) != told
        }
        transcript += [told_fault(fault) for fault in record.faults if fault.move == step.number]
        transcript += told
        if before is None or step.move is None:
            start = {
                "view": {field: value for field, value in now.items() if field not in LEFT_OUT},
                "own": own,
                "told": stripped(told),
            }
        else:
            row = [
                step.move.seat,
                step.move.action,
                step.move.time_us,
                changes(before, now),
                {
                    str(seat): changed
                    for seat in seats
                    if (changed := changes(own_before[seat], own[seat]))
                },
                stripped(told),
                {seat: stripped(lines) for seat, lines in told_own.items()},
            ]
            while not row[-1]:
                row.pop()
            moves.append(row)
            if step.number in notes:
                transcript.append(f"     seat {step.move.seat} notes: {notes[step.number]}")
        for number, fault in enumerate(record.faults):
            if fault.move == step.number + 1:
                legal[number] = legal_for(record, step.state, fault.seat)
        before, seen_before, own_before = now, [*seen], own
    transcript += [told_fault(fault) for fault in record.faults if fault.move >= len(moves)]
    data = {
        "game": record.game,
        "seats": record.seats,
        "names": [plain(name) for name in record.names],
        "start": start,
        "moves": moves,
        "notes": [[note.move, plain(note.text)] for note in record.notes],
        "faults": [
            [
                fault.seat,
                fault.move,
                fault.kind,
                fault.code,
                plain(fault.text),
                fault.forfeit,
                [*legal[number]],
            ]
            for number, fault in enumerate(record.faults)
        ],
    }
    return Steps(data, tuple(transcript), tuple(legal))


def legal_for(record: Record, state: State, seat: int) -> tuple[str, ...]:
    """What a seat may do now; nothing where it owes no decision."""
    if seat not in state.to_act():
        return ()
    name = GAMES[record.game].actions.name
    return tuple(map(name, state.legal(seat)))


def own_part(public: View, view: View) -> View:
    """What a seat sees otherwise than a spectator."""
    return {
        field: value
        for field, value in view.items()
        if value != public[field] and field not in LEFT_OUT
    }


def changes(before: View, now: View) -> Changes:
    """What is new from one view to the next."""
    changed: Changes = {
        field: change(before.get(field), value)
        for field, value in now.items()
        if field not in LEFT_OUT and (field not in before or before[field] != value)
    }
    for field in before:
        if field not in now:
            changed[field] = 0
    return changed


def change(before: object, now: object) -> list[Any]:
    """One field's new value, or what is new in its list."""
    if not isinstance(before, list) or not isinstance(now, list):
        return [now]
    shorter = min(len(before), len(now))
    start = 0
    while start < shorter and before[start] == now[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == now[-1 - end]:
        end += 1
    return [start, len(before) - start - end, *now[start : len(now) - end]]


def stripped(lines: Sequence[str]) -> list[str]:
    """Lines without the indentation they have in a transcript."""
    return [line.strip() for line in lines]
