"""The one connection that writes to a league's file; everything published is worked out from it.

A match is keyed by its place in the schedule, so that none counts twice. A match, its evidence
and everything it changes go in as one transaction, on disk before `enter` returns. After that the
copy for readers (`complete`) is brought up to date: it never has a row that this file has not. The
process that writes holds the league's lock (`lock`); any number of others read (`reader`).
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from typing import Any, TypeAlias

import msgspec

from arena.league.model.played import LeagueMatch
from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.league.plan.planner import Planner
from arena.league.store.database import (
    LEAGUE,
    AlreadyEntered,
    Connect,
    StoreBusy,
    StoreError,
    StoreGone,
    Tell,
    connect,
    opened_as_it_is,
    transaction,
    translated,
    understood,
    untold,
)
from arena.league.store.derived import checkpoint
from arena.league.store.derived.complete import CompleteCopy
from arena.league.store.folder import COMPLETE_SETS
from arena.league.store.reader import Reader, never_begun, settings_in
from arena.league.store.secrets import SECRET_BYTES, Secrets, secrets_beside, write_secrets
from arena.league.store.writing import open_to_write
from arena.record import dump
from arena.tokens import KnownToken
from arena.utc import now

# Leagues of earlier schemas have no bots but those of their files.
SCHEMA_WITH_ADMITTED = 5

# While the copy for readers cannot be written, its trouble is told again after so long.
TELL_AGAIN_SECONDS = 600.0

Events: TypeAlias = Sequence[Mapping[str, Any]]
"""Events, entered in one transaction with the change that they tell of."""


@dataclass(frozen=True)
class StoredToken:
    """A token of a bot that dials in, and since when.

    `in_file`: it is also in the file for its author, as far as the league knows.
    """

    bot: str
    token: KnownToken
    created: str
    revoked: str | None = None
    in_file: bool = False


def read_admitted(path: Path, connect: Connect = connect) -> Mapping[str, Mapping[str, Any]]:
    """Read the bots that were admitted to the league at this path, without upgrading its file."""
    with understood(path):
        db, schema = opened_as_it_is(path, LEAGUE, connect)
        with closing(db):
            return _admitted_in(db) if schema >= SCHEMA_WITH_ADMITTED else {}


def _admitted_in(db: sqlite3.Connection) -> Mapping[str, Mapping[str, Any]]:
    rows = db.execute("SELECT name, bot FROM admitted ORDER BY name").fetchall()
    return {name: json.loads(bot) for name, bot in rows}


class Store(Reader):
    """An open league file, to write to, with its secrets. Calls come from one thread at a time."""

    @classmethod
    def open(cls, path: Path, connect: Connect = connect, tell: Tell = untold) -> Store:
        """Open the league at this path to write, its file made if it is not there.

        `tell` is called with a line for the operator if the file had to be upgraded.
        """
        store = cls(path, open_to_write(path, connect, tell))
        try:
            store._copy = CompleteCopy(path.with_name(COMPLETE_SETS), connect)
            store._tell = tell
            try:
                store._catch_up()
            except StoreBusy as busy:
                store._tell_behind(busy)
        except BaseException:
            store.close()
            raise
        return store

    def __init__(self, path: Path, connection: sqlite3.Connection):
        """Write with a connection of `open_to_write`; only `open` keeps the copy for readers."""
        super().__init__(path, connection)
        with translated(path):
            self._file = os.stat(path)
        self._copy: CompleteCopy | None = None
        self._changed: set[int] = set()  # numbers of sets that the copy may have as they were
        self._tell: Tell = untold
        self._behind_for = ""  # why the copy is behind, as it was told; "" if it is not
        self._told_at = 0.0  # when that was told, by the clock
        self._clock = time.monotonic
        self._is_within_one = False  # a transaction has begun, and more changes belong to it

    def close(self) -> None:
        """Close the file, and leave the copy so that it can be read where nobody may write."""
        if self._copy is not None:
            self._copy.close()
        super().close()

    # The league.

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings as they are now, as JSON values."""
        with translated(self.path):
            self._settings = settings_in(self._db)
        return super().settings

    @property
    def secrets(self) -> Secrets:
        """The key that all deals come from, and the lots of the schedule."""
        digest = self._digest()
        if digest is None:
            raise never_begun(self.path)
        return secrets_beside(self.path, digest)

    def planner(self) -> Planner:
        """Return the planner of this league, told everything so far."""
        planner = Planner(Settings.from_json(self.settings).terms, self.secrets.lots)
        planner.hand_over(self.planned())
        is_told = planner.so_far.is_told_sets
        # A long league has few events besides those of matches and sets, which most need not hear.
        kinds = [kind for kind in planner.kinds if is_told or kind != "set"]
        self.follow(planner, kinds)
        if not is_told:
            planner.so_far.take_over(self.complete_numbers())
        planner.so_far.take_handed()
        return planner

    @property
    def has_begun(self) -> bool:
        return self._digest() is not None

    def _digest(self) -> bytes | None:
        """Read the digest of the league's secrets; None if it was never begun."""
        with translated(self.path):
            row = self._db.execute("SELECT value FROM facts WHERE name = 'secrets'").fetchone()
        return None if row is None else bytes(row[0])

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
        """Write down the settings and the secrets, once; secrets that are None are drawn here.

        The secrets come first: a league that has begun has them, even if this process is killed.
        """
        secrets = Secrets(
            key if key is not None else token_bytes(SECRET_BYTES),
            lots if lots is not None else token_bytes(SECRET_BYTES),
        )
        write_secrets(self.path, secrets)
        with self._entering(events):
            facts = {"settings": json.dumps(settings), "secrets": secrets.digest}
            self._db.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """Enter all changes of the block, with their events, as one transaction."""
        with self._entering():
            self._is_within_one = True
            try:
                yield
            finally:
                self._is_within_one = False

    def change_settings(self, settings: Mapping[str, Any], events: Events) -> None:
        with self._entering(events):
            self._db.execute(
                "UPDATE facts SET value = ? WHERE name = 'settings'", (json.dumps(settings),)
            )

    def clear(self) -> None:
        """Make the league one that has not begun; only where no match was played."""
        with self._entering():
            for table in ("facts", "entrants", "sets", "events"):
                self._db.execute(f"DELETE FROM {table}")
            checkpoint.remove(self._db)
        self._schedule.clear()
        self._changed.clear()

    # Tokens of bots that dial in (`arena.league.store.tokens`).

    def tokens(self) -> tuple[StoredToken, ...]:
        """Return all tokens, those that are revoked too, in the order in which they were drawn."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT bot, id, hash, expires, by_hand, created, revoked, in_file FROM tokens"
                " ORDER BY rowid"
            ).fetchall()
            return tuple(
                StoredToken(
                    bot,
                    KnownToken(id_, bytes(digest), expires, by_hand),
                    created,
                    revoked,
                    in_file=bool(in_file),
                )
                for bot, id_, digest, expires, by_hand, created, revoked, in_file in rows
            )

    def change_tokens(
        self, revoked: Sequence[str], new: StoredToken | None, event: Mapping[str, Any] | None
    ) -> None:
        """Revoke the tokens of these bots, and enter a new one."""
        with self._entering([event] if event is not None else []):
            for bot in revoked:
                self._db.execute(
                    "UPDATE tokens SET revoked = ? WHERE bot = ? AND revoked IS NULL", (now(), bot)
                )
            if new is not None:
                kept = new.token
                self._db.execute(
                    "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(kept.id, new.bot, kept.hash, new.created, kept.expires),
                        *(new.revoked, new.in_file, kept.by_hand),
                    ),
                )

    # Bots that were admitted by command.

    def admitted(self) -> Mapping[str, Mapping[str, Any]]:
        """Return by name a table like those below [[bots]] of league.toml; its paths are as seen
        from the folder of that file."""
        with understood(self.path):
            return _admitted_in(self._db)

    def admit(self, name: str, bot: Mapping[str, Any] | None) -> None:
        """Keep the table of a bot; None: only league.toml has it from now on."""
        with self._entering():
            self._db.execute("DELETE FROM admitted WHERE name = ?", (name,))
            if bot is not None:
                self._db.execute("INSERT INTO admitted VALUES (?, ?)", (name, json.dumps(bot)))

    # Entrants and schedule.

    def add_entrants(self, entrants: Iterable[tuple[str, str, str]], events: Events = ()) -> None:
        """Enter bots, each by its name, its owner and the hash of its sources."""
        with self._entering(events):
            self._db.executemany(
                "INSERT INTO entrants (name, owner, content) VALUES (?, ?, ?)", entrants
            )

    def change_entrant(self, name: str, owner: str, content: str, events: Events) -> None:
        """Give an entrant another owner, or one that has played no match other contents."""
        with self._entering(events):
            self._db.execute(
                "UPDATE entrants SET owner = ?, content = ? WHERE name = ?", (owner, content, name)
            )

    def note_said(self, name: str, said: Mapping[str, str]) -> None:
        """Write down the version, author and language from an entrant's hello."""
        with self._entering():
            self._db.execute(
                "UPDATE entrants SET said = ? WHERE name = ?", (json.dumps(said), name)
            )

    def add_sets(self, sets: Iterable[PlannedSet], events: Events = ()) -> None:
        with self._entering(events):
            planned = [(one.number, json.dumps(one.line_up)) for one in sets]
            self._db.executemany("INSERT INTO sets (number, line_up) VALUES (?, ?)", planned)
            self._changed |= {number for number, _ in planned}

    # Matches.

    def matches_of(self, number: int, attempt: int) -> tuple[LeagueMatch, ...]:
        """Return the matches of a set so far, by turn, without evidence. They have the cards of a
        set that is not complete: for resuming it, and not for showing."""
        return self._matches_of(number, attempt)

    def lease(self, number: int) -> int:
        """Raise the lease of a set by one and return it, once it is on disk.

        Each order to play matches of a set gets a lease, so a match that an earlier order brings
        late can be told from one of the latest.
        """
        with self._entering():
            rows = self._db.execute(
                "UPDATE sets SET lease = lease + 1 WHERE number = ? RETURNING lease", (number,)
            ).fetchall()
        if not rows:
            raise ValueError(f"there is no set {number} in {self.path}")
        return int(rows[0][0])

    def begun(self) -> tuple[PlannedSet, ...]:
        """Return the sets of which matches were ordered, and that are not complete."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT number, line_up FROM sets WHERE lease > 0 AND NOT is_complete"
            ).fetchall()
            return tuple(PlannedSet(number, tuple(json.loads(names))) for number, names in rows)

    def enter(
        self, played: LeagueMatch, *, completes: bool, voids: bool, events: Events = ()
    ) -> None:
        """Write down a match: once this returns it is on disk.

        `completes`: it was the last of its set. `voids`: its set is to be played anew. Raises
        AlreadyEntered, and enters nothing, if the store holds a match of this place and attempt.
        """
        key = (played.set, played.attempt, played.turn)
        with self._entering(events):
            self._changed.add(played.set)
            if self._db.execute(
                "SELECT 1 FROM matches WHERE number = ? AND attempt = ? AND turn = ?", key
            ).fetchone():
                raise AlreadyEntered(
                    f"{self.path}: match {played.place} of attempt {played.attempt} is entered"
                    " already, and a second one was not"
                )
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
            if played.machine:
                self._db.execute("INSERT INTO machines VALUES (?, ?, ?, ?)", (*key, played.machine))
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

    def keep_checkpoint(self, state: bytes, results: bytes, *, is_anew: bool) -> None:
        """Keep the sums worked out from the sets that are complete here.

        `state` takes the place of the one before, `results` come after those before; `is_anew`:
        they are all there are.
        """
        with self._entering():
            checkpoint.write(self._db, state, results, is_anew=is_anew)

    def add_events(self, events: Events) -> None:
        with self._entering(events):
            pass

    @contextmanager
    def _entering(self, events: Events = ()) -> Iterator[None]:
        """Enter all of the block and these events as one transaction, then bring the copy up to
        date; inside of `as_one` both are left to that."""
        self._check_still_there()
        is_inner = self._is_within_one
        with translated(self.path), nullcontext() if is_inner else transaction(self._db):
            yield
            self._db.executemany(
                "INSERT INTO events (body) VALUES (?)",
                ((json.dumps(event, ensure_ascii=False),) for event in events),
            )
        if not is_inner:
            self._let_copy_follow()

    def _check_still_there(self) -> None:
        """Raise StoreGone if the path does not lead to the open file any more.

        SQLite does not notice: it writes on to the file that it has open, which nobody finds again
        once it was removed.
        """
        try:
            if os.path.samestat(self._file, os.stat(self.path)):
                return
            what = "is another file now"
        except FileNotFoundError:
            what = "is gone"
        except OSError as error:
            what = f"cannot be reached any more ({error.strerror})"
        raise StoreGone(
            f"{self.path} {what}: it or its folder was moved, removed or replaced while the league"
            " is played, so no further match can be kept. Put it back in its place, or its last"
            " copy if it was removed; then the same command goes on after the last match in it"
        )

    def _let_copy_follow(self) -> None:
        """Bring the copy for readers up to date after a commit, or tell why it stays behind.

        The entry is on disk: an error raised here would have the caller count it as not entered,
        and decide by other facts than the file has. A reader must not be able to stop the league.
        """
        try:
            self._catch_up()
        except StoreError as error:
            self._tell_behind(error)

    def _tell_behind(self, error: StoreError) -> None:
        """Tell why the copy is behind: once for each reason, and again while it lasts."""
        why, at = str(error), self._clock()
        if why == self._behind_for and at - self._told_at < TELL_AGAIN_SECONDS:
            return
        self._behind_for, self._told_at = why, at
        self._tell(f"{why}; the pages wait for it, the league goes on")

    def _catch_up(self) -> None:
        """Bring the copy for readers up to date. Raises StoreError if that fails; then the next
        call brings it up to date."""
        if self._copy is None:
            return
        digest = self._digest()
        if digest is None:
            self._copy.remove()
        else:
            with understood(self.path):
                self._copy.catch_up(self._db, digest, self._changed)
        self._changed.clear()
        self._behind_for = ""
