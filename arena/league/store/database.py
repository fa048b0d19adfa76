"""The databases of a league: tables, connections, opening to read, and errors in words.

`writing` opens `league.db` to write, `complete` writes `complete.db`; `reader` and `store` read
and write rows. Errors of SQLite become StoreErrors, in words for the operator of the league:

StoreError
├── StoreBusy        another program has the file locked; waiting may help
├── StoreDamaged     the file holds something that no league wrote
├── StoreGone        the file was moved, removed or replaced while it was open to write
└── AlreadyEntered   the file holds this match already
"""

from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec

from arena.league.store.upgrades import ADMITTED, MACHINES, SCHEMA, TOKENS, statements_from

# The longest wait of one call for another program that has the file locked.
LOCK_WAIT_SECONDS = 5.0


@dataclass(frozen=True)
class Form:
    """The form of a database of a league, and how it is told from any other."""

    application_id: int  # four letters in ASCII, which the program `file` shows too
    schema: int
    tables: str  # statements that make them


_FACTS_AND_ENTRANTS = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE entrants (
    place INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    content TEXT NOT NULL,
    said TEXT NOT NULL DEFAULT '{}'
);
"""
_MATCHES_AND_EVENTS = """
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
CREATE TABLE events (number INTEGER PRIMARY KEY, body TEXT NOT NULL);
"""
_SETS_AND_EVIDENCE = """
CREATE TABLE sets (
    number INTEGER PRIMARY KEY,
    line_up TEXT NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    is_complete INTEGER NOT NULL DEFAULT 0,
    lease INTEGER NOT NULL DEFAULT 0
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
"""
# Of a set that is not complete the copy has no matches, so the public facts of an unfinished set
# are stored in columns: the turns that are played, and by void attempt the bot that would have been
# late.
_SETS_OF_THE_COPY = """
CREATE TABLE sets (
    number INTEGER PRIMARY KEY,
    line_up TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    is_complete INTEGER NOT NULL,
    turns TEXT NOT NULL,
    voids TEXT NOT NULL
);
"""
LEAGUE = Form(
    0x6172656E,
    SCHEMA,
    f"{_FACTS_AND_ENTRANTS}{_SETS_AND_EVIDENCE}{_MATCHES_AND_EVENTS}{TOKENS};{ADMITTED};{MACHINES}",
)
COMPLETE = Form(0x61726563, 1, _FACTS_AND_ENTRANTS + _SETS_OF_THE_COPY + _MATCHES_AND_EVENTS)

# Indexes of events by their content, so that a few are found among many without reading all: a long
# league has five events for each set, and hardly any others, and an opening needs these others.
# They are no part of the schema: SQLite keeps them in step, and a file without them is read as
# well, only slower. They go by the text of an event as this program writes it, and not by JSON,
# which may be damaged: SQLite would refuse to write such a row at all. An event begins
# {"at": "2026-01-31T12:00:00Z", "event": "match", and one that is written otherwise is rare.
_KIND = """substr(body, 29, {length}) {is_} '", "event": "{kind}"'"""
FREQUENT = ("match", "set")
"""The kinds of events of which there is one for each match or set."""

_PREFIX = len('", "event": ""')


def _is(kind: str, is_: str) -> str:
    return _KIND.format(length=_PREFIX + len(kind), is_=is_, kind=kind)


IS_RARE = " AND ".join(_is(kind, "<>") for kind in FREQUENT)
IS_SET = _is("set", "=")

_INDEXES = (
    f"CREATE INDEX IF NOT EXISTS rare_events ON events (number) WHERE {IS_RARE}",
    f"CREATE INDEX IF NOT EXISTS set_events ON events (number) WHERE {IS_SET}",
)


class StoreError(Exception):
    """The league's file cannot be used; the text has the reason and the remedy."""


class StoreBusy(StoreError):
    """Another program has the file locked; waiting may help."""


class StoreDamaged(StoreError):
    """The file holds something that no league wrote."""


class StoreGone(StoreError):
    """The file was moved, removed or replaced while it was open to write; nothing was entered."""


class AlreadyEntered(StoreError):
    """The file holds a match of this set, turn and attempt already; nothing was entered."""


Connect: TypeAlias = Callable[[str], sqlite3.Connection]
Tell: TypeAlias = Callable[[str], object]
"""Called with a line for the operator."""


def untold(line: str) -> None:
    """Tell nobody: there is no operator."""


def connect(uri: str) -> sqlite3.Connection:
    """Connect without implicit transactions: each begins with a BEGIN of ours."""
    return sqlite3.connect(
        uri, uri=True, timeout=LOCK_WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )


def open_to_read(path: Path, connect: Connect = connect) -> sqlite3.Connection:
    """Open the league at this path without changing it; another program may be writing to it.

    An older one is copied into memory and the copy upgraded: then the result is one moment of
    the league, and does not show later entries.
    """
    with translated(path):
        db, schema = opened_as_it_is(path, LEAGUE, connect)
        try:
            if schema < LEAGUE.schema:
                db = _upgraded_in_memory(db, schema)
            db.execute("PRAGMA query_only = ON")
        except BaseException:
            db.close()
            raise
        return db


def opened_as_it_is(
    path: Path, form: Form, connect: Connect = connect
) -> tuple[sqlite3.Connection, int]:
    """Open a database to read, of any schema that this program knows; return it and its schema."""
    if not path.exists():
        raise StoreError(f"{path}: there is no such league; `arena league` makes one")
    if not os.access(path, os.R_OK):
        raise StoreError(f"{path}: this user may not read it; it is for the owner of the league")
    try:
        return _checked(connect(f"{path.absolute().as_uri()}?mode=ro"), path, form)
    except sqlite3.OperationalError as error:
        # In a folder that cannot be written SQLite makes no -shm for a file that was closed in
        # WAL mode. Without a -wal the file is whole, and nobody can be writing to it.
        is_closed = not path.with_name(f"{path.name}-wal").exists()
        if not (is_closed and code_of(error) in _CANNOT_BE_WRITTEN):
            raise
    return _checked(connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1"), path, form)


def _checked(db: sqlite3.Connection, path: Path, form: Form) -> tuple[sqlite3.Connection, int]:
    """Return the connection and its schema; close it if it is of no use."""
    try:
        return db, check(db, path, form)
    except BaseException:
        db.close()
        raise


def hide_secrets(db: sqlite3.Connection) -> sqlite3.Connection:
    """Make a connection refuse everything but reading, and PRIVATE_TABLES altogether.

    All facts, because SQLite asks about tables and columns: it does not tell the key's row from
    that of the settings.
    """
    db.set_authorizer(_allowed)
    return db


PRIVATE_TABLES = ("facts", "tokens", "admitted")
"""The tables of `league.db` with secrets, and with what only its owner needs to know."""


def _allowed(action: int, table: str | None, *_: str | None) -> int:
    """Answer SQLite, which asks this of each access as it prepares a statement."""
    if action == sqlite3.SQLITE_READ and table not in PRIVATE_TABLES:
        return sqlite3.SQLITE_OK
    if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _upgraded_in_memory(db: sqlite3.Connection, schema: int) -> sqlite3.Connection:
    """Return an upgraded copy of the database; `db` is closed."""
    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        with closing(db):
            db.backup(copy)
        with transaction(copy):
            upgrade(copy, schema)
    except BaseException:
        copy.close()
        raise
    return copy


def upgrade(db: sqlite3.Connection, schema: int) -> None:
    """Bring `league.db` from this schema up to date, inside the caller's transaction."""
    for statement in statements_from(schema):
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def is_new(db: sqlite3.Connection) -> bool:
    return (
        _number(db, "application_id") == 0
        and db.execute("SELECT 1 FROM sqlite_master").fetchone() is None
    )


def make(db: sqlite3.Connection, form: Form) -> None:
    """Make the tables of this form, inside the caller's transaction."""
    for statement in form.tables.split(";"):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {form.application_id}")
    db.execute(f"PRAGMA user_version = {form.schema}")


def make_indexes(db: sqlite3.Connection) -> None:
    """Make the indexes that are not there, inside the caller's transaction."""
    for statement in _INDEXES:
        db.execute(statement)


def where_of(kinds: Collection[str]) -> str:
    """Return a condition that leaves out events of none of these kinds, as far as an index tells;
    the events it leaves in are still to be looked at."""
    return "1" if any(kind in FREQUENT for kind in kinds) else IS_RARE


def check(db: sqlite3.Connection, path: Path, form: Form) -> int:
    """Return the schema of a database that this program can read or upgrade."""
    if _number(db, "application_id") != form.application_id:
        raise StoreError(f"{path}: this is no league of arena; name another file")
    schema = _number(db, "user_version")
    if schema > form.schema:
        raise StoreError(
            f"{path}: made by a newer arena (its schema is {schema}, and this one knows schemas 1"
            f" to {form.schema}); install that arena, or a newer one"
        )
    if schema < 1:
        raise StoreError(
            f"{path}: schema {schema} is unknown to every version of arena: the file is damaged;"
            " restore your last backup"
        )
    return schema


def _number(db: sqlite3.Connection, pragma: str) -> int:
    return int(db.execute(f"PRAGMA {pragma}").fetchone()[0])


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit all of the block or nothing. SQLite's lock is taken at once, so any wait is here."""
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
    """Turn errors of SQLite and the system into StoreErrors, in words for the operator."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = code_of(error)
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreBusy(f"{path}: another program has this file locked") from error
        remedy = _REMEDIES.get(code, "look at the file and its folder, then run it again")
        raise StoreError(f"{path}: {error}; {remedy}") from error
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from error


def code_of(error: sqlite3.Error) -> int:
    """Return SQLite's primary code of an error; 0 if it is an error of Python's module."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


@contextmanager
def understood(path: Path) -> Iterator[None]:
    """Turn values that cannot be read into StoreDamaged: SQLite does not look inside a value."""
    with translated(path):
        try:
            yield
        except (ValueError, TypeError, msgspec.MsgspecError) as error:
            name = shlex.quote(str(path.parent.with_suffix("")))
            raise StoreDamaged(
                f"{path} is damaged: {error}; `arena verify {name}` names every place"
            ) from error


_CANNOT_BE_WRITTEN = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)

_REMEDIES = {
    sqlite3.SQLITE_FULL: "make room on this disk and run it again: what was played is kept",
    sqlite3.SQLITE_IOERR: "the disk failed; what was entered before is kept",
    sqlite3.SQLITE_READONLY: "this user may not write it; change its rights, or copy it",
    sqlite3.SQLITE_CANTOPEN: "this folder cannot be used; is it there, and may you write to it?",
    sqlite3.SQLITE_NOTADB: "this is no league of arena; name another file",
    sqlite3.SQLITE_AUTH: "this is secret, and for the runner and `arena verify` alone",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; take its last copy",
}
