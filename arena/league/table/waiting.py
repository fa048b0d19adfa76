"""Bots that others wait for: they are told to the operator, because they cost a league its time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.league.table.ledger import Tally
from arena.record.timing import BotClock

# Fewer matches may have had a bad moment of the machine.
LEAST_MATCHES = 5
# Less is nobody's trouble.
LEAST_SECONDS = 10
# A bot is told of when it takes at least this share of all thinking time, though there are others.
LEAST_SHARE = 0.5


@dataclass(frozen=True)
class Waited:
    """A bot that others waited for. `share`: of the time that all bots took."""

    name: str
    seconds: float
    matches: int
    share: float

    def __str__(self) -> str:
        of = f"{self.share:.0%} of all waiting"
        return f"{self.name} was waited for {self.seconds:,.0f} s in {self.matches} matches: {of}"


def waited_for(
    tallies: Mapping[str, Tally], decision_ms: int, clocks: Mapping[str, BotClock]
) -> Iterator[Waited]:
    """Yield the bots that are slow by the clock, and take most of the league's time.

    Slow is a bot whose decisions take more than `decision_ms` in the mean, or than its own clock in
    `clocks` says: it lives on its bank, or does not answer. One that uses its free time for each
    decision may do so.
    """
    total = sum(tally.think_us for tally in tallies.values())
    for name, tally in tallies.items():
        free_ms = clocks[name].decision_ms if name in clocks else decision_ms
        is_slow = tally.think_us > tally.decisions * free_ms * 1000
        seconds = tally.think_us / 1e6
        if tally.matches < LEAST_MATCHES or seconds < LEAST_SECONDS or not is_slow:
            continue
        if (share := tally.think_us / total) >= LEAST_SHARE:
            yield Waited(name, seconds, tally.matches, share)
