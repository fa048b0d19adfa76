"""A record for people to read: as a spectator, with all seats open, or as one seat saw it.

Told from views alone, of the audience it is for: what a seat could not see cannot slip in.
"""

from __future__ import annotations

from collections.abc import Iterator
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


def transcript(
    record: Record,
    audience: Audience = Audience(),  # a frozen value
    first: int | None = None,
    last: int | None = None,
) -> Iterator[str]:
    """The match line by line; of its moves only those from `first` to `last`, if given."""
    names = [f"seat {seat} ({plain(name)})" for seat, name in enumerate(record.names)]
    yield f"{record.game} for {record.seats}: {', '.join(names)}"
    if record.options:
        options = (f"{name} {value}" for name, value in record.options.items())
        yield f"options: {', '.join(options)}"
    for number, lines in told_by_move(record, audience):
        if (first is None or number >= first) and (last is None or number <= last):
            yield from lines
    for fault in record.faults:
        if fault.move >= len(record.moves):
            yield told_fault(fault)
    for seat in record.forfeits:
        yield f"seat {seat} is forfeited"
    # A match cut short by forfeits has places and no scores; a void one has neither.
    for seat, place in enumerate(record.places):
        score = f", {record.scores[seat]}" if record.scores else ""
        yield f"place {place}: seat {seat} ({plain(record.names[seat])}){score}"


def told_by_move(record: Record, audience: Audience) -> Iterator[tuple[int, list[str]]]:
    """For the deal (-1) and each move what is told of it."""
    game = GAMES[record.game]
    notes = {note.move: plain(note.text) for note in record.notes}
    before: View | None = None
    for step in replay(record):
        now = audience.sees(step.state)
        lines = [told_fault(fault) for fault in record.faults if fault.move == step.number]
        lines += game.narrate(before, now, audience.seat)
        if before is None or is_new_deal(before, now):
            for seat, hand in audience.hands(step.state, record.seats).items():
                lines.append(f"  hand of seat {seat}: {' '.join(hand)}")
        if step.move is not None and step.number in notes:
            lines.append(f"     seat {step.move.seat} notes: {notes[step.number]}")
        yield step.number, lines
        before = now


def told_fault(fault: FaultEntry) -> str:
    return f"     ! seat {fault.seat}: {plain(fault.text)}"


def is_new_deal(before: View, now: View) -> bool:
    """A new round has been dealt between these views."""
    return bool(before.get("round") != now.get("round"))
