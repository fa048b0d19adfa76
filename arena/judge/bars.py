"""Differences of values over the same worlds, and bars that hold for all of a match at once.

All bars of a match together miss a true difference with a chance of at most `CHANCE_OF_A_MISS`:
it is shared evenly among all comparisons and among all looks at each (Bonferroni), so bars may be
looked at after every batch of worlds, and the largest difference of many may be picked out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.stats import quantile

CHANCE_OF_A_MISS = 0.05
"""That any bar of a match misses the mean that an endless number of worlds would have."""

MOST_LOOKS = 8
"""Bars are made after 32, 64, 128 ... worlds, so at most so often for each comparison."""

FIRST_LOOK = 32  # worlds


def worlds_at(look: int) -> int:
    """Return the number of worlds after which the look is taken; looks are numbered from 1."""
    return FIRST_LOOK << (look - 1)


MOST_WORLDS = worlds_at(MOST_LOOKS)


@dataclass
class Differences:
    """The differences that one action makes to another in the same worlds, summed up."""

    worlds: int = 0
    mean: float = 0.0
    largest: float = 0.0  # the largest difference either way
    _squares: float = 0.0  # of the distances from the mean

    def add(self, difference: float) -> None:
        self.worlds += 1
        step = difference - self.mean
        self.mean += step / self.worlds
        self._squares += step * (difference - self.mean)
        self.largest = max(self.largest, abs(difference))

    @property
    def deviation(self) -> float:
        """The standard deviation of a single world's difference."""
        return math.sqrt(self._squares / (self.worlds - 1))


@dataclass(frozen=True)
class Level:
    """The certainty that each bar of a match needs, so that all of them hold together.

    `comparisons`: the number of pairs of actions that are compared in the match.
    """

    comparisons: int

    @property
    def miss(self) -> float:
        """The chance that a single bar may miss at a single look."""
        return CHANCE_OF_A_MISS / (self.comparisons * MOST_LOOKS)

    def bar(self, differences: Differences, swing: float) -> float:
        """Return half the width of the bar around the mean.

        Student's quantile times the standard error, and beside it Bernstein's term for the worlds
        not seen yet: a rare one may differ by `swing`, the largest difference seen at this
        decision. Without that term 32 worlds that agree would leave no bar at all.
        """
        worlds = differences.worlds
        if worlds < 2:
            return math.inf
        error = differences.deviation / math.sqrt(worlds)
        rare = swing * math.log(2 / self.miss) / (3 * worlds)
        return quantile(1 - self.miss / 2, worlds - 1) * error + rare


def swing_of(compared: Sequence[Differences]) -> float:
    """Return the largest difference that was seen in any of these comparisons."""
    return max((each.largest for each in compared), default=0.0)
