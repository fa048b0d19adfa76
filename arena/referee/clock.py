"""The clock of one seat in one match: what a decision may take, and what it has cost (SPEC 6).

Pure: whoever measures hands in whole microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TypeAlias

from protocol import limits

Now: TypeAlias = Callable[[], int]
"""Whole microseconds on a clock that never jumps, from some moment in the past."""


START_MS = limits.START_MS
"""From its start until its hello, if nobody says otherwise."""


def now_us() -> int:
    """The clock of real matches."""
    return perf_counter_ns() // 1000


@dataclass(frozen=True)
class Timing:
    """What a match allows its seats. `start` tells a bot all of it."""

    decision_ms: int = limits.DECISION_MS
    bank_ms: int = limits.BANK_MS
    hang_ms: int = limits.HANG_MS
    faults_to_forfeit: int = limits.FAULTS_TO_FORFEIT

    def in_words(self) -> Mapping[str, int]:
        """As `start` has it."""
        return {
            "decision_ms": self.decision_ms,
            "bank_ms": self.bank_ms,
            "hang_ms": self.hang_ms,
            "faults_to_forfeit": self.faults_to_forfeit,
        }


class SeatClock:
    """`decision_ms` free for each decision, then out of the bank, which lasts for the match."""

    __slots__ = ("_free_us", "allowed_us", "bank_us", "charged_us")

    def __init__(self, timing: Timing):
        self._free_us = timing.decision_ms * 1000
        self.bank_us = timing.bank_ms * 1000
        self.allowed_us = self._free_us + self.bank_us  # what the next decision may take
        self.charged_us = 0  # what the last decision was counted as

    def __repr__(self) -> str:
        return f"<SeatClock {self.bank_us} us in the bank>"

    def charge(self, took_us: int) -> None:
        """A decision was made, or given up."""
        self.charged_us = took_us
        if took_us > self._free_us:
            # An answer that is not legal may come after its time and before it is ruled late.
            self.bank_us = max(0, self.bank_us - (took_us - self._free_us))
            self.allowed_us = self._free_us + self.bank_us

    def run_out(self, took_us: int) -> None:
        """A decision was not made in time: nothing is left beyond the free time."""
        self.charged_us = took_us
        self.bank_us = 0
        self.allowed_us = self._free_us
