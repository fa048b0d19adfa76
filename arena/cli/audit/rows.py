"""The store's tables as they lie there, read past what opens them for other commands.

`arena.league.store` refuses what it cannot read; here the damage itself is of interest, so a
row is handed out as it is, and whoever takes it apart says what is wrong with it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.league.played import Played
from arena.league.sets import Place
from arena.league.store import Store
from arena.record import load


@dataclass(frozen=True)
class SetRow:
    number: int
    line_up: str
    attempt: int
    is_complete: int


@dataclass(frozen=True)
class MatchRow:
    number: int
    attempt: int
    turn: int
    ended: str
    stood: int
    processes: str
    record: bytes

    @property
    def place(self) -> Place:
        return Place(self.number, self.turn)

    def played(self) -> Played:
        """Raises whatever damage makes it raise."""
        return Played(
            self.number,
            self.turn,
            self.attempt,
            load(self.record),
            tuple(json.loads(self.processes)),
            self.ended,
            bool(self.stood),
        )


class Rows:
    """A league's file, only to read."""

    def __init__(self, path: Path, db: sqlite3.Connection):
        self.path = path
        self._db = db

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Rows]:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
            db.text_factory = lambda data: data.decode("utf-8", "replace")
            # One moment of the league, though somebody may be playing it.
            db.execute("BEGIN")
            yield cls(path, db)

    def store(self) -> Store:
        """The same moment as other commands read it."""
        return Store(self.path, self._db)

    def integrity(self) -> list[str]:
        """What SQLite itself finds wrong."""
        found = [str(row[0]) for row in self._db.execute("PRAGMA integrity_check")]
        found += [
            f"a row of {row[0]} belongs to none of {row[2]}"
            for row in self._db.execute("PRAGMA foreign_key_check")
        ]
        return [each for each in found if each != "ok"]

    def facts(self) -> dict[str, Any]:
        return dict(self._db.execute("SELECT name, value FROM facts").fetchall())

    def entrants(self) -> list[tuple[Any, ...]]:
        """Name, owner and content, in the order in which they entered."""
        return self._db.execute(
            "SELECT name, owner, content FROM entrants ORDER BY place"
        ).fetchall()

    def sets(self) -> list[SetRow]:
        rows = self._db.execute(
            "SELECT number, line_up, attempt, is_complete FROM sets ORDER BY number"
        )
        return [SetRow(*row) for row in rows]

    def matches(self, number: int) -> list[MatchRow]:
        """Of all attempts at a set."""
        rows = self._db.execute(
            "SELECT number, attempt, turn, ended, stood, processes, record FROM matches"
            " WHERE number = ? ORDER BY attempt, turn",
            (number,),
        )
        return [MatchRow(*row) for row in rows]

    def evidence(self, number: int) -> list[tuple[Any, ...]]:
        """Attempt, turn, fault and data, of all attempts at a set."""
        return self._db.execute(
            "SELECT attempt, turn, fault, data FROM evidence WHERE number = ?"
            " ORDER BY attempt, turn, fault",
            (number,),
        ).fetchall()

    def matches_of_no_set(self) -> list[tuple[Any, ...]]:
        return self._db.execute(
            "SELECT DISTINCT number FROM matches WHERE number NOT IN (SELECT number FROM sets)"
        ).fetchall()

    def events(self) -> Iterator[tuple[Any, Any]]:
        yield from self._db.execute("SELECT number, body FROM events ORDER BY number")
