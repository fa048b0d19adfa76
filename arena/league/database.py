"""The file a league is kept in: one SQLite database, told apart from any other.

It is made and opened here, with its tables; what stands in them is for `arena.league.reader` and
`arena.league.store`. SQLite's errors become StoreErrors here, in the words of whoever runs the
league:

StoreError
├── StoreBusy      another program has the file locked; waiting may help
└── StoreDamaged   something stands in it that no league wrote
"""

from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import msgspec

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


class StoreDamaged(StoreError):
    """Something stands in it that no league wrote."""


Connect: TypeAlias = Callable[[str], sqlite3.Connection]


def connect(uri: str) -> sqlite3.Connection:
    """A transaction begins only where we say so."""
    return sqlite3.connect(
        uri, uri=True, timeout=LOCK_WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )


def open_to_write(path: Path, connect: Connect = connect) -> sqlite3.Connection:
    """The database at this path, made if it is not there."""
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        # It holds the key of deals to come: for nobody's eyes but its owner's.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        db = connect(f"{path.absolute().as_uri()}?mode=rwc")
        try:
            # Before anything is changed: it may be somebody else's.
            if not _is_new(db):
                _check(db, path)
            for pragma in _PRAGMAS:
                db.execute(f"PRAGMA {pragma}")
            with transaction(db):
                if _is_new(db):
                    _make(db)
                _check(db, path)
        except BaseException:
            db.close()
            raise
        return db


def open_to_read(path: Path, connect: Connect = connect) -> sqlite3.Connection:
    """The database at this path; another program may be writing to it."""
    if not path.exists():
        raise StoreError(f"{path}: there is no such league; `arena league` makes one")
    with translated(path):
        db = connect(f"{path.absolute().as_uri()}?mode=ro")
        try:
            db.execute("PRAGMA query_only = ON")
            _check(db, path)
        except BaseException:
            db.close()
            raise
        return db


def _is_new(db: sqlite3.Connection) -> bool:
    return (
        _number(db, "application_id") == 0
        and db.execute("SELECT 1 FROM sqlite_master").fetchone() is None
    )


def _make(db: sqlite3.Connection) -> None:
    for statement in _TABLES.split(";"):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def _check(db: sqlite3.Connection, path: Path) -> None:
    if _number(db, "application_id") != APPLICATION_ID:
        raise StoreError(f"{path}: this is no league of arena; name another file")
    schema = _number(db, "user_version")
    if schema != SCHEMA:
        raise StoreError(
            f"{path}: made by another version of arena (its schema is {schema}, this "
            f"program's {SCHEMA}); use the arena that made it"
        )


def _number(db: sqlite3.Connection, pragma: str) -> int:
    return int(db.execute(f"PRAGMA {pragma}").fetchone()[0])


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing; the lock is taken at once, so that waiting is done here."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # A full disk has rolled it back already.
        if db.in_transaction:
            db.execute("ROLLBACK")
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


@contextmanager
def understood(path: Path) -> Iterator[None]:
    """What is taken from it and taken apart in here; SQLite does not look at what is in a value."""
    with translated(path):
        try:
            yield
        except (ValueError, TypeError, msgspec.MsgspecError) as error:
            name = shlex.quote(str(path.parent.with_suffix("")))
            raise StoreDamaged(
                f"{path} is damaged: {error}; `arena verify {name}` names every place"
            ) from error


_REMEDIES = {
    sqlite3.SQLITE_FULL: "make room on this disk and run it again: what was played is kept",
    sqlite3.SQLITE_IOERR: "the disk failed; what was entered before is kept",
    sqlite3.SQLITE_READONLY: "this user may not write it; change its rights, or copy it",
    sqlite3.SQLITE_CANTOPEN: "this folder cannot be used; is it there, and may you write to it?",
    sqlite3.SQLITE_NOTADB: "this is no league of arena; name another file",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; take its last copy",
}
