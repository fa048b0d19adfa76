"""The clock of one seat in one match: the time a decision may take, and the time charged (SPEC 6).

Pure: the caller measures, and hands in whole microseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import TypeAlias

from arena.record.timing import Timing

Now: TypeAlias = Callable[[], int]
"""Whole microseconds on a clock that never jumps, from some moment in the past."""


def now_us() -> int:
    """The clock of real matches."""
    return perf_counter_ns() // 1000


class SeatClock:
    """The clock of a seat: `decision_ms` are free for each decision, the rest is paid by the bank.

    The bank is given once, for the whole match.
    """

    __slots__ = ("_free_us", "allowed_us", "bank_us", "charged_us")

    def __init__(self, timing: Timing):
        self._free_us = timing.decision_ms * 1000
        self.bank_us = timing.bank_ms * 1000
        self.allowed_us = self._free_us + self.bank_us  # the time that the next decision may take
        self.charged_us = 0  # the time counted for the last decision

    def __repr__(self) -> str:
        return f"<SeatClock {self.bank_us} us in the bank>"

    def charge(self, took_us: int) -> None:
        """Charge the time of a decision that was made or given up."""
        self.charged_us = took_us
        if took_us > self._free_us:
            # An answer that is not legal may come after its time and before it is ruled late.
            self.bank_us = max(0, self.bank_us - (took_us - self._free_us))
            self.allowed_us = self._free_us + self.bank_us

    def run_out(self, took_us: int) -> None:
        """Empty the bank: a decision was not made in time."""
        self.charged_us = took_us
        self.bank_us = 0
        self.allowed_us = self._free_us
