"""Log-likelihood ratios of two claims about a mean result, from the results of complete sets.

A result x lies between 0 and 1: the share of the pairs that the first of two bots won, a tie
counting half. The claims are about its mean, told in Elo, or about its mean in units of its own
spread, told in normalised Elo. Nothing is assumed about how often each x comes: under either claim
the observed shares are changed as little as it allows (a generalised sequential probability ratio
test, GSPRT).

Where x has a handful of values, or one of them is frequent, the shares are changed exactly
(`Cells`). Where it has many, most of them seen once or never, its mean and variance stand for them
(`Spread`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

ELO_PER_LOGIT = 400 / math.log(10)
# Twice as much, so that for two bots of nearly equal strength whose matches are never tied and
# independent, normalised Elo is plain Elo: the spread of such a match is 1/2.
ELO_PER_SPREAD = 2 * ELO_PER_LOGIT

# What an empty cell counts, in sets. With nothing in it, no claim could move the mean that way.
EMPTY_CELL = 0.001

# Sets that all had the same result have no variance; this is that of results 0.001 apart.
LEAST_VARIANCE = 1e-6

# Of the methods below that come nearer in rounds; they need about ten.
MOST_ROUNDS = 100


Results: TypeAlias = "Cells | Spread"


def share_of(elo: float) -> float:
    """Return the mean result of a bot that is stronger by so many Elo."""
    return 1 / (1 + math.exp(-elo / ELO_PER_LOGIT))


def elo_of(share: float) -> float:
    """Return by how many Elo a bot with this mean result is stronger."""
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5)
    return ELO_PER_LOGIT * math.log(share / (1 - share))


@dataclass(frozen=True)
class Cells:
    """Results that are few, or of which one is frequent.

    `counts`: how many sets had each, from 0 up in equal steps to 1.
    """

    counts: tuple[float, ...]

    @property
    def sets(self) -> float:
        return sum(self._filled)

    @property
    def _filled(self) -> list[float]:
        return [count or EMPTY_CELL for count in self.counts]

    @property
    def _shares(self) -> list[tuple[float, float]]:
        """Each result with its share of all sets."""
        steps = len(self.counts) - 1
        return [(cell / steps, count / self.sets) for cell, count in enumerate(self._filled)]

    @property
    def moments(self) -> tuple[float, float]:
        """The mean and the variance, with what empty cells count."""
        return _moments(self._shares)

    @property
    def seen(self) -> tuple[float, float]:
        """The mean and the variance of the results that came."""
        steps, sets = len(self.counts) - 1, sum(self.counts)
        return _moments([(cell / steps, count / sets) for cell, count in enumerate(self.counts)])

    def of_means(self, mean_0: float, mean_1: float) -> float:
        """Return the logarithm of how much likelier the second mean makes these results."""
        shares = self._shares
        claims = (_with_mean(shares, [x - mean for x, _ in shares]) for mean in (mean_0, mean_1))
        return self._ratio(*claims)

    def of_spreads(self, t_0: float, t_1: float) -> float:
        """Return the same for two values of (mean - 1/2) / standard deviation."""
        shares = self._shares
        return self._ratio(_with_spread(shares, t_0), _with_spread(shares, t_1))

    def _ratio(self, claim_0: Sequence[float], claim_1: Sequence[float]) -> float:
        logarithms = (
            share * math.log(second / first)
            for (_, share), first, second in zip(self._shares, claim_0, claim_1, strict=True)
        )
        return self.sets * math.fsum(logarithms)


@dataclass(frozen=True)
class Spread:
    """Results with many values: how many sets, their mean, and their variance.

    The claims are compared for results with a normal distribution of unknown variance. To first
    order this is sets * (mean_1 - mean_0) * (2 * mean - mean_0 - mean_1) / (2 * variance), which
    takes the observed variance for the true one, and so errs more often than it says after a few
    sets.
    """

    sets: float
    mean: float
    variance: float

    def of_means(self, mean_0: float, mean_1: float) -> float:
        """Return the logarithm of how much likelier the second mean makes these results."""
        variance = max(self.variance, LEAST_VARIANCE)
        under_0 = variance + (self.mean - mean_0) ** 2
        under_1 = variance + (self.mean - mean_1) ** 2
        return self.sets / 2 * math.log(under_0 / under_1)

    def of_spreads(self, t_0: float, t_1: float) -> float:
        """Return the same for two values of (mean - 1/2) / standard deviation."""
        t = (self.mean - 0.5) / math.sqrt(max(self.variance, LEAST_VARIANCE))
        return self.sets / 2 * math.log((1 + (t - t_0) ** 2) / (1 + (t - t_1) ** 2))


def _moments(shares: Sequence[tuple[float, float]]) -> tuple[float, float]:
    mean = math.fsum(x * share for x, share in shares)
    return mean, math.fsum((x - mean) ** 2 * share for x, share in shares)


def _with_mean(shares: Sequence[tuple[float, float]], away: Sequence[float]) -> list[float]:
    """Change shares as little as makes the mean of `away` 0, a value for each of them.

    Lagrange's method gives share / (1 + theta * away). The mean falls as theta grows between the
    two values that make a share infinite; Newton's method finds it, and halves that range where it
    would leave it.
    """
    low, high = -1 / max(away), -1 / min(away)
    theta = 0.0
    for _ in range(MOST_ROUNDS):
        parts = [a / (1 + theta * a) for a in away]
        mean = math.fsum(p * part for (_, p), part in zip(shares, parts, strict=True))
        low, high = (theta, high) if mean > 0 else (low, theta)
        before = theta
        theta += mean / math.fsum(p * part**2 for (_, p), part in zip(shares, parts, strict=True))
        if not low < theta < high:
            theta = (low + high) / 2
        if abs(theta - before) <= 1e-12 * (1 + abs(theta)):
            break
    return [p / (1 + theta * a) for (_, p), a in zip(shares, away, strict=True)]


def _with_spread(shares: Sequence[tuple[float, float]], t: float) -> list[float]:
    """Change shares as little as makes (mean - 1/2) / standard deviation equal to `t`.

    Lagrange's method again; the condition is no longer linear in the shares, so it is drawn as a
    straight line through those of the round before.
    """
    claim = [1 / len(shares)] * len(shares)
    for _ in range(MOST_ROUNDS):
        mean, variance = _moments([(x, p) for (x, _), p in zip(shares, claim, strict=True)])
        spread = math.sqrt(variance)
        bent = [1 + ((x - mean) / spread) ** 2 for x, _ in shares]
        away = [x - 0.5 - t * spread * b / 2 for (x, _), b in zip(shares, bent, strict=True)]
        before, claim = claim, _with_mean(shares, away)
        if max(abs(p - q) for p, q in zip(before, claim, strict=True)) < 1e-12:
            break
    return claim
