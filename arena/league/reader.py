"""What a league's file tells: what the league is, how far its schedule is, what may be shown.

Readers are given complete sets only: the cards of others are still to be played by somebody.
What lies in an unfinished set is for resuming it, and only `arena.league.store` hands it out.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import msgspec

from arena.league.database import Connect, StoreError, connect, open_to_read, understood
from arena.league.played import Evidence, Played, PlayedSet
from arena.league.sets import Place, PlannedSet
from arena.record import Record, load


@dataclass(frozen=True)
class KnownEntrant:
    """An entrant as the store knows it."""

    name: str
    owner: str
    content: str  # the hash of its sources
    said: Mapping[str, str]  # version, author, language, from its last hello


@dataclass(frozen=True)
class SetState:
    """How far a set of the schedule is."""

    planned: PlannedSet
    attempt: int
    is_complete: bool
    turns: tuple[int, ...]  # of this attempt, those already played


class Reader:
    """An open league file. Calls come from one thread at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection):
        self.path = path
        self._db = connection

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {str(self.path)!r}>"

    @classmethod
    def read(cls, path: Path, connect: Connect = connect) -> Self:
        """The league at this path, only to read; another program may be writing to it."""
        return cls(path, open_to_read(path, connect))

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What the league is.

    @property
    def key(self) -> bytes:
        """The secret that the seeds of all sets come from."""
        return bytes(self._fact("key"))

    @property
    def lots(self) -> bytes:
        """What line-ups and their orders are drawn with; tells nothing about any seed."""
        return bytes(self._fact("lots"))

    @property
    def settings(self) -> Mapping[str, Any]:
        """What the league was begun with, as `arena.league.opening` wrote it down."""
        with understood(self.path):
            found: Mapping[str, Any] = json.loads(self._fact("settings"))
            return found

    def entrants(self) -> tuple[KnownEntrant, ...]:
        """In the order in which they entered."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT name, owner, content, said FROM entrants ORDER BY place"
            ).fetchall()
            return tuple(
                KnownEntrant(name, owner, content, json.loads(said))
                for name, owner, content, said in rows
            )

    # How far it is.

    def sets(self) -> tuple[SetState, ...]:
        """The schedule, and how far each set is."""
        with understood(self.path):
            turns: dict[int, list[int]] = {}
            for number, turn in self._db.execute(
                "SELECT number, turn FROM matches JOIN sets USING (number)"
                " WHERE matches.attempt = sets.attempt ORDER BY number, turn"
            ):
                turns.setdefault(number, []).append(turn)
            rows = self._db.execute(
                "SELECT number, line_up, attempt, is_complete FROM sets ORDER BY number"
            ).fetchall()
            states = tuple(
                SetState(
                    PlannedSet(number, tuple(json.loads(line_up))),
                    attempt,
                    bool(is_complete),
                    tuple(turns.get(number, ())),
                )
                for number, line_up, attempt, is_complete in rows
            )
            known = {name for (name,) in self._db.execute("SELECT name FROM entrants")}
            for state in states:
                _check_names(f"set {state.planned.number}", state.planned.line_up, known)
        return states

    def voids(self) -> Counter[str]:
        """How often sets were void and played anew, by who would have been late in them; "" where
        nobody is known."""
        with understood(self.path):
            attempts = self._db.execute(
                "SELECT DISTINCT number, matches.attempt FROM matches JOIN sets USING (number)"
                " WHERE matches.attempt < sets.attempt"
            ).fetchall()
        void = (self._matches_of(number, attempt)[-1] for number, attempt in attempts)
        return Counter(played.annulled or "" for played in void)

    # What may be shown of it.

    def complete_sets(self, after: int = 0) -> Iterator[PlayedSet]:
        """The sets that may be shown, with numbers above this, in order of their numbers."""
        with understood(self.path):
            numbers = self._db.execute(
                "SELECT number, attempt FROM sets WHERE is_complete AND number > ? ORDER BY number",
                (after,),
            ).fetchall()
        for number, attempt in numbers:
            yield PlayedSet(number, attempt, self._matches_of(number, attempt))

    def complete_set(self, number: int) -> PlayedSet | None:
        """One set, if it may be shown."""
        with understood(self.path):
            row = self._db.execute(
                "SELECT attempt FROM sets WHERE is_complete AND number = ?", (number,)
            ).fetchone()
        return PlayedSet(number, row[0], self._matches_of(number, row[0])) if row else None

    def evidence(self, place: Place) -> tuple[Evidence, ...]:
        """Of a match in a complete set."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT data FROM evidence JOIN sets USING (number)"
                " WHERE is_complete AND evidence.attempt = sets.attempt"
                " AND number = ? AND turn = ? ORDER BY fault",
                (place.set, place.turn),
            ).fetchall()
            return tuple(msgspec.msgpack.decode(data, type=Evidence) for (data,) in rows)

    def events(self, after: int = 0) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """What happened, numbered from 1 without a gap; those after a number."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT number, body FROM events WHERE number > ? ORDER BY number", (after,)
            ).fetchall()
        for number, body in rows:
            with understood(self.path):
                event = json.loads(body)
                if not (isinstance(event, dict) and "event" in event):
                    raise ValueError(f"event {number} does not say what happened")
            yield number, event

    def benched(self) -> dict[str, int]:
        """Who was told to be benched, and after which set."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT json_extract(body, '$.name'), json_extract(body, '$.set') FROM events"
                " WHERE json_extract(body, '$.event') = 'benched' ORDER BY number"
            ).fetchall()
        return dict(rows)

    def last_event(self) -> int:
        """The number of the last one; 0 before the first."""
        with understood(self.path):
            row = self._db.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()
            return int(row[0])

    # What these are made of.

    def _fact(self, name: str) -> Any:
        with understood(self.path):
            row = self._db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise StoreError(f"{self.path}: this league was never begun; run `arena league` again")
        return row[0]

    def _matches_of(self, number: int, attempt: int) -> tuple[Played, ...]:
        """By turn, evidence left out. Cards and all, of whatever set."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT turn, ended, stood, processes, record FROM matches"
                " WHERE number = ? AND attempt = ? ORDER BY turn",
                (number, attempt),
            ).fetchall()
            line_up = self._db.execute("SELECT line_up FROM sets WHERE number = ?", (number,))
            seated = {name for (names,) in line_up for name in json.loads(names)}
            matches = tuple(
                Played(
                    number,
                    turn,
                    attempt,
                    load(record),
                    tuple(json.loads(processes)),
                    ended,
                    bool(stood),
                )
                for turn, ended, stood, processes, record in rows
            )
            for played in matches:
                _check_names(f"match {played.place}", played.record.names, seated)
                _check_seats(f"match {played.place}", played.record)
        return matches


def _check_names(where: str, names: Iterable[str], known: Set[str]) -> None:
    """That these are some who may be there: whoever counts by names relies on it."""
    for name in names:
        if name not in known:
            raise ValueError(f"{name!r} in {where} is nobody who plays there")


def _check_seats(where: str, record: Record) -> None:
    """That whoever counts by seats finds them."""
    named = {move.seat for move in record.moves} | {fault.seat for fault in record.faults}
    if len(record.names) != record.seats or not {*range(record.seats)} >= named | {
        *record.forfeits
    }:
        raise ValueError(f"{where} names seats that it has not")
