"""A record for people to read: as a spectator, with all seats open, or as one seat saw it.

It is made from the views of its audience alone, so it cannot show hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from arena.games import GAMES, State, View
from arena.record.evidence import Evidence
from arena.record.record import FaultEntry, Record
from arena.record.replay import replay
from arena.text import plain


@dataclass(frozen=True)
class Audience:
    """The readers of a transcript: one seat, a spectator (no seat), or somebody shown all hands."""

    seat: int | None = None
    all_open: bool = False

    def sees(self, state: State) -> View:
        return state.view(self.seat)

    def hands(self, state: State, seats: int) -> dict[int, list[str]]:
        """Return the hands this audience may look at, by seat."""
        shown = range(seats) if self.all_open else () if self.seat is None else (self.seat,)
        return {seat: state.view(seat)["hand"] for seat in shown}


def transcript(
    record: Record,
    audience: Audience = Audience(),  # a frozen value
    first: int | None = None,
    last: int | None = None,
    table: Callable[[View], str] | None = None,
) -> Iterator[str]:
    """Yield the match in lines of text; of its moves only `first` to `last`, if given.

    A move has its number before it (`arena.record.decisions`). The hands that the audience may see
    are shown after each deal, and before the move `first`, there with what `table` says of the
    view, if it is given. The result is told with the last move.
    """
    names = [f"seat {seat} ({plain(name)})" for seat, name in enumerate(record.names)]
    yield f"{record.game} for {record.seats}: {', '.join(names)}"
    if record.options:
        options = (f"{name} {value}" for name, value in record.options.items())
        yield f"options: {', '.join(options)}"
    for number, lines in told_by_move(record, audience, first, table):
        if (first is None or number >= first) and (last is None or number <= last):
            yield from lines
    if last is None or last >= len(record.moves) - 1:
        yield from told_end(record)


def told_end(record: Record) -> Iterator[str]:
    """Yield what came after the last move, the forfeits, and the places, the first one first."""
    for fault in record.faults:
        if fault.move >= len(record.moves):
            yield from with_gutter(record, [told_fault(fault)])
    for seat in record.forfeits:
        yield f"seat {seat} is forfeited"
    # A match cut short by forfeits has places and no scores; a void one has neither.
    for place, seat in sorted((place, seat) for seat, place in enumerate(record.places)):
        score = f", {record.scores[seat]}" if record.scores else ""
        yield f"place {place}: seat {seat} ({plain(record.names[seat])}){score}"


def told_by_move(
    record: Record,
    audience: Audience,
    first: int | None,
    table: Callable[[View], str] | None = None,
) -> Iterator[tuple[int, list[str]]]:
    """Yield for the deal (-1) and for each move its number and its lines.

    `first`: the move whose lines begin with the table and the hands as they were before it.
    `table`: says in words what lies on the table.
    """
    game = GAMES[record.game]
    notes = {note.move: plain(note.text) for note in record.notes}
    before: View | None = None
    hands_before: list[str] = []
    for step in replay(record):
        now = audience.sees(step.state)
        faults = [told_fault(fault) for fault in record.faults if fault.move == step.number]
        told = game.narrate(before, now, audience.seat)
        if before is None or is_new_round(before, now):
            told += told_hands(audience, step.state, record.seats)
        if step.move is not None and step.number in notes:
            told.append(f"     seat {step.move.seat} notes: {notes[step.number]}")
        lines = [*with_gutter(record, faults), *with_gutter(record, told, step.number)]
        yield step.number, [*with_gutter(record, hands_before), *lines]
        hands_before = []
        if first is not None and step.number == first - 1:
            hands_before = told_hands(audience, step.state, record.seats)
            if table is not None:
                hands_before.insert(0, f"Before move {first}: {table(now)}")
        before = now


def told_hands(audience: Audience, state: State, seats: int) -> list[str]:
    return [
        f"  hand of seat {seat}: {' '.join(hand)}"
        for seat, hand in audience.hands(state, seats).items()
    ]


def with_gutter(record: Record, lines: Sequence[str], number: int = -1) -> Iterator[str]:
    """Yield lines behind a gutter, with the number of their move before the first of them.

    Lines that begin at the margin, such as that of a new round, have none. A number below 0 is
    not shown.
    """
    width = len(str(max(len(record.moves) - 1, 0)))
    told = str(number) if number >= 0 else ""
    for line in lines:
        if line.startswith(" "):
            yield f"{told:>{width}}{line}"
            told = ""
        else:
            yield line


def told_fault(fault: FaultEntry | Evidence) -> str:
    return f"     ! seat {fault.seat}: {plain(fault.text)}"


def is_new_round(before: View, now: View) -> bool:
    """Return True if a new round has begun between these views."""
    return bool(before.get("round") != now.get("round"))
