"""The stop test of two bots: it may be looked at after every set, and still errs as rarely as told.

It weighs two claims: the first bot is stronger by the lower bound, or by the upper one. The
results of complete sets move a log-likelihood ratio between them; the test ends when the ratio
leaves the range between its two limits (a sequential probability ratio test). A test of fixed
length is not like that: one that is looked at after each set calls equal bots different in more
than half of all cases.

Sets must be added in the order in which they began: quick sets end first, and may be quick because
of who won them.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from enum import Enum
from statistics import NormalDist

from arena.likelihood import ELO_PER_SPREAD, Cells, Results, Spread, elo_of, share_of
from arena.stats import quantile

# Before, the spread of the results is known too badly.
FEWEST_SETS = 10

# Mean and variance stand for the results only where none of them came in as large a share of the
# sets. Two versions that rarely act differently have level sets for the most part, and then
# variance says little: measured, a test by variance rejects a better version in a quarter of all
# cases, and that by cells in one of twenty.
MANY_VALUES = 0.25

# A normalised Elo is not measured in Elo; the suffix says which is meant.
NORMALISED = "nelo"

_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_BOUNDS = re.compile(rf"({_NUMBER}):({_NUMBER})({NORMALISED})?")
# 600 Elo are 97 wins in 100 matches: nobody needs a test for more.
FARTHEST = 600.0
# 100 normalised Elo are as much: such a test ends after a few sets.
FARTHEST_NORMALISED = 100.0
# Closer claims need millions of sets.
NARROWEST = 0.1


class Verdict(Enum):
    """What the test has found out."""

    ACCEPTED = "accepted"  # the upper bound: stronger by about as much, or more
    REJECTED = "rejected"  # the lower bound: stronger by about as much, or less, or weaker
    NOT_YET = "not yet"


@dataclass(frozen=True)
class Bounds:
    """Two claims about how much stronger the first bot is, in Elo or in normalised Elo."""

    low: float
    high: float
    is_normalised: bool = False

    def __post_init__(self) -> None:
        farthest = FARTHEST_NORMALISED if self.is_normalised else FARTHEST
        if not -farthest <= self.low <= self.high <= farthest:
            raise ValueError(
                f"bounds go up, and lie between {-farthest:g} and {farthest:g} {self.unit}; got"
                f" {self}. For instance: 0:10"
            )
        if self.high - self.low < NARROWEST:
            raise ValueError(
                f"bounds are at least {NARROWEST:g} apart; got {self}. The closer they are, the"
                " more sets it takes; 0:10 is a good beginning"
            )

    def __str__(self) -> str:
        return f"{self.low:g}:{self.high:g}{NORMALISED if self.is_normalised else ''}"

    @property
    def unit(self) -> str:
        return "normalised Elo" if self.is_normalised else "Elo"

    @classmethod
    def of(cls, text: str) -> Bounds:
        """Read bounds as they are typed; raises ValueError in words."""
        found = _BOUNDS.fullmatch(text.strip().lower())
        if found is None:
            raise ValueError(
                f"write two numbers of Elo as LOW:HIGH, such as 0:10, or 0:10{NORMALISED} for"
                f" normalised Elo; got {text!r}"
            )
        low, high, suffix = found.groups()
        return cls(float(low), float(high), suffix is not None)


@dataclass(frozen=True)
class StopTest:
    """The bounds, and how often the test may err.

    `alpha`: the chance to accept although the lower bound is true. `beta`: the chance to reject
    although the upper bound is true.
    """

    bounds: Bounds
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0001 <= chance <= 0.4:
                raise ValueError(
                    f"{name} is the chance of an error, from 0.0001 to 0.4; got {chance:g}"
                )

    @property
    def limits(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the lower and the upper bound are believed (Wald)."""
        low = math.log(self.beta / (1 - self.alpha))
        return low, math.log((1 - self.beta) / self.alpha)

    def ratio(self, results: Results, matches: int) -> float:
        """Return the log-likelihood ratio. `matches`: how many a set has."""
        low, high = self.claims(matches)
        if self.bounds.is_normalised:
            return results.of_spreads(low, high)
        return results.of_means(low, high)

    def claims(self, matches: int) -> tuple[float, float]:
        """Return the bounds as means of a set's result or, of normalised Elo, as distances from
        1/2 in standard deviations of it. `matches`: how many a set has."""
        if self.bounds.is_normalised:
            unit = math.sqrt(matches) / ELO_PER_SPREAD
            return self.bounds.low * unit, self.bounds.high * unit
        return share_of(self.bounds.low), share_of(self.bounds.high)


@dataclass(frozen=True)
class Expected:
    """How many sets a test takes on average, by what is true, and one of fixed length beside it."""

    at_low: int
    between: int
    at_high: int
    fixed: int


def expected_sets(test: StopTest, matches: int, variance: float) -> Expected:
    """Return the average numbers of sets (Wald). `variance`: of a set's result; normalised Elo
    does not depend on it."""
    claim_0, claim_1 = test.claims(matches)
    distance = claim_1 - claim_0
    if not test.bounds.is_normalised:
        distance /= math.sqrt(variance)
    low, high = test.limits
    drift = distance**2 / 2  # of the ratio in one set, where a bound is true
    normal = NormalDist().inv_cdf
    average = (
        -(test.alpha * high + (1 - test.alpha) * low) / drift,
        -low * high / distance**2,
        ((1 - test.beta) * high + test.beta * low) / drift,
        ((normal(1 - test.alpha) + normal(1 - test.beta)) / distance) ** 2,
    )
    return Expected(*(max(FEWEST_SETS, math.ceil(each)) for each in average))


def usual_variance(copies: int, others: int) -> float:
    """Return the variance of a set's result if its matches were decided by lot, each for itself.

    `copies`, `others`: seats of the first and of the second bot. The share of pairs won is that of
    a rank-sum test, and a set has a match for each seat.
    """
    seats = copies + others
    return (seats + 1) / (12 * copies * others) / seats


@dataclass
class Trial:
    """A stop test under way, set by set. `copies`, `others`: seats of the first and second bot."""

    test: StopTest
    copies: int
    others: int
    sets: int = 0
    ratio: float = 0.0  # the log-likelihood ratio
    verdict: Verdict = Verdict.NOT_YET
    _counts: list[int] = field(init=False)  # by result

    def __post_init__(self) -> None:
        # A tie counts half a pair.
        self._counts = [0] * (2 * self.matches * self.copies * self.others + 1)

    @property
    def matches(self) -> int:
        """How many a set has: one for each seat."""
        return self.copies + self.others

    def add(self, result: float) -> None:
        """Add the next set: the mean share of pairs that the first bot won in it.

        A verdict stays: sets that are added after it change nothing.
        """
        if self.verdict is not Verdict.NOT_YET:
            return
        self.sets += 1
        self._counts[round(result * (len(self._counts) - 1))] += 1
        self.ratio = self.test.ratio(self.results, self.matches)
        low, high = self.test.limits
        if self.sets >= FEWEST_SETS and not low < self.ratio < high:
            self.verdict = Verdict.ACCEPTED if self.ratio >= high else Verdict.REJECTED

    @property
    def results(self) -> Results:
        """All sets: by cells where few results, or one of them, make up most."""
        cells = Cells(tuple(self._counts))
        if self.matches == 2 or max(self._counts) >= MANY_VALUES * self.sets:
            return cells
        mean, variance = cells.seen
        return Spread(self.sets, mean, variance * self.sets / (self.sets - 1))

    def elo(self) -> tuple[float, float, float]:
        """Return the Elo of the mean result, and the ends of its 95 % bar; infinite if need be."""
        mean, variance = Cells(tuple(self._counts)).seen
        if self.sets < 2:
            return elo_of(mean), -math.inf, math.inf
        half = quantile(0.975, self.sets - 1) * math.sqrt(variance / self.sets)
        return elo_of(mean), elo_of(mean - half), elo_of(mean + half)
