"""The page of a complete set: its results, and all its matches to read and to step through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from arena.games import GAMES
from arena.league.model.played import LeagueMatch, PlayedSet, StoredSet
from arena.outputs.pages.render import edition, render
from arena.outputs.pages.sets.faults import PublicFault, public_faults
from arena.outputs.pages.sets.marks import Mark, marks
from arena.outputs.pages.sets.steps import Steps, steps
from arena.record import Record, RecordError
from arena.text import plain

# The stamp of a page is in its first HEAD_BYTES bytes; no more is read to compare it.
HEAD_BYTES = 400

ENDINGS = {
    "forfeit": "all seats but one were forfeited",
    "not-begun": "it did not begin: somebody did not come",
}


@dataclass(frozen=True)
class MatchShown:
    """One match of a set as its page shows it."""

    played: LeagueMatch
    steps: Steps | None  # None: there is nothing to step through
    problem: str  # why not, though it was played
    marks: Sequence[Mark]
    unread: bool  # a judgement was saved that cannot be read
    faults: Sequence[PublicFault]

    @property
    def record(self) -> Record:
        return self.played.record

    @property
    def number(self) -> int:
        return self.played.turn + 1

    @property
    def ending(self) -> str:
        endings = {**GAMES[self.record.game].endings, **ENDINGS}
        return endings.get(self.record.ending, self.record.ending)


def stamp(league: str, one: StoredSet, judged: Sequence[bytes]) -> str:
    """Return a short text that differs whenever the page of the set would.

    A page has it in its head, so it need not be made anew while its stamp is the same. It is
    made from the records as stored: to encode a record again costs more than to read it.
    `judged`: by turn, its saved judgement.
    """
    digest = sha256(repr((league, one.number)).encode())
    for played, packed, saved in zip(one.matches, one.packed, judged, strict=True):
        digest.update(sha256(packed).digest() + sha256(saved).digest())
        digest.update(repr((played.ended, played.stood)).encode())
    return f"{edition()} {digest.hexdigest()[:16]}"


def set_page(
    league: str,
    one: PlayedSet,
    judged: Sequence[bytes],
    stamp: str,
    *,
    served: bool = False,
    play_at: str = "",
) -> str:
    """Return the whole page of a set, with its stamp. `served`: for `arena serve`; `play_at`:
    the address where visitors play, "" for none."""
    shown = [match_shown(played, saved) for played, saved in zip(one.matches, judged, strict=True)]
    record = one.matches[0].record
    return render(
        "set.html",
        root="../../",
        here="",
        running=False,
        league=league,
        stamp=stamp,
        served=served,
        play_at=play_at,
        number=one.number,
        names=sorted(record.names),
        record=record,
        is_told=bool(GAMES[record.game].drawing.in_short),
        ended=max(played.ended for played in one.matches),
        rows=result_rows(one),
        matches=shown,
        data=set_data(shown),
    )


def match_shown(played: LeagueMatch, saved: bytes) -> MatchShown:
    """Replay a match; `saved`: its saved judgement."""
    told: Steps | None = None
    problem = ""
    if played.is_begun:
        try:
            told = steps(played.record)
        except RecordError as error:
            # Its page shows the problem: a record that a newer version of the rules refuses must
            # not stop the others from being published.
            problem = str(error)
    found: list[Mark] = []
    unread = False
    try:
        found = marks(saved, played.record)
    except msgspec.MsgspecError:
        unread = True
    faults = public_faults(played, told.legal if told else None)
    return MatchShown(played, told, problem, found, unread, faults)


def set_data(shown: Sequence[MatchShown]) -> Mapping[str, Any]:
    """Return the data for the page's script, besides the moves in `MatchShown.steps`."""
    game = GAMES[shown[0].record.game]
    return {
        "game": game.name,
        "drawing": {"name": game.drawing.name, "details": dict(game.drawing.details)},
        "seats": shown[0].record.seats,
        "matches": [match_data(each) for each in shown],
    }


def match_data(shown: MatchShown) -> Mapping[str, Any]:
    record = shown.record
    return {
        "place": str(shown.played.place),
        "names": [plain(name) for name in record.names],
        "places": record.places,
        "scores": record.scores or None,
        "forfeits": record.forfeits,
        "ending": shown.ending,
        "faults": [fault_data(fault) for fault in shown.faults],
        "marks": [[mark.move, mark.seat, plain(mark.text)] for mark in shown.marks],
        **(shown.steps.data if shown.steps else {}),
    }


def fault_data(fault: PublicFault) -> list[Any]:
    entry = fault.entry
    text = plain(entry.text)
    return [entry.seat, entry.move, entry.kind, entry.code, text, entry.forfeit, fault.legal]


def result_rows(one: PlayedSet) -> list[Mapping[str, Any]]:
    """Return a row for each bot, the most successful first: its results and its times."""
    rows = []
    for name in one.matches[0].record.names:
        seats = [(played, played.record.names.index(name)) for played in one.matches]
        times = [
            move.time_us
            for played, seat in seats
            for move in played.record.moves
            if move.seat == seat and move.time_us  # else it was played for the bot
        ]
        rows.append(
            {
                "name": name,
                "results": [result(played, seat) for played, seat in seats],
                "place": sum(played.record.places[seat] for played, seat in seats) / len(seats),
                "mean_ms": sum(times) / len(times) / 1000 if times else None,
                "slowest_ms": max(times) / 1000 if times else None,
                "faults": sum(
                    fault.seat == seat for played, seat in seats for fault in played.record.faults
                ),
            }
        )
    return sorted(rows, key=lambda row: (row["place"], row["name"]))


def result(played: LeagueMatch, seat: int) -> Mapping[str, Any]:
    record = played.record
    return {
        "seat": seat,
        "place": record.places[seat],
        "score": record.scores[seat] if record.scores else None,
        "is_forfeited": seat in record.forfeits,
    }
