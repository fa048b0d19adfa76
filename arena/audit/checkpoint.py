"""The checkpoint of a league against its matches: these are counted anew, and compared."""

from __future__ import annotations

import sqlite3

from arena.audit.findings import Misfits
from arena.league.model.played import PlayedSet
from arena.league.store.derived import checkpoint
from arena.league.store.derived.checkpoint import Checkpoint
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.reader import Reader
from arena.league.table.checkpoint import CannotUse, OtherVersion, results_of, unpacked
from arena.league.table.ledger import Ledger, LedgerState
from arena.league.table.live import counts_at_once

_REMEDY = (
    "remove it while no runner plays the league, and it is made anew:"
    f" sqlite3 {DATABASE} 'DROP TABLE checkpoint'"
)


class Recount:
    """Counts again the sets that one checkpoint has counted, and then compares."""

    def __init__(self, where: str, kept: Checkpoint | None, reader: Reader, findings: Misfits):
        """`where`: the file that has the checkpoint. `reader`: of the league's own file."""
        self._where = f"{where}, checkpoint"
        self._findings = findings
        self._state: LedgerState | None = None
        if kept is None:
            return
        try:
            state = unpacked(kept)
            self._results = results_of(kept, state)
        except OtherVersion:
            return  # this arena makes it anew before it uses it
        except CannotUse as error:
            self._add(f"cannot be used: {error}")
            return
        self._state = state
        self._counted = {*self._results.sets()}
        self._ledger = Ledger(
            state.names,
            reader.planned(),
            reader.roster().dropped.intersection(state.skipped),
            at_once=counts_at_once(reader),
        )

    def __repr__(self) -> str:
        return f"<Recount of {self._where}>"

    def enter(self, one: PlayedSet) -> None:
        """Take the next complete set, in the order of their numbers."""
        if self._state is not None and one.number in self._counted:
            self._ledger.enter(one)

    def finish(self) -> None:
        """Compare, when all complete sets were entered."""
        if self._state is None:
            return
        if self._ledger.matches != self._results:
            self._add("its results are not those of the matches")
            return
        again = self._ledger.state()
        for name in LedgerState.__struct_fields__:
            # The order in which sets were complete, by which the CRC goes, is not that of numbers.
            if name != "crc" and getattr(again, name) != getattr(self._state, name):
                self._add(f"its {name} are not what its sets give")

    def _add(self, what: str) -> None:
        self._findings.add(self._where, f"{what}; {_REMEDY}")


def recounts(
    reader: Reader, copy: sqlite3.Connection | None, findings: Misfits
) -> tuple[Recount, ...]:
    """Return the checkpoints to be counted again: the checkpoint of the league, and that of the
    copy for readers if it is another one."""
    kept = reader.checkpoint()
    of_copy = None if copy is None else checkpoint.read(copy)
    found = [Recount(DATABASE, kept, reader, findings)]
    if of_copy is not None and of_copy != kept:
        found.append(Recount(COMPLETE_SETS, of_copy, reader, findings))
    return tuple(found)
