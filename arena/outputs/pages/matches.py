"""The page of a match, and what a bot's page says of it. Only of complete sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from arena.games import GAMES
from arena.league.played import Played, PlayedSet
from arena.league.sets import Place
from arena.outputs.pages.names import file_of_match
from arena.outputs.pages.render import edition, render
from arena.outputs.pages.steps import Steps, asked_after, steps
from arena.record import FaultEntry, Record, RecordError, dump, replay
from arena.record.transcript import plain

# So much of the beginning of a page holds its stamp.
HEAD_BYTES = 400

ENDINGS = {
    "forfeit": "all seats but one were forfeited",
    "not-begun": "it did not begin: somebody did not come",
}


@dataclass(frozen=True)
class PublicFault:
    """A fault as everyone may see it: why, and what was asked. No bytes, no output."""

    place: Place
    entry: FaultEntry
    legal: tuple[str, ...]  # what it could have played; () where nothing was asked

    @property
    def address(self) -> str:
        """Where its match can be seen as its seat saw it when it was asked."""
        return f"{file_of_match(self.place)}#{step_before(self.entry)}&as=seat{self.entry.seat}"


def step_before(fault: FaultEntry) -> str:
    return f"move={fault.move - 1}" if fault.move else "move=deal"


def stamp(league: str, one: PlayedSet, played: Played) -> str:
    """What a page is made from: as long as it is the same, the page need not be made anew."""
    digest = sha256(dump(played.record))
    digest.update(repr((league, str(played.place), played.ended, len(one.matches))).encode())
    return f"{edition()} {digest.hexdigest()[:16]}"


def match_page(league: str, one: PlayedSet, played: Played) -> str:
    """The whole page."""
    record = played.record
    told: Steps | None = None
    problem = ""
    if played.is_begun:
        try:
            told = steps(record)
        except RecordError as error:
            # Told on its page: one record that a newer version of the rules does not take must
            # not stop the others from being published.
            problem = str(error)
    endings = {**GAMES[record.game].endings, **ENDINGS}
    return render(
        "match.html",
        root="../",
        here="",
        running=False,
        league=league,
        stamp=stamp(league, one, played),
        place=played.place,
        turns=[other.place for other in one.matches],
        record=record,
        ended=played.ended,
        stood=played.stood,
        ending=endings.get(record.ending, record.ending),
        told=told,
        problem=problem,
        seats=seat_rows(record),
        faults=public_faults(played, told.legal if told else None),
        transcript=[*told.transcript, *results(record)] if told else [],
        step_before=step_before,
    )


def results(record: Record) -> list[str]:
    """The last lines of a transcript."""
    lines = [f"seat {seat} is forfeited" for seat in record.forfeits]
    for seat, place in enumerate(record.places):
        # A match cut short by forfeits has places and no scores.
        score = f", {record.scores[seat]}" if record.scores else ""
        lines.append(f"place {place}: seat {seat} ({plain(record.names[seat])}){score}")
    return lines


def seat_rows(record: Record) -> list[Mapping[str, Any]]:
    """By seat: who sat there and what came of it."""
    times: list[list[int]] = [[] for _ in record.names]
    for move in record.moves:
        if move.time_us:  # else it was played for the bot
            times[move.seat].append(move.time_us)
    return [
        {
            "seat": seat,
            "name": name,
            "place": record.places[seat],
            "score": record.scores[seat] if record.scores else None,
            "faults": sum(fault.seat == seat for fault in record.faults),
            "is_forfeited": seat in record.forfeits,
            "decisions": len(times[seat]),
            "mean_us": sum(times[seat]) / len(times[seat]) if times[seat] else None,
            "slowest_us": max(times[seat], default=None),
        }
        for seat, name in enumerate(record.names)
    ]


def public_faults(
    played: Played, legal: Sequence[tuple[str, ...]] | None = None
) -> list[PublicFault]:
    """The faults of a match. What was asked comes from a replay, if it is not given."""
    record = played.record
    if legal is None:
        legal = _asked(played) if record.faults and played.is_begun else [()] * len(record.faults)
    return [
        PublicFault(played.place, entry, asked)
        for entry, asked in zip(record.faults, legal, strict=True)
    ]


def _asked(played: Played) -> list[tuple[str, ...]]:
    record = played.record
    legal: list[tuple[str, ...]] = [()] * len(record.faults)
    try:
        for step in replay(record):
            for number, asked in asked_after(step, record):
                legal[number] = asked
    except RecordError:
        pass  # its own page says so
    return legal
