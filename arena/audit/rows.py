"""The rows of a league's file as they are stored, without the tests that a Reader makes.

A Reader refuses damaged rows. An audit looks for damage, so here each row is given out as it is,
and the audit that decodes it reports the errors.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place
from arena.league.store.database import open_to_read
from arena.league.store.reader import Reader, settings_in
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

    def played(self) -> LeagueMatch:
        """Decode the match; a damaged row may raise any exception."""
        return LeagueMatch(
            self.number,
            self.turn,
            self.attempt,
            load(self.record),
            tuple(json.loads(self.processes)),
            self.ended,
            bool(self.stood),
        )


class Rows:
    """A league's file, opened to be audited."""

    def __init__(self, path: Path, db: sqlite3.Connection):
        self.path = path
        self._db = db

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Rows]:
        with closing(open_to_read(path)) as db:
            db.text_factory = lambda data: data.decode("utf-8", "replace")
            # A transaction shows one moment of the league, even while somebody plays it.
            db.execute("BEGIN")
            yield cls(path, db)

    def reader(self) -> Reader:
        """Return a Reader of the same moment. From then on the secrets are hidden here too."""
        return Reader.on(self.path, self._db)

    def integrity(self) -> list[str]:
        """Return the damage that SQLite itself finds."""
        found = [str(row[0]) for row in self._db.execute("PRAGMA integrity_check")]
        found += [
            f"a row of {row[0]} belongs to none of {row[2]}"
            for row in self._db.execute("PRAGMA foreign_key_check")
        ]
        return [each for each in found if each != "ok"]

    def settings(self) -> str:
        """Return the settings as JSON."""
        found = settings_in(self._db)
        if found is None:
            raise ValueError("there are none")
        return found

    def entrants(self) -> list[tuple[Any, ...]]:
        """Return name, owner and content, in the order in which they entered."""
        return self._db.execute(
            "SELECT name, owner, content FROM entrants ORDER BY place"
        ).fetchall()

    def sets(self) -> list[SetRow]:
        rows = self._db.execute(
            "SELECT number, line_up, attempt, is_complete FROM sets ORDER BY number"
        )
        return [SetRow(*row) for row in rows]

    def matches(self, number: int) -> list[MatchRow]:
        """Return the matches of all attempts at a set."""
        rows = self._db.execute(
            "SELECT number, attempt, turn, ended, stood, processes, record FROM matches"
            " WHERE number = ? ORDER BY attempt, turn",
            (number,),
        )
        return [MatchRow(*row) for row in rows]

    def evidence(self, number: int) -> list[tuple[Any, ...]]:
        """Return attempt, turn, fault and data, of all attempts at a set."""
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
