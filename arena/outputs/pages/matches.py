"""The page of a match, and its faults for the pages of bots; matches of complete sets only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from arena.games import GAMES
from arena.league.model.played import LeagueMatch, PlayedSet, StoredSet
from arena.league.model.sets import Place
from arena.outputs.pages.names import file_of_match
from arena.outputs.pages.render import edition, render
from arena.outputs.pages.steps import Steps, asked_after, steps
from arena.record import FaultEntry, Record, RecordError
from arena.record.replay import replay
from arena.text import plain

# The stamp of a page is in its first HEAD_BYTES bytes; no more is read to compare it.
HEAD_BYTES = 400

ENDINGS = {
    "forfeit": "all seats but one were forfeited",
    "not-begun": "it did not begin: somebody did not come",
}


@dataclass(frozen=True)
class PublicFault:
    """A fault as everyone may see it: its reason and the legal actions; no bytes, no output."""

    place: Place
    entry: FaultEntry
    legal: tuple[str, ...]  # the actions it could have chosen; () if nothing was asked

    @property
    def address(self) -> str:
        """The link to its match, at the moment of the request and from the view of its seat."""
        return f"{file_of_match(self.place)}#{step_before(self.entry)}&as=seat{self.entry.seat}"


def step_before(fault: FaultEntry) -> str:
    return f"move={fault.move - 1}" if fault.move else "move=deal"


def stamps(league: str, one: StoredSet) -> list[str]:
    """Return a short text by turn that differs whenever the page of the match would.

    A page has it in its head, so it need not be made anew while its stamp is the same. It is
    made from the record as stored: to encode a record again costs more than to read it.
    """
    found = []
    for played, packed in zip(one.matches, one.packed, strict=True):
        digest = sha256(packed)
        digest.update(repr((league, str(played.place), played.ended, len(one.matches))).encode())
        found.append(f"{edition()} {digest.hexdigest()[:16]}")
    return found


def match_page(league: str, one: PlayedSet, played: LeagueMatch, stamp: str) -> str:
    """Return the whole page of one match of a set, with its stamp from `stamps`."""
    record = played.record
    told: Steps | None = None
    problem = ""
    if played.is_begun:
        try:
            told = steps(record)
        except RecordError as error:
            # Its page shows the problem: a record that a newer version of the rules refuses must
            # not stop the others from being published.
            problem = str(error)
    endings = {**GAMES[record.game].endings, **ENDINGS}
    return render(
        "match.html",
        root="../",
        here="",
        running=False,
        league=league,
        stamp=stamp,
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
    """Return the last lines of a transcript."""
    lines = [f"seat {seat} is forfeited" for seat in record.forfeits]
    for seat, place in enumerate(record.places):
        # A match cut short by forfeits has places and no scores.
        score = f", {record.scores[seat]}" if record.scores else ""
        lines.append(f"place {place}: seat {seat} ({plain(record.names[seat])}){score}")
    return lines


def seat_rows(record: Record) -> list[Mapping[str, Any]]:
    """Return a row for each seat: its bot, its place and score, its faults and times."""
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
    played: LeagueMatch, legal: Sequence[tuple[str, ...]] | None = None
) -> list[PublicFault]:
    """Return the faults of a match. `legal`: the actions of each; None: found by a replay."""
    record = played.record
    if legal is None:
        legal = _asked(played) if record.faults and played.is_begun else [()] * len(record.faults)
    return [
        PublicFault(played.place, entry, asked)
        for entry, asked in zip(record.faults, legal, strict=True)
    ]


def _asked(played: LeagueMatch) -> list[tuple[str, ...]]:
    record = played.record
    legal: list[tuple[str, ...]] = [()] * len(record.faults)
    try:
        for step in replay(record):
            for number, asked in asked_after(step, record):
                legal[number] = asked
    except RecordError:
        pass  # its own page says so
    return legal
