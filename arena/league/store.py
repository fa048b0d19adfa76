"""Where a league is kept: one SQLite file, from which everything published is worked out.

What counts is keyed by its place in the schedule, so that nothing counts twice; a match, its
evidence and what it changes go in as one transaction, on disk before `enter` returns. One
connection writes, held by whoever holds the league's lock (`arena.league.lock`); any number read.

Readers are given complete sets only. What lies in an unfinished one is for resuming it.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from arena.league.played import Evidence, Played, PlayedSet
from arena.league.sets import Place, PlannedSet
from arena.record import dump, load

FILE_NAME = "league.db"
SCHEMA = 1
# "aren" in ASCII: `file` and we can tell such a file from any other database.
APPLICATION_ID = 0x6172656E
# How long one call waits for another program that has the file locked.
LOCK_WAIT_SECONDS = 5.0
# Readers read on while we write; and a match is on disk before it counts.
_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")

_TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE entrants (
    place INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    content TEXT NOT NULL,
    said TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE sets (
    number INTEGER PRIMARY KEY,
    line_up TEXT NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    is_complete INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE matches (
    number INTEGER NOT NULL REFERENCES sets,
    attempt INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    ended TEXT NOT NULL,
    stood INTEGER NOT NULL,
    processes TEXT NOT NULL,
    record BLOB NOT NULL,
    PRIMARY KEY (number, attempt, turn)
);
CREATE TABLE evidence (
    number INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    fault INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (number, attempt, turn, fault),
    FOREIGN KEY (number, attempt, turn) REFERENCES matches
);
CREATE TABLE events (number INTEGER PRIMARY KEY, body TEXT NOT NULL);
"""


class StoreError(Exception):
    """The league's file cannot be used; the text says why and what to do."""


class StoreBusy(StoreError):
    """Another program has it locked; waiting may help."""


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


Connect = Callable[[str], sqlite3.Connection]


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(
        uri, uri=True, timeout=LOCK_WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )


class Store:
    """An open league file. Calls come from one thread at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection):
        self.path = path
        self._db = connection

    def __repr__(self) -> str:
        return f"<Store {str(self.path)!r}>"

    # Opening and closing.

    @classmethod
    def open(cls, path: Path, connect: Connect = _connect) -> Store:
        """The store at this path, made if it is not there, to write to."""
        with translated(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            # It holds the key of deals to come: for nobody's eyes but its owner's.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            db = connect(f"{path.absolute().as_uri()}?mode=rwc")
            store = cls(path, db)
            try:
                for pragma in _PRAGMAS:
                    db.execute(f"PRAGMA {pragma}")
                with store._transaction():
                    store._make_or_check()
            except BaseException:
                db.close()
                raise
            return store

    @classmethod
    def read(cls, path: Path, connect: Connect = _connect) -> Store:
        """The store at this path, only to read; another program may be writing to it."""
        if not path.exists():
            raise StoreError(f"{path}: there is no such league; `arena league` makes one")
        with translated(path):
            db = connect(f"{path.absolute().as_uri()}?mode=ro")
            store = cls(path, db)
            try:
                db.execute("PRAGMA query_only = ON")
                store._check()
            except BaseException:
                db.close()
                raise
            return store

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Store:
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
        with translated(self.path):
            found: Mapping[str, Any] = json.loads(self._fact("settings"))
            return found

    def begin(
        self,
        settings: Mapping[str, Any],
        key: bytes | None,
        lots: bytes | None,
        events: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Write down what the league is, the first time; without a key it is drawn here."""
        with translated(self.path), self._transaction():
            facts = {
                "settings": json.dumps(settings),
                "key": key if key is not None else secrets.token_bytes(32),
                "lots": lots if lots is not None else secrets.token_bytes(32),
            }
            self._db.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
            self._add_events(events)

    @property
    def has_begun(self) -> bool:
        with translated(self.path):
            return self._db.execute("SELECT 1 FROM facts WHERE name = 'key'").fetchone() is not None

    @property
    def has_matches(self) -> bool:
        with translated(self.path):
            return self._db.execute("SELECT 1 FROM matches").fetchone() is not None

    def clear(self) -> None:
        """As if it had never begun; only where no match was played."""
        with translated(self.path), self._transaction():
            for table in ("facts", "entrants", "sets", "events"):
                self._db.execute(f"DELETE FROM {table}")

    def change_settings(
        self, settings: Mapping[str, Any], events: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        with translated(self.path), self._transaction():
            self._db.execute(
                "UPDATE facts SET value = ? WHERE name = 'settings'", (json.dumps(settings),)
            )
            self._add_events(events)

    # Entrants.

    def entrants(self) -> tuple[KnownEntrant, ...]:
        """In the order in which they entered."""
        with translated(self.path):
            rows = self._db.execute(
                "SELECT name, owner, content, said FROM entrants ORDER BY place"
            ).fetchall()
        return tuple(
            KnownEntrant(name, owner, content, json.loads(said))
            for name, owner, content, said in rows
        )

    def add_entrants(
        self, entrants: Iterable[tuple[str, str, str]], events: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """By name, owner and hash of content."""
        with translated(self.path), self._transaction():
            self._db.executemany(
                "INSERT INTO entrants (name, owner, content) VALUES (?, ?, ?)", entrants
            )
            self._add_events(events)

    def note_said(self, name: str, said: Mapping[str, str]) -> None:
        """What an entrant's hello said of it."""
        with translated(self.path), self._transaction():
            self._db.execute(
                "UPDATE entrants SET said = ? WHERE name = ?", (json.dumps(said), name)
            )

    # The schedule.

    def sets(self) -> tuple[SetState, ...]:
        """The schedule, and how far each set is."""
        with translated(self.path):
            turns: dict[int, list[int]] = {}
            for number, turn in self._db.execute(
                "SELECT number, turn FROM matches JOIN sets USING (number)"
                " WHERE matches.attempt = sets.attempt ORDER BY number, turn"
            ):
                turns.setdefault(number, []).append(turn)
            rows = self._db.execute(
                "SELECT number, line_up, attempt, is_complete FROM sets ORDER BY number"
            ).fetchall()
        return tuple(
            SetState(
                PlannedSet(number, tuple(json.loads(line_up))),
                attempt,
                bool(is_complete),
                tuple(turns.get(number, ())),
            )
            for number, line_up, attempt, is_complete in rows
        )

    def add_sets(
        self, sets: Iterable[PlannedSet], events: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        with translated(self.path), self._transaction():
            self._db.executemany(
                "INSERT INTO sets (number, line_up) VALUES (?, ?)",
                ((one.number, json.dumps(one.line_up)) for one in sets),
            )
            self._add_events(events)

    # Matches.

    def enter(
        self,
        played: Played,
        *,
        completes: bool,
        voids: bool,
        events: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Write down a match: once this returns it is on disk.

        `completes`: it was the last of its set. `voids`: its set is to be played anew.
        """
        key = (played.set, played.attempt, played.turn)
        with translated(self.path), self._transaction():
            self._db.execute(
                "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    *key,
                    played.ended,
                    played.stood,
                    json.dumps(played.processes),
                    dump(played.record),
                ),
            )
            self._db.executemany(
                "INSERT INTO evidence VALUES (?, ?, ?, ?, ?)",
                (
                    (*key, number, msgspec.msgpack.encode(each))
                    for number, each in enumerate(played.evidence)
                ),
            )
            if completes:
                self._db.execute("UPDATE sets SET is_complete = 1 WHERE number = ?", (played.set,))
            if voids:
                self._db.execute(
                    "UPDATE sets SET attempt = attempt + 1 WHERE number = ?", (played.set,)
                )
            self._add_events(events)

    def matches_of(self, number: int, attempt: int) -> tuple[Played, ...]:
        """The matches of a set so far, by turn, evidence left out. Cards and all: not for showing
        unless the set is complete."""
        with translated(self.path):
            rows = self._db.execute(
                "SELECT turn, ended, stood, processes, record FROM matches"
                " WHERE number = ? AND attempt = ? ORDER BY turn",
                (number, attempt),
            ).fetchall()
        return tuple(self._played(number, attempt, *row) for row in rows)

    def complete_sets(self, after: int = 0) -> Iterator[PlayedSet]:
        """The sets that may be shown, with numbers above this, in order of their numbers."""
        with translated(self.path):
            numbers = self._db.execute(
                "SELECT number, attempt FROM sets WHERE is_complete AND number > ? ORDER BY number",
                (after,),
            ).fetchall()
        for number, attempt in numbers:
            yield PlayedSet(number, attempt, self.matches_of(number, attempt))

    def complete_set(self, number: int) -> PlayedSet | None:
        """One set, if it may be shown."""
        with translated(self.path):
            row = self._db.execute(
                "SELECT attempt FROM sets WHERE is_complete AND number = ?", (number,)
            ).fetchone()
        return PlayedSet(number, row[0], self.matches_of(number, row[0])) if row else None

    def evidence(self, place: Place) -> tuple[Evidence, ...]:
        """Of a match in a complete set."""
        with translated(self.path):
            rows = self._db.execute(
                "SELECT data FROM evidence JOIN sets USING (number)"
                " WHERE is_complete AND evidence.attempt = sets.attempt"
                " AND number = ? AND turn = ? ORDER BY fault",
                (place.set, place.turn),
            ).fetchall()
            return tuple(msgspec.msgpack.decode(data, type=Evidence) for (data,) in rows)

    def voids(self) -> int:
        """How many sets were void and played anew, each time counted."""
        with translated(self.path):
            return int(self._db.execute("SELECT coalesce(sum(attempt), 0) FROM sets").fetchone()[0])

    # Events.

    def events(self, after: int = 0) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """What happened, numbered from 1 without a gap; those after a number."""
        with translated(self.path):
            rows = self._db.execute(
                "SELECT number, body FROM events WHERE number > ? ORDER BY number", (after,)
            ).fetchall()
        for number, body in rows:
            yield number, json.loads(body)

    def last_event(self) -> int:
        """The number of the last one; 0 before the first."""
        with translated(self.path):
            row = self._db.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()
            return int(row[0])

    def add_events(self, events: Sequence[Mapping[str, Any]]) -> None:
        with translated(self.path), self._transaction():
            self._add_events(events)

    # What these are made of.

    def _add_events(self, events: Sequence[Mapping[str, Any]]) -> None:
        self._db.executemany(
            "INSERT INTO events (body) VALUES (?)",
            ((json.dumps(event, ensure_ascii=False),) for event in events),
        )

    def _played(
        self,
        number: int,
        attempt: int,
        turn: int,
        ended: str,
        stood: int,
        processes: str,
        record: bytes,
    ) -> Played:
        return Played(
            number, turn, attempt, load(record), tuple(json.loads(processes)), ended, bool(stood)
        )

    def _fact(self, name: str) -> Any:
        with translated(self.path):
            row = self._db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise StoreError(f"{self.path}: this league was never begun; run `arena league` again")
        return row[0]

    def _make_or_check(self) -> None:
        if (
            self._number("application_id") == 0
            and not self._db.execute("SELECT 1 FROM sqlite_master").fetchone()
        ):
            for statement in _TABLES.split(";"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._db.execute(f"PRAGMA user_version = {SCHEMA}")
        self._check()

    def _check(self) -> None:
        if self._number("application_id") != APPLICATION_ID:
            raise StoreError(f"{self.path}: this is no league of arena; name another file")
        schema = self._number("user_version")
        if schema != SCHEMA:
            raise StoreError(
                f"{self.path}: made by another version of arena (its schema is {schema}, this "
                f"program's {SCHEMA}); use the arena that made it"
            )

    def _number(self, pragma: str) -> int:
        return int(self._db.execute(f"PRAGMA {pragma}").fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it or nothing; the lock is taken at once, so that waiting is done here."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            # A full disk has rolled it back already.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's errors in the words of whoever runs the league."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreBusy(f"{path}: another program has this file locked") from error
        what = _REMEDIES.get(code, "look at the file and its folder, then run it again")
        raise StoreError(f"{path}: {error}; {what}") from error
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from error


_REMEDIES = {
    sqlite3.SQLITE_FULL: "make room on this disk and run it again: what was played is kept",
    sqlite3.SQLITE_IOERR: "the disk failed; what was entered before is kept",
    sqlite3.SQLITE_READONLY: "this user may not write it; change its rights, or copy it",
    sqlite3.SQLITE_CANTOPEN: "this folder cannot be used; is it there, and may you write to it?",
    sqlite3.SQLITE_NOTADB: "this is no league of arena; name another file",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; take its last copy",
}
