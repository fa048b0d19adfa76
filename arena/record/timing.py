"""The clock of a match, or of one of its seats, in milliseconds, and the defaults (SPEC 6, 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

DECISION_MS = 100
BANK_MS = 10_000
START_MS = 10_000
HANG_MS = 5_000
FAULTS_TO_FORFEIT = 3

# The table of SPEC 6: name, default, meaning. The message `start` has the values in force.
DEFAULTS = (
    ("decision_ms", DECISION_MS, "free time for each decision"),
    ("bank_ms", BANK_MS, "further time for the whole match"),
    ("start_ms", START_MS, "from the start of the program until its `hello` has arrived"),
    ("hang_ms", HANG_MS, "a silence longer than this, after a `late`, is `gone`"),
    ("faults_to_forfeit", FAULTS_TO_FORFEIT, "the fault in one match that forfeits the seat"),
)


@dataclass(frozen=True)
class BotClock:
    """The times of one bot of a league, where they are not those of the league."""

    decision_ms: int
    bank_ms: int
    hang_ms: int

    def in_words(self) -> Mapping[str, int]:
        """Return the fields by name, as events have them."""
        return {name: getattr(self, name) for name in BOT_TIMES}

    @classmethod
    def told(cls, times: Mapping[str, int] | None) -> BotClock | None:
        """Return the clock that an event tells; None where it tells none."""
        return None if times is None else cls(**times)


BOT_TIMES = tuple(one.name for one in fields(BotClock))
"""The times that one bot of a league may have for itself."""


@dataclass(frozen=True)
class Timing:
    """The times of one seat in one match. Its `start` has all of them."""

    decision_ms: int = DECISION_MS  # free, for each decision
    bank_ms: int = BANK_MS  # on top, for the whole match
    hang_ms: int = HANG_MS  # a silence longer than this is `gone`
    faults_to_forfeit: int = FAULTS_TO_FORFEIT

    def in_words(self) -> Mapping[str, int]:
        """Return the fields by name, as `start` has them."""
        return {
            "decision_ms": self.decision_ms,
            "bank_ms": self.bank_ms,
            "hang_ms": self.hang_ms,
            "faults_to_forfeit": self.faults_to_forfeit,
        }

    def of_bot(self, clock: BotClock | None) -> Timing:
        """Return the times of a bot with this clock of its own; None: with that of the league."""
        return self if clock is None else replace(self, **clock.in_words())
