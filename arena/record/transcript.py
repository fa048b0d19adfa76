"""A record for people to read: as a spectator, with all seats open, or as one seat saw it.

Told from views alone, of the audience it is for: what a seat could not see cannot slip in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.games import GAMES, State, View
from arena.record.record import FaultEntry, Record
from arena.record.replay import replay


@dataclass(frozen=True)
class Audience:
    """For whom a match is told: a seat, a spectator (no seat), or one who sees all hands."""

    seat: int | None = None
    all_open: bool = False

    def sees(self, state: State) -> View:
        return state.view(self.seat)

    def hands(self, state: State, seats: int) -> dict[int, list[str]]:
        """The hands this audience may look at, by seat."""
        shown = range(seats) if self.all_open else () if self.seat is None else (self.seat,)
        return {seat: state.view(seat)["hand"] for seat in shown}


def plain(text: str) -> str:
    """A bot's text without anything a terminal could take for more than text."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def transcript(record: Record, audience: Audience = Audience()) -> Iterator[str]:
    """The match line by line."""
    game = GAMES[record.game]
    names = [f"seat {seat} ({plain(name)})" for seat, name in enumerate(record.names)]
    options = ", ".join(f"{name} {value}" for name, value in record.options.items())
    yield f"{record.game} for {record.seats}: {', '.join(names)}"
    if options:
        yield f"options: {options}"
    faults = by_move(record.faults)
    notes = {note.move: plain(note.text) for note in record.notes}
    before: View | None = None
    for step in replay(record):
        now = audience.sees(step.state)
        if step.move is not None:
            for fault in faults.get(step.number, ()):
                yield f"     ! seat {fault.seat}: {plain(fault.text)}"
        told = game.narrate(before, now, audience.seat)
        for line in told:
            yield f"{line.replace(chr(9), '  ')}"
        if before is None or is_new_deal(before, now):
            for seat, hand in audience.hands(step.state, record.seats).items():
                yield f"  hand of seat {seat}: {' '.join(hand)}"
        if step.number in notes:
            assert step.move is not None
            yield f"     seat {step.move.seat} notes: {notes[step.number]}"
        before = now
    for fault in faults.get(len(record.moves), ()):
        yield f"     ! seat {fault.seat}: {plain(fault.text)}"
    for seat in record.forfeits:
        yield f"seat {seat} is forfeited"
    results = zip(record.names, record.places, record.scores, strict=True)
    for seat, (name, place, score) in enumerate(results):
        yield f"place {place}: seat {seat} ({plain(name)}), {score}"


def is_new_deal(before: View, now: View) -> bool:
    """A new round has been dealt between these views."""
    return bool(before.get("round") != now.get("round"))


def by_move(faults: Iterable[FaultEntry]) -> dict[int, list[FaultEntry]]:
    found: dict[int, list[FaultEntry]] = {}
    for fault in faults:
        found.setdefault(fault.move, []).append(fault)
    return found
