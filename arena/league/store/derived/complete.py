"""`complete.db`, written: the copy of a league for readers that may not know an unfinished set.

It holds settings without the seed, entrants, schedule, events and the matches of complete sets;
no evidence, which is for the authors of bots. The runner writes it, in a transaction of its own
after the one of `league.db`: so it may lag, and never has a row that `league.db` has not. It is
worked out from `league.db` alone, and made anew where it is missing, damaged, of another schema or
of another league.

It is in WAL mode while it is written, so that a reader delays nobody, and needs no right to write
(`arena.league.store.complete_reader`). Nothing waits for the disk: rows that a power cut takes are
copied again.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Set
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena.league.store.database import (
    COMPLETE,
    Connect,
    StoreError,
    check,
    make,
    make_indexes,
    transaction,
    translated,
)
from arena.league.store.derived import checkpoint
from arena.league.store.derived.clean_end import has_mark, make_mark, remove_mark
from arena.league.store.reader import settings_in
from arena.record import load

# The longest wait for a program that has the copy locked. Readers take no lock, so the holder is a
# foreign program.
LOCK_WAIT_MS = 100
_PRAGMAS = (f"busy_timeout = {LOCK_WAIT_MS}", "journal_mode = WAL", "synchronous = NORMAL")
# Of the seed in league.toml, from which all deals follow, the copy says only that there is one.
HIDDEN_SEED = ""


class CompleteCopy:
    """The copy of one league, with the only connection that writes to it."""

    def __init__(self, path: Path, connect: Connect):
        """Name the file; it is opened by the first `catch_up`."""
        self.path = path
        self._connect = connect
        self._db: sqlite3.Connection | None = None
        # The sets that had come further in `league.db` when this copy was opened, until they are
        # copied; None: not compared since then.
        self._lacking: Set[int] | None = None
        self._settings = ""  # as `league.db` has them, when they were last copied
        self._entrants: list[tuple[Any, ...]] = []  # their rows, when they were last copied

    def __repr__(self) -> str:
        return f"<CompleteCopy {str(self.path)!r}>"

    def catch_up(self, truth: sqlite3.Connection, digest: bytes, changed: Set[int]) -> None:
        """Copy the rows of `league.db` that may be shown and are not here yet.

        `truth`: a connection to `league.db`, outside a transaction. `digest`: of the league's
        secrets, which tells it from others. `changed`: the numbers of sets with new matches.
        Raises StoreBusy if another program has the copy locked, or another StoreError; the next
        call copies what this one did not.
        """
        with translated(self.path):
            if self._db is None:
                self._lacking = None
                self._db = self._opened(truth, digest)
            if self._lacking is None:
                self._lacking = _differing(self._db, truth)
            with transaction(self._db):
                copied = self._copy(self._db, truth, changed | self._lacking)
            self._settings, self._entrants = copied
            self._lacking = frozenset()

    def close(self) -> None:
        """Close the copy. It leaves WAL mode, so that it is one file that anybody can read where
        nothing can be written; if a reader is there it stays in it, with its -wal and -shm."""
        db, self._db = self._db, None
        if db is None:
            return
        is_at_rest = False
        with suppress(sqlite3.DatabaseError):
            is_at_rest = db.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
        db.close()
        if is_at_rest:
            make_mark(self.path)

    def remove(self) -> None:
        """Remove the copy of a league that begins anew."""
        self.close()
        with translated(self.path):
            remove_mark(self.path)
            _unlink(self.path)

    def _opened(self, truth: sqlite3.Connection, digest: bytes) -> sqlite3.Connection:
        """Open the copy, made anew if it is not one of this league."""
        self._settings, self._entrants = "", []
        if self.path.exists():
            db = None
            try:
                db = self._connect(f"{self.path.absolute().as_uri()}?mode=rw")
                if _fits(db, self.path, truth, digest):
                    remove_mark(self.path)
                    _ready(db)
                    with transaction(db):
                        make_indexes(db)
                    return db
            except (sqlite3.DatabaseError, StoreError):
                pass  # damaged, no such copy, or held in its old mode by a reader
            if db is not None:
                db.close()
        self._build(truth, digest)
        return _ready(self._connect(f"{self.path.absolute().as_uri()}?mode=rw"))

    def _build(self, truth: sqlite3.Connection, digest: bytes) -> None:
        """Make the copy anew beside its place, and put it there once it is whole."""
        remove_mark(self.path)
        beside = self.path.with_name(f"{self.path.name}.new")
        _unlink(beside)
        db = self._connect(f"{beside.absolute().as_uri()}?mode=rwc")
        try:
            with transaction(db):
                make(db, COMPLETE)
                make_indexes(db)
                db.execute("INSERT INTO facts VALUES ('league', ?)", (digest,))
                self._copy(db, truth, _differing(db, truth))
        finally:
            db.close()
        _unlink(self.path)
        os.replace(beside, self.path)

    def _copy(
        self, db: sqlite3.Connection, truth: sqlite3.Connection, changed: Set[int]
    ) -> tuple[str, list[tuple[Any, ...]]]:
        """Copy inside the caller's transaction; return the settings and the rows of entrants that
        the copy has once that is committed."""
        settings = settings_in(truth) or ""
        if settings != self._settings:
            db.execute(
                "INSERT OR REPLACE INTO facts VALUES ('settings', ?)", (_without_seed(settings),)
            )
        entrants = truth.execute("SELECT * FROM entrants ORDER BY place").fetchall()
        if entrants != self._entrants:
            db.execute("DELETE FROM entrants")
            db.executemany("INSERT INTO entrants VALUES (?, ?, ?, ?, ?)", entrants)
        (last,) = db.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()
        events = truth.execute("SELECT * FROM events WHERE number > ? ORDER BY number", (last,))
        db.executemany("INSERT INTO events VALUES (?, ?)", events.fetchall())
        for number in sorted(changed):
            _copy_set(db, truth, number)
        checkpoint.copy(db, truth)
        return settings, entrants


def _ready(db: sqlite3.Connection) -> sqlite3.Connection:
    """Prepare a connection to write; it is closed if that fails."""
    try:
        for pragma in _PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        db.close()
        raise
    return db


def _copy_set(db: sqlite3.Connection, truth: sqlite3.Connection, number: int) -> None:
    """Copy the progress of a set, and its matches once it is complete."""
    row = truth.execute(
        "SELECT line_up, attempt, is_complete FROM sets WHERE number = ?", (number,)
    ).fetchone()
    if row is None:
        return
    line_up, attempt, is_complete = row
    key = (number, attempt)
    turns = truth.execute(
        "SELECT turn FROM matches WHERE number = ? AND attempt = ? ORDER BY turn", key
    ).fetchall()
    db.execute(
        "INSERT OR REPLACE INTO sets VALUES (?, ?, ?, ?, ?, ?)",
        (
            number,
            line_up,
            attempt,
            is_complete,
            json.dumps([turn for (turn,) in turns]),
            json.dumps([_late_in(truth, number, each) for each in range(attempt)]),
        ),
    )
    if is_complete:
        matches = truth.execute("SELECT * FROM matches WHERE number = ? AND attempt = ?", key)
        db.execute("DELETE FROM matches WHERE number = ?", (number,))
        db.executemany("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)", matches.fetchall())


def _late_in(truth: sqlite3.Connection, number: int, attempt: int) -> str:
    """Name the bot that would have been late in a void attempt; "" if no bot was."""
    row = truth.execute(
        "SELECT record FROM matches WHERE number = ? AND attempt = ? ORDER BY turn DESC",
        (number, attempt),
    ).fetchone()
    if row is None:
        return ""
    record = load(row[0])
    return "" if record.annulled is None else record.names[record.annulled]


def _without_seed(settings: str) -> str:
    values = json.loads(settings)
    if isinstance(values, dict) and values.get("seed") is not None:
        values["seed"] = HIDDEN_SEED
    return json.dumps(values)


_PROGRESS = "SELECT number, attempt, is_complete, {turns} FROM sets"
_TURNS = "(SELECT count(*) FROM matches WHERE number = sets.number AND attempt = sets.attempt)"


def _differing(db: sqlite3.Connection, truth: sqlite3.Connection) -> set[int]:
    """Return the numbers of the sets that have come further in `league.db` than here."""
    ours = {*db.execute(_PROGRESS.format(turns="json_array_length(turns)"))}
    theirs = {*truth.execute(_PROGRESS.format(turns=_TURNS))}
    return {number for number, *_ in theirs - ours}


def _fits(db: sqlite3.Connection, path: Path, truth: sqlite3.Connection, digest: bytes) -> bool:
    """Tell whether the copy is whole, of this schema, and an earlier moment of this league."""
    if check(db, path, COMPLETE) != COMPLETE.schema:
        return False
    # This reads the whole file, so only where something else may have written to it.
    if not has_mark(path) and [row[0] for row in db.execute("PRAGMA quick_check")] != ["ok"]:
        return False
    if db.execute("SELECT value FROM facts WHERE name = 'league'").fetchone() != (digest,):
        return False
    last = db.execute("SELECT * FROM events ORDER BY number DESC LIMIT 1").fetchone()
    if last is not None and last != (
        truth.execute("SELECT * FROM events WHERE number = ?", last[:1]).fetchone()
    ):
        return False
    complete = "SELECT number, attempt FROM sets WHERE is_complete"
    return {*db.execute(complete)} <= {*truth.execute(complete)} and (
        _numbers(db) <= _numbers(truth)
    )


def _numbers(db: sqlite3.Connection) -> set[int]:
    return {number for (number,) in db.execute("SELECT number FROM sets")}


def _unlink(path: Path) -> None:
    """Remove a database with the files that SQLite makes beside it."""
    for ending in ("", "-journal", "-wal", "-shm"):
        path.with_name(f"{path.name}{ending}").unlink(missing_ok=True)
