"""The results of a policy against bots: Elo, LOS, processor time and faults, over sets."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.compare.play import Comparison
from arena.compare.sets import OneSet, Sets
from arena.evaluate.shares import ends_of, superiority
from arena.likelihood import elo_of
from arena.record import Record

# The place of the policy in the line-up; the bots follow.
POLICY = 0
# Report the time that this share of the decisions do not exceed.
PERCENTILE = 0.99


@dataclass(frozen=True)
class ShareBar:
    """The ends of a 95 % bar of a share of pairs."""

    low: float
    high: float

    @property
    def elo(self) -> tuple[float, float]:
        """The same in Elo; infinite where nothing limits it."""
        return elo_of(self.low), elo_of(self.high)


@dataclass(frozen=True)
class AgainstBots:
    """The policy against some of the bots, or all of them.

    `ahead`: the share of pairs with them that the policy won, a tie counting half. `los`: the
    chance that the policy is better. `bar` and `los` are None with too few sets to tell.
    """

    ahead: float
    bar: ShareBar | None
    los: float | None

    @property
    def elo(self) -> float:
        """The share in Elo; infinite where all or nothing was won."""
        return elo_of(self.ahead)


@dataclass(frozen=True)
class PolicyFault:
    """Faults of one seat in the line-up, of one kind: how many, and in how many matches."""

    bot: int
    kind: str
    code: str
    times: int
    matches: int


@dataclass(frozen=True)
class PolicyTime:
    """Processor time of the policy's decisions, in microseconds."""

    decisions: int
    mean_us: float
    high_us: int  # PERCENTILE of all decisions took no longer


def against(sets: Sets, places: Sequence[int]) -> AgainstBots:
    """Return the results against the bots at these places of the line-up, over at least one set."""
    shares = [_share_in_set(one, places) for one in sets]
    ends = ends_of(shares)
    bar = None if ends is None else ShareBar(*ends)
    return AgainstBots(statistics.fmean(shares), bar, superiority(shares))


def _share_in_set(one: OneSet, places: Sequence[int]) -> float:
    return statistics.fmean(
        _share(record, seating.index(POLICY), [seating.index(place) for place in places])
        for seating, record in one
    )


def _share(record: Record, seat: int, others: Sequence[int]) -> float:
    mine = record.places[seat]
    return statistics.fmean(
        (mine < place) + 0.5 * (mine == place) for place in (record.places[each] for each in others)
    )


def matches_of(comparison: Comparison) -> OneSet:
    """Return all matches that began, also those of sets that are not complete."""
    return [
        (match.seating, match.result.record)
        for one in comparison.played
        for match in one
        if match.result.is_begun
    ]


def time_of(matches: OneSet) -> PolicyTime | None:
    """Return the times of the policy's decisions; None if it made none."""
    times = sorted(
        move.time_us
        for seating, record in matches
        for move in record.moves
        # 0: it was played for a seat that was forfeited.
        if move.seat == seating.index(POLICY) and move.time_us
    )
    if not times:
        return None
    high = times[math.ceil(PERCENTILE * len(times)) - 1]
    return PolicyTime(len(times), statistics.fmean(times), high)


def faults_of(matches: OneSet) -> list[PolicyFault]:
    """Return all faults in these matches, those of the policy first."""
    times: Counter[tuple[int, str, str]] = Counter()
    within: Counter[tuple[int, str, str]] = Counter()
    for seating, record in matches:
        here = Counter((seating[each.seat], each.kind, each.code) for each in record.faults)
        times += here
        within.update(here.keys())
    return [PolicyFault(*key, times[key], within[key]) for key in sorted(times)]


def forfeits_of(matches: OneSet) -> int:
    """Return the number of matches in which the policy forfeited its seat."""
    return sum(seating.index(POLICY) in record.forfeits for seating, record in matches)
