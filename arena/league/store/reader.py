"""The public part of a league's file: settings, entrants, progress, complete sets and events.

A Reader gives out complete sets only: the cards of others are still to be played by somebody. It
has no way to the league's key either: the secrets are in `secrets`, and matches of unfinished
sets, for resuming them, in `store`. A process that makes pages reads a file in which there is
nothing else (`complete_reader`).
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any, Protocol, Self

import msgspec

from arena.league.model.entrants import KnownEntrant
from arena.league.model.evidence import EvidencePlace, StoredEvidence
from arena.league.model.played import LeagueMatch, StoredSet
from arena.league.model.sets import Place, PlannedSet, SetState
from arena.league.plan.roster import Roster
from arena.league.store.database import (
    Connect,
    StoreError,
    connect,
    hide_secrets,
    open_to_read,
    translated,
    understood,
    where_of,
)
from arena.record import Record, load
from arena.record.evidence import Evidence

if TYPE_CHECKING:
    from arena.league.store.derived.checkpoint import Checkpoint


class Listener(Protocol):
    """Something that is told events."""

    def tell(self, event: Mapping[str, Any]) -> None: ...


class Reader:
    """An open league file, without its secrets. Calls come from one thread at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection):
        self.path = path
        self._db = connection
        self._schedule: dict[int, PlannedSet] = {}  # the sets read by now
        with translated(path):
            self._settings = settings_in(connection)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {str(self.path)!r}>"

    @classmethod
    def read(cls, path: Path, connect: Connect = connect) -> Reader:
        """Open the league at this path to read; another program may be writing to it."""
        return Reader.on(path, open_to_read(path, connect))

    @classmethod
    def on(cls, path: Path, connection: sqlite3.Connection) -> Reader:
        """Read from an open connection, and hide the secrets from all that use it from now on."""
        reader = Reader(path, connection)
        hide_secrets(connection)
        return reader

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The league.

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings as they were when the file was opened, as JSON values.

        `Settings.from_json` reads them.
        """
        with understood(self.path):
            if self._settings is None:
                raise never_begun(self.path)
            found: Mapping[str, Any] = json.loads(self._settings)
            return found

    def entrants(self) -> tuple[KnownEntrant, ...]:
        """Return the entrants in the order in which they entered."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT name, owner, content, said FROM entrants ORDER BY place"
            ).fetchall()
            return tuple(
                KnownEntrant(name, owner, content, json.loads(said))
                for name, owner, content, said in rows
            )

    # Its progress.

    def sets(self) -> tuple[SetState, ...]:
        """Return the schedule, each set with its progress."""
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
            planned = self._known_sets((number, line_up) for number, line_up, *_ in rows)
            return tuple(
                SetState(one, attempt, bool(is_complete), tuple(turns.get(one.number, ())))
                for one, (_, _, attempt, is_complete) in zip(planned, rows, strict=True)
            )

    def planned(self, after: int = 0) -> tuple[PlannedSet, ...]:
        """Return the schedule after a number, without its progress."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT number, line_up FROM sets WHERE number > ? ORDER BY number", (after,)
            ).fetchall()
            return tuple(self._known_sets(rows))

    def unfinished(self) -> tuple[SetState, ...]:
        """Return the sets that are not complete, each with its progress."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT number, line_up, attempt FROM sets WHERE NOT is_complete ORDER BY number"
            ).fetchall()
            planned = self._known_sets((number, line_up) for number, line_up, _ in rows)
            return tuple(
                SetState(one, attempt, False, self._turns(one.number, attempt))
                for one, (_, _, attempt) in zip(planned, rows, strict=True)
            )

    def _turns(self, number: int, attempt: int) -> tuple[int, ...]:
        """Return the turns of a set that are played in this attempt."""
        rows = self._db.execute(
            "SELECT turn FROM matches WHERE number = ? AND attempt = ? ORDER BY turn",
            (number, attempt),
        )
        return tuple(turn for (turn,) in rows)

    def _known_sets(self, rows: Iterable[tuple[int, str]]) -> list[PlannedSet]:
        """Return sets of the schedule from their numbers and line-ups as they are stored.

        Those read before are the same objects: a long schedule is in memory once.
        """
        found, new = [], []
        for number, line_up in rows:
            one = self._schedule.get(number)
            if one is None:
                one = PlannedSet(number, tuple(map(intern, json.loads(line_up))))
                new.append(one)
            found.append(one)
        check_line_ups(self._db, new)
        self._schedule |= {one.number: one for one in new}
        return found

    def complete_numbers(self) -> tuple[int, ...]:
        """Return the numbers of the complete sets, in ascending order."""
        with understood(self.path):
            rows = self._db.execute("SELECT number FROM sets WHERE is_complete ORDER BY number")
            return tuple(number for (number,) in rows)

    def voids(self) -> Counter[str]:
        """Count the sets that were void and played anew, by the bot that would have been late in
        them; "" if no bot was."""
        with understood(self.path):
            attempts = self._db.execute(
                "SELECT DISTINCT number, matches.attempt FROM sets JOIN matches USING (number)"
                " WHERE sets.attempt > 0 AND matches.attempt < sets.attempt"
            ).fetchall()
        void = (self._matches_of(number, attempt)[-1] for number, attempt in attempts)
        return Counter(played.annulled or "" for played in void)

    def played_on(self) -> Iterator[tuple[str, LeagueMatch]]:
        """Yield each match of complete sets, and each void one, with the machine that played it;
        "" for the runner's own. Only `league.db` knows machines."""
        with understood(self.path):
            where = {
                (number, attempt, turn): str(machine)
                for number, attempt, turn, machine in self._db.execute("SELECT * FROM machines")
            }
            attempts = self._db.execute(
                "SELECT DISTINCT number, matches.attempt FROM sets JOIN matches USING (number)"
                " WHERE is_complete OR matches.attempt < sets.attempt"
            ).fetchall()
        for number, attempt in attempts:
            for played in self._matches_of(number, attempt):
                yield where.get((number, attempt, played.turn), ""), played

    # Complete sets and events.

    def complete_sets(self, after: int = 0) -> Iterator[StoredSet]:
        """Yield the complete sets with numbers above this, in order of their numbers."""
        with understood(self.path):
            numbers = self._db.execute(
                "SELECT number, attempt FROM sets WHERE is_complete AND number > ? ORDER BY number",
                (after,),
            ).fetchall()
        for number, attempt in numbers:
            yield self._set(number, attempt)

    def complete_set(self, number: int) -> StoredSet | None:
        """Return one set; None if it is not complete."""
        with understood(self.path):
            row = self._db.execute(
                "SELECT attempt FROM sets WHERE is_complete AND number = ?", (number,)
            ).fetchone()
        return self._set(number, row[0]) if row else None

    def completed(self) -> tuple[int, ...]:
        """Return the numbers of the complete sets in the order in which they were completed.

        Numbers are only ever added at its end, so a place in it keeps its number.
        """
        with understood(self.path):
            # In this order: a set that is completed meanwhile has an event, and waits for the next
            # call.
            numbers = self._db.execute("SELECT number FROM sets WHERE is_complete").fetchall()
            told = self._db.execute(
                "SELECT json_extract(body, '$.set') FROM events"
                " WHERE json_extract(body, '$.event') = 'set' ORDER BY number"
            ).fetchall()
            complete = {number for (number,) in numbers}
            order = tuple(number for (number,) in told if number in complete)
            if len(order) != len(complete):
                raise ValueError(
                    f"{len(complete)} sets are complete, and events tell {len(order)} of them"
                )
        return order

    def evidence(self, place: Place) -> tuple[Evidence, ...]:
        """Return the evidence of a match, if its set is complete."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT data FROM evidence JOIN sets USING (number)"
                " WHERE is_complete AND evidence.attempt = sets.attempt"
                " AND number = ? AND turn = ? ORDER BY fault",
                (place.set, place.turn),
            ).fetchall()
            return tuple(msgspec.msgpack.decode(data, type=Evidence) for (data,) in rows)

    def evidence_of(self, name: str, after: EvidencePlace) -> Iterator[StoredEvidence]:
        """Yield the evidence of one bot in complete sets after a place, in the order in which the
        sets were completed."""
        with understood(self.path):
            told = self._db.execute(
                "SELECT events.number, sets.number, line_up, attempt FROM events"
                " JOIN sets ON sets.number = json_extract(body, '$.set')"
                " WHERE events.number >= ? AND json_extract(body, '$.event') = 'set'"
                " AND is_complete ORDER BY events.number",
                (after.event,),
            ).fetchall()
        for event, number, line_up, attempt in told:
            with understood(self.path):
                planned = PlannedSet(number, tuple(map(intern, json.loads(line_up))))
                if name not in planned.line_up:
                    continue
                rows = self._db.execute(
                    "SELECT turn, fault, data FROM evidence WHERE number = ? AND attempt = ?"
                    " ORDER BY turn, fault",
                    (number, attempt),
                ).fetchall()
                found = [
                    StoredEvidence(
                        EvidencePlace(event, turn, fault),
                        Place(number, turn),
                        msgspec.msgpack.decode(data, type=Evidence),
                    )
                    for turn, fault, data in rows
                ]
            for one in found:
                seated = planned.seating(one.match.turn)
                if one.place > after and seated[one.evidence.seat] == name:
                    yield one

    def checkpoint(self) -> Checkpoint | None:
        """Return the sums worked out from the first sets; None if none are kept."""
        # Imported here: a process that reads only the matches of a set needs none.
        from arena.league.store.derived import checkpoint

        with understood(self.path):
            return checkpoint.read(self._db)

    def events(
        self, after: int = 0, to: int | None = None
    ) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Yield the events after a number; they are numbered from 1 without a gap.

        `to`: the number of the last one to yield; None: all there are.
        """
        with understood(self.path):
            rows = self._db.execute(
                "SELECT number, body FROM events WHERE number > ? AND number <= coalesce(?, number)"
                " ORDER BY number",
                (after, to),
            ).fetchall()
        for number, body in rows:
            with understood(self.path):
                event = json.loads(body)
                if not (isinstance(event, dict) and "event" in event):
                    raise ValueError(f"event {number} does not say what happened")
            yield number, event

    def roster(self) -> Roster:
        """Return the bots as the events tell them."""
        roster = Roster()
        self.follow(roster, Roster.KINDS)
        return roster

    def follow(self, listener: Listener, kinds: Collection[str], after: int = 0) -> int:
        """Tell a listener the events of these kinds after this number; return the number of the
        last event."""
        last = self.last_event()
        with understood(self.path):
            rows = self._db.execute(
                f"SELECT number, body FROM events WHERE {where_of(kinds)}"
                " AND number > ? AND number <= ?"
                " AND coalesce(json_extract(body, '$.event'), '')"
                f" IN ('', {', '.join('?' for _ in kinds)}) ORDER BY number",
                (after, last, *kinds),
            )
            for number, body in rows:
                event = json.loads(body)
                if not (isinstance(event, dict) and "event" in event):
                    raise ValueError(f"event {number} does not say what happened")
                listener.tell(event)
        return last

    def is_over(self) -> bool:
        """Return True if the last event says that the league is finished."""
        with understood(self.path):
            row = self._db.execute(
                "SELECT coalesce(json_extract(body, '$.event'), '') FROM events"
                " ORDER BY number DESC LIMIT 1"
            ).fetchone()
        return row is not None and row[0] == "finished"

    def last_event(self) -> int:
        """Return the number of the last event; 0 before the first."""
        with understood(self.path):
            row = self._db.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()
            return int(row[0])

    def _set(self, number: int, attempt: int) -> StoredSet:
        stored = self._stored_matches(number, attempt)
        matches, packed = zip(*stored, strict=True) if stored else ((), ())
        return StoredSet(number, attempt, matches, packed)

    def _matches_of(self, number: int, attempt: int) -> tuple[LeagueMatch, ...]:
        """Return matches by turn, without evidence: with their cards, of any set."""
        return tuple(played for played, _ in self._stored_matches(number, attempt))

    def _stored_matches(self, number: int, attempt: int) -> list[tuple[LeagueMatch, bytes]]:
        """Return matches by turn, each with its record as it is stored."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT turn, ended, stood, processes, record FROM matches"
                " WHERE number = ? AND attempt = ? ORDER BY turn",
                (number, attempt),
            ).fetchall()
            line_up = self._db.execute("SELECT line_up FROM sets WHERE number = ?", (number,))
            seated = {name for (names,) in line_up for name in json.loads(names)}
            found = [
                (
                    LeagueMatch(
                        number,
                        turn,
                        attempt,
                        load(packed),
                        tuple(json.loads(processes)),
                        ended,
                        bool(stood),
                    ),
                    packed,
                )
                for turn, ended, stood, processes, packed in rows
            ]
            for played, _ in found:
                _check_names(f"match {played.place}", played.record.names, seated)
                _check_seats(f"match {played.place}", played.record)
        return found


def settings_in(db: sqlite3.Connection) -> str | None:
    """Read the settings as JSON; None if the league was never begun."""
    row = db.execute("SELECT value FROM facts WHERE name = 'settings'").fetchone()
    return None if row is None else row[0]


def never_begun(path: Path) -> StoreError:
    """Return the error of a league without settings or secrets."""
    return StoreError(f"{path}: this league was never begun; run `arena league` again")


def check_line_ups(db: sqlite3.Connection, sets: Iterable[PlannedSet]) -> None:
    """Refuse line-ups with names that are no entrant's."""
    known = {name for (name,) in db.execute("SELECT name FROM entrants")}
    for one in sets:
        if not known.issuperset(one.line_up):
            _check_names(f"set {one.number}", one.line_up, known)


def _check_names(where: str, names: Iterable[str], known: Set[str]) -> None:
    """Refuse names that are not known there: counts by name rely on it."""
    for name in names:
        if name not in known:
            raise ValueError(f"{name!r} in {where} is no bot that plays there")


def _check_seats(where: str, record: Record) -> None:
    """Refuse seats that the match has not: counts by seat rely on it."""
    named = {move.seat for move in record.moves} | {fault.seat for fault in record.faults}
    if len(record.names) != record.seats or not {*range(record.seats)} >= named | {
        *record.forfeits
    }:
        raise ValueError(f"{where} names seats that it has not")
