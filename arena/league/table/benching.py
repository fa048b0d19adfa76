"""Benching: a bot that does not work is left out, so it costs its own matches, never the league.

Worked out from results in schedule order, so that it is the same however the league was run.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from arena.league.model.played import PlayedSet
from arena.record import Record

MOST_FAILED_STARTS = 3
MOST_FORFEITS = 5
# Matches in which a bot was asked and never answered; short ones do not forfeit it, because misses
# in a row are one fault.
MOST_SILENT = 5
# Faults that are no answer, or none in time.
MISSES = ("late", "gone")


class BenchingState(Struct, frozen=True, array_like=True):
    """All that a Benching has counted, by bot."""

    failed_starts: dict[str, int]
    forfeits: dict[str, int]
    unanswered: dict[str, list[int]]
    reasons: dict[str, str]
    after_set: dict[str, int]


class Benching:
    """Counts the failed starts, the forfeits and the silent matches of each bot in a row."""

    def __init__(self) -> None:
        self._failed_starts: dict[str, int] = {}
        self._forfeits: dict[str, int] = {}
        self._unanswered: dict[str, list[int]] = {}  # requests of each silent match in a row
        self.reasons: dict[str, str] = {}  # of those benched
        self.after_set: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"<Benching {sorted(self.reasons)}>"

    def state(self) -> BenchingState:
        """Return all that was counted; it changes with the next set."""
        counts = self._failed_starts, self._forfeits, self._unanswered
        return BenchingState(*counts, self.reasons, self.after_set)

    def take_up(self, state: BenchingState) -> None:
        """Go on from what another has counted."""
        self._failed_starts, self._forfeits = state.failed_starts, state.forfeits
        self._unanswered = state.unanswered
        self.reasons, self.after_set = state.reasons, state.after_set

    def count(self, one: PlayedSet) -> None:
        """Count the next set in the order of the schedule."""
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
            if has_answered(record, seat):
                self._unanswered[name] = []
            elif asked := sum(1 for _ in requests_to(record, seat)):
                self._unanswered.setdefault(name, []).append(asked)

    def _reason(self, name: str, record: Record, seat: int) -> str | None:
        last = next((fault.text for fault in reversed(record.faults) if fault.seat == seat), "")
        if self._failed_starts.get(name, 0) >= MOST_FAILED_STARTS:
            return f"did not start {MOST_FAILED_STARTS} times in a row; the last time: {last}"
        unanswered = self._unanswered.get(name, ())
        if len(unanswered) >= MOST_SILENT:
            requests = f"{sum(unanswered)} requests in {MOST_SILENT} matches in a row"
            return f"answered 0 of {requests}; the last time: {last}"
        if self._forfeits.get(name, 0) >= MOST_FORFEITS:
            return f"forfeited {MOST_FORFEITS} matches in a row; the last time: {last}"
        return None


def has_answered(record: Record, seat: int) -> bool:
    """Tell whether a seat answered a request of a match in time; an answer that was refused is one.

    Nearly always the first request tells.
    """
    kinds = {fault.move: fault.kind for fault in record.faults if fault.seat == seat}
    return any(kinds.get(number) not in MISSES for number in requests_to(record, seat))


def requests_to(record: Record, seat: int) -> Iterator[int]:
    """Yield the numbers of the moves that a seat was asked for.

    A move of a forfeited seat was never asked for: it took no time and has no fault.
    """
    faults = {fault.move for fault in record.faults if fault.seat == seat}
    for number, move in enumerate(record.moves):
        if move.seat == seat and (move.time_us or number in faults):
            yield number
