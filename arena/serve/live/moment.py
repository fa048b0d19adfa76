"""A league read as it was at one moment, however long the reading takes.

This is the one cursor over the journal: all that a look reads is told by the league's events up to
the last one of that moment, so a page, a stream and the broadcast never differ about the facts that
may be shown yet.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.league.store.complete_reader import CompleteReader
from arena.league.store.database import connect
from arena.league.store.folder import COMPLETE_SETS
from arena.league.store.reader import Reader


@contextmanager
def at_one_moment(folder: Path) -> Iterator[Reader]:
    """Open the public copy of the league in this folder, and nothing else.

    Everything is read in one transaction. A runner that writes meanwhile is not held up: the file
    is in WAL mode then.
    """
    with CompleteReader.read(folder / COMPLETE_SETS, _held) as reader:
        yield reader


def _held(uri: str) -> sqlite3.Connection:
    """Connect, and keep the snapshot of the first statement until the connection is closed."""
    db = connect(uri)
    db.execute("BEGIN")
    return db
