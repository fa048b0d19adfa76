"""A judgement in words: the mistakes, the worst first, and how far to trust them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arena.judge.bars import CHANCE_OF_A_MISS
from arena.judge.judgement import Decided, Judgement
from arena.record import Record
from arena.text import plain

MOST_SHOWN = 20
"""More mistakes are only counted, unless all are asked for."""


def told_judgement(
    record: Record,
    judgement: Judgement,
    seat: int | None,
    situations: Mapping[int, str],
    shown: int | None,
) -> Iterator[str]:
    """Yield the lines. `seat`: the reader's own, or None; `situations`: by move;
    `shown`: how many mistakes at most, None for all."""
    measure = judgement.measure
    yield from told_kind(record, judgement)
    yield ""
    mistakes = judgement.mistakes
    if not mistakes:
        yield "no mistake was found: no legal action was worth more than the one played by its bar"
    for each in mistakes[:shown]:
        yield told_mistake(record, each, seat, measure.unit)
        yield f"    {situations[each.number]}"
    if len(mistakes) > len(mistakes[:shown]):
        yield f"... and {len(mistakes) - len(mistakes[:shown])} smaller ones: --all shows them"
    yield ""
    yield from told_counts(record, judgement)
    yield ""
    yield f"How far to trust it: {measure.trust}"
    if any(count.undecided or count.unlooked for count in judgement.seats.values()):
        yield (
            "An undecided decision may be a mistake: its bars are still too wide. More time"
            " (--seconds) makes them narrower."
        )


def told_kind(record: Record, judgement: Judgement) -> Iterator[str]:
    """Yield the kind of a judgement: an estimate, its unit, and the scope of its bars."""
    measure = judgement.measure
    names = ", ".join(f"seat {seat} ({plain(name)})" for seat, name in enumerate(record.names))
    yield f"{record.game} for {record.seats}: {names}"
    yield (
        f"This is an estimate: {judgement.worlds:,} worlds that agree with what a seat saw, played"
        " on by rules of ours."
    )
    yield f"  the value of an action: {measure.meaning}"
    yield f"  how a world goes on: {measure.policy}"
    yield (
        f"  ±: holds for all {judgement.comparisons:,} comparisons at once, with"
        f" {1 - CHANCE_OF_A_MISS:.0%}; a difference inside its bar is no mistake"
    )


def told_mistake(record: Record, mistake: Decided, seat: int | None, unit: str) -> str:
    better = mistake.better
    if seat is None:
        name = plain(record.names[mistake.seat])
        played = f"seat {mistake.seat} ({name}) played {mistake.played}"
    else:
        played = f"you played {mistake.played}"
    # So many that the difference is seen to be larger than its bar.
    digits = 1 if round(better.more, 1) > round(better.bar, 1) > 0 else 2
    return (
        f"move {mistake.number}: {played}; {better.action} is worth"
        f" {better.more:.{digits}f} ± {better.bar:.{digits}f} {unit} more"
    )


def told_counts(record: Record, judgement: Judgement) -> Iterator[str]:
    """Yield a table of the decisions of each seat."""
    rows = [("seat", "judged", "mistakes", "fine", "undecided", "not judged")]
    notes = []
    for seat, count in judgement.seats.items():
        left_out = count.forced + count.not_own + count.unlooked
        rows.append(
            (
                f"{seat} {plain(record.names[seat])}",
                str(count.judged),
                str(count.mistakes),
                str(count.judged - count.mistakes - count.undecided),
                str(count.undecided),
                str(left_out),
            )
        )
        reasons = {
            "with one legal action": count.forced,
            "played in the bot's place": count.not_own,
            "not reached": count.unlooked,
        }
        told = [f"{number} {reason}" for reason, number in reasons.items() if number]
        if told:
            notes.append(f"not judged of seat {seat}: {', '.join(told)}")
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for first, *rest in rows:
        cells = [first.ljust(widths[0]), *map(str.rjust, rest, widths[1:])]
        yield "  ".join(cells).rstrip()
    yield from notes
