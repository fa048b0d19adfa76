"""`complete.db`, read: all that a process may know that makes tables and pages, or serves them.

Its readers need the right to read it, and no right to write anything. `complete_sets_of` opens
nothing else; `reader_of` is for commands of the operator, who may read `league.db` too.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

from arena.league.model.sets import Place, SetState
from arena.league.store.database import (
    COMPLETE,
    Connect,
    StoreError,
    connect,
    hide_secrets,
    opened_as_it_is,
    translated,
    understood,
)
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.reader import Reader
from arena.record.evidence import Evidence


class CompleteReader(Reader):
    """An open `complete.db`: it shows the same as a Reader of `league.db`, but for evidence."""

    @classmethod
    def read(cls, path: Path, connect: Connect = connect) -> Reader:
        """Open the copy at this path to read; the runner may be writing to it."""
        with translated(path):
            db, schema = opened_as_it_is(path, COMPLETE, connect)
            try:
                if schema != COMPLETE.schema:
                    raise StoreError(
                        f"{path}: made by an earlier version of arena; `arena league` makes it anew"
                    )
                reader = CompleteReader(path, db)
                hide_secrets(db)
            except BaseException:
                db.close()
                raise
            return reader

    def sets(self) -> tuple[SetState, ...]:
        return self._states("1")

    def unfinished(self) -> tuple[SetState, ...]:
        return self._states("NOT is_complete")

    def _states(self, which: str) -> tuple[SetState, ...]:
        """Return the sets that meet a condition, each with its progress."""
        with understood(self.path):
            rows = self._db.execute(
                "SELECT number, line_up, attempt, is_complete, turns FROM sets"
                f" WHERE {which} ORDER BY number"
            ).fetchall()
            planned = self._known_sets((number, line_up) for number, line_up, *_ in rows)
            return tuple(
                SetState(one, attempt, bool(is_complete), tuple(json.loads(turns)))
                for one, (_, _, attempt, is_complete, turns) in zip(planned, rows, strict=True)
            )

    def voids(self) -> Counter[str]:
        with understood(self.path):
            rows = self._db.execute("SELECT voids FROM sets WHERE attempt > 0").fetchall()
            return Counter(name for (voids,) in rows for name in json.loads(voids))

    def evidence(self, place: Place) -> tuple[Evidence, ...]:
        raise StoreError(f"{self.path} has no evidence: it is in {DATABASE}, for its owner")


def complete_sets_of(folder: Path) -> Reader:
    """Open the public copy of the league in this folder, and nothing else."""
    return CompleteReader.read(folder / COMPLETE_SETS)


def reader_of(folder: Path) -> Reader:
    """Open the complete sets of the league in this folder.

    Where `complete.db` cannot be read, as in the league of an earlier version, the owner of the
    league has `league.db` opened instead: a Reader shows the same of it.
    """
    try:
        return complete_sets_of(folder)
    except StoreError:
        if not os.access(folder / DATABASE, os.R_OK):
            raise
        return Reader.read(folder / DATABASE)
