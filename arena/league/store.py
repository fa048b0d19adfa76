"""Where a league is kept: one file, from which everything published is worked out.

What counts is keyed by its place in the schedule, so that nothing counts twice; a match, its
evidence and what it changes go in as one transaction, on disk before `enter` returns. One
connection writes, held by whoever holds the league's lock (`arena.league.lock`); any number read
(`arena.league.reader`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from arena.league.database import Connect, connect, open_to_write, transaction, translated
from arena.league.played import Played
from arena.league.reader import Reader
from arena.league.sets import PlannedSet
from arena.record import dump

Events: TypeAlias = Sequence[Mapping[str, Any]]
"""What happened, entered with what it tells of: neither is there without the other."""


class Store(Reader):
    """An open league file, to write to. Calls come from one thread at a time."""

    @classmethod
    def open(cls, path: Path, connect: Connect = connect) -> Store:
        """The league at this path, its file made if it is not there."""
        return cls(path, open_to_write(path, connect))

    # What the league is.

    @property
    def has_begun(self) -> bool:
        with translated(self.path):
            return self._db.execute("SELECT 1 FROM facts WHERE name = 'key'").fetchone() is not None

    @property
    def has_matches(self) -> bool:
        with translated(self.path):
            return self._db.execute("SELECT 1 FROM matches").fetchone() is not None

    def begin(
        self,
        settings: Mapping[str, Any],
        key: bytes | None,
        lots: bytes | None,
        events: Events = (),
    ) -> None:
        """Write down what the league is, the first time; without a key it is drawn here."""
        with self._entering(events):
            facts = {
                "settings": json.dumps(settings),
                "key": key if key is not None else secrets.token_bytes(32),
                "lots": lots if lots is not None else secrets.token_bytes(32),
            }
            self._db.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())

    def change_settings(self, settings: Mapping[str, Any], events: Events = ()) -> None:
        with self._entering(events):
            self._db.execute(
                "UPDATE facts SET value = ? WHERE name = 'settings'", (json.dumps(settings),)
            )

    def clear(self) -> None:
        """As if it had never begun; only where no match was played."""
        with self._entering():
            for table in ("facts", "entrants", "sets", "events"):
                self._db.execute(f"DELETE FROM {table}")

    # Who plays, and what is planned.

    def add_entrants(self, entrants: Iterable[tuple[str, str, str]], events: Events = ()) -> None:
        """By name, owner and hash of content."""
        with self._entering(events):
            self._db.executemany(
                "INSERT INTO entrants (name, owner, content) VALUES (?, ?, ?)", entrants
            )

    def note_said(self, name: str, said: Mapping[str, str]) -> None:
        """What an entrant's hello said of it."""
        with self._entering():
            self._db.execute(
                "UPDATE entrants SET said = ? WHERE name = ?", (json.dumps(said), name)
            )

    def add_sets(self, sets: Iterable[PlannedSet], events: Events = ()) -> None:
        with self._entering(events):
            self._db.executemany(
                "INSERT INTO sets (number, line_up) VALUES (?, ?)",
                ((one.number, json.dumps(one.line_up)) for one in sets),
            )

    # What is played.

    def matches_of(self, number: int, attempt: int) -> tuple[Played, ...]:
        """The matches of a set so far, by turn, evidence left out. Cards and all: for resuming
        it, and not for showing."""
        return self._matches_of(number, attempt)

    def enter(self, played: Played, *, completes: bool, voids: bool, events: Events = ()) -> None:
        """Write down a match: once this returns it is on disk.

        `completes`: it was the last of its set. `voids`: its set is to be played anew.
        """
        key = (played.set, played.attempt, played.turn)
        with self._entering(events):
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

    def add_events(self, events: Events) -> None:
        with self._entering(events):
            pass

    @contextmanager
    def _entering(self, events: Events = ()) -> Iterator[None]:
        """What is entered in here and these events, all of it or nothing."""
        with translated(self.path), transaction(self._db):
            yield
            self._db.executemany(
                "INSERT INTO events (body) VALUES (?)",
                ((json.dumps(event, ensure_ascii=False),) for event in events),
            )
