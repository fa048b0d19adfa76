"""Who is benched: a bot that does not work costs its own matches, never the league.

Worked out from results in schedule order, so that it is the same however the league was run.
"""

from __future__ import annotations

from arena.league.played import PlayedSet
from arena.record import Record

MOST_FAILED_STARTS = 3
MOST_FORFEITS = 5


class Benching:
    """Counts what happened to each bot in a row."""

    def __init__(self) -> None:
        self._failed_starts: dict[str, int] = {}
        self._forfeits: dict[str, int] = {}
        self.reasons: dict[str, str] = {}  # of those benched
        self.after_set: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"<Benching {sorted(self.reasons)}>"

    def count(self, one: PlayedSet) -> None:
        """The next set, in order."""
        for played in one.matches:
            for seat, name in enumerate(played.record.names):
                self._count(name, seat, played.record, played.is_begun)
                if name not in self.reasons and (reason := self._reason(name, played.record, seat)):
                    self.reasons[name] = reason
                    self.after_set[name] = one.number

    def _count(self, name: str, seat: int, record: Record, is_begun: bool) -> None:
        is_out = seat in record.forfeits
        if not is_begun and is_out:
            self._failed_starts[name] = self._failed_starts.get(name, 0) + 1
            return
        self._failed_starts[name] = 0
        if is_begun:
            self._forfeits[name] = self._forfeits.get(name, 0) + 1 if is_out else 0

    def _reason(self, name: str, record: Record, seat: int) -> str | None:
        last = next((fault.text for fault in reversed(record.faults) if fault.seat == seat), "")
        if self._failed_starts.get(name, 0) >= MOST_FAILED_STARTS:
            return f"did not start {MOST_FAILED_STARTS} times in a row; the last time: {last}"
        if self._forfeits.get(name, 0) >= MOST_FORFEITS:
            return f"forfeited {MOST_FORFEITS} matches in a row; the last time: {last}"
        return None
