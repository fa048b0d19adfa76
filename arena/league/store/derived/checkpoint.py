"""The checkpoint of a league: sums worked out from its first sets, kept for the next opening.

It is no truth: it can be removed at any time, and is then made anew from the matches. So its table
is no part of the schema, versions of arena without it leave it alone, and its content has a version
of its own (`arena.league.table.checkpoint`). It is written after the matches that it counts are on
disk, and copied into the copy for readers in the transaction that copies these matches: a process
that ends at any moment leaves it behind the matches, and never ahead of them.

Part 0 is the state, which is replaced; results are added as further parts, each once.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

_TABLE = "CREATE TABLE IF NOT EXISTS checkpoint (part INTEGER PRIMARY KEY, body BLOB NOT NULL)"
_STATE = 0


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint as it is stored. `results`: in the order in which they were added."""

    state: bytes
    results: tuple[bytes, ...]


def read(db: sqlite3.Connection) -> Checkpoint | None:
    """Return the checkpoint; None if there is none."""
    if not _is_there(db):
        return None
    rows = db.execute("SELECT part, body FROM checkpoint ORDER BY part").fetchall()
    if not rows or rows[0][0] != _STATE:
        return None
    # Damage must not keep a league from opening: a value that is no blob counts as one that cannot
    # be used.
    state, *results = (body if isinstance(body, bytes) else b"" for _, body in rows)
    return Checkpoint(state, tuple(results))


def write(db: sqlite3.Connection, state: bytes, results: bytes, *, is_anew: bool) -> None:
    """Replace the state and add results to those before, inside the caller's transaction.

    `is_anew`: the results are all there are, and take the place of those before.
    """
    db.execute(_TABLE)
    (last,) = db.execute("SELECT coalesce(max(part), 0) FROM checkpoint").fetchone()
    if is_anew:
        db.execute("DELETE FROM checkpoint")
    db.execute("INSERT OR REPLACE INTO checkpoint VALUES (?, ?)", (_STATE, state))
    # Part numbers are never reused, so the copy can compare by number.
    db.execute("INSERT INTO checkpoint VALUES (?, ?)", (last + 1, results))


def remove(db: sqlite3.Connection) -> None:
    """Remove the checkpoint of a league that begins anew, inside the caller's transaction."""
    db.execute("DROP TABLE IF EXISTS checkpoint")


def copy(db: sqlite3.Connection, truth: sqlite3.Connection) -> None:
    """Bring the checkpoint in `db` up to that in `truth`, inside the caller's transaction."""
    if not _is_there(truth):
        remove(db)
        return
    db.execute(_TABLE)
    parts = "SELECT part FROM checkpoint WHERE part > 0"
    theirs, ours = ({part for (part,) in each.execute(parts)} for each in (truth, db))
    if theirs == ours:
        return
    db.executemany("DELETE FROM checkpoint WHERE part = ?", ((part,) for part in ours - theirs))
    for part in sorted({_STATE, *(theirs - ours)}):
        row = truth.execute("SELECT part, body FROM checkpoint WHERE part = ?", (part,)).fetchone()
        db.execute("INSERT OR REPLACE INTO checkpoint VALUES (?, ?)", row)


def _is_there(db: sqlite3.Connection) -> bool:
    found = db.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'checkpoint'"
    ).fetchone()
    return found is not None
