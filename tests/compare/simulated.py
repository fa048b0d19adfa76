"""Sets of two bots whose matches are drawn at random, thousands of comparisons at once.

The formulas of the stop test are written here a second time, for arrays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from arena.compare.stop import FEWEST_SETS, MANY_VALUES, StopTest
from arena.likelihood import EMPTY_CELL, LEAST_VARIANCE, share_of

Floats: TypeAlias = npt.NDArray[np.float64]

# At most, of Newton's method from 0, each kept between the ends of the range of theta.
ROUNDS = 60

# Sets that are drawn together; those after a verdict are drawn in vain.
BLOCK = 50


@dataclass(frozen=True)
class Luck:
    """What decides a match besides strength, each with its standard deviation.

    A seat's result is strength + hand + chance; the higher one of a pair wins it. `hands`: of each
    hand, the same in all matches of a set. `chance`: of each seat in each match. `deals`: a deal
    suits one bot better, at all of its seats in all matches of a set. `tie`: results of a pair
    that are no farther apart are tied.
    """

    hands: float
    chance: float
    deals: float
    tie: float

    @property
    def of_a_pair(self) -> float:
        return math.sqrt(2 * self.hands**2 + 2 * self.chance**2 + self.deals**2)

    def strength(self, elo: float) -> float:
        """Return the strength with which a bot scores as its Elo says, on average exactly."""
        below, low, high = NormalDist(sigma=self.of_a_pair).cdf, -50.0, 50.0
        for _ in range(100):
            middle = (low + high) / 2
            score = (below(middle - self.tie) + below(middle + self.tie)) / 2
            low, high = (middle, high) if score < share_of(elo) else (low, middle)
        return low


# Hands decide most, and a deal suits one of the bots a little better.
HANDS = Luck(hands=1.5, chance=1.0, deals=0.3, tie=0.0)
# Hands decide little; how well a deal suits a bot decides much; many ties.
DEALS = Luck(hands=0.3, chance=1.0, deals=1.5, tie=0.3)
# Hands decide nearly everything: most sets are level.
LEVEL = Luck(hands=1.5, chance=0.1, deals=0.0, tie=0.0)


def results_of_sets(
    random: np.random.Generator, shape: tuple[int, int], seats: int, luck: Luck, elo: float
) -> Floats:
    """Return the first bot's results of sets, half of the seats being its own (as AABB)."""
    deals = random.normal(luck.strength(elo), luck.deals, shape)
    hands = random.normal(0, luck.hands, (*shape, seats))
    total = np.zeros(shape)
    for turn in range(seats):
        results = hands + random.normal(0, luck.chance, (*shape, seats))
        mine = [(seat + turn) % seats < seats // 2 for seat in range(seats)]
        for one in np.flatnonzero(mine):
            for other in np.flatnonzero(np.logical_not(mine)):
                ahead = results[..., one] + deals - results[..., other]
                total += (ahead > luck.tie) + 0.5 * (np.abs(ahead) <= luck.tie)
    found: Floats = total / (seats * (seats // 2) * (seats - seats // 2))
    return found


def ratio_of_cells(counts: Floats, means: Sequence[float]) -> Floats:
    """Return the ratios of comparisons at tables of two. `counts`: a row for each comparison."""
    filled = np.where(counts == 0, EMPTY_CELL, counts)
    results = np.linspace(0, 1, counts.shape[1])
    logarithms = []
    for mean in means:
        away = results - mean
        low = np.full(len(counts), -1 / away.max())
        high = np.full(len(counts), -1 / away.min())
        theta = np.zeros(len(counts))
        for _ in range(ROUNDS):
            under = 1 + theta[:, None] * away
            rest = (filled * away / under).sum(axis=1)
            low, high = np.where(rest > 0, theta, low), np.where(rest > 0, high, theta)
            there = theta + rest / (filled * (away / under) ** 2).sum(axis=1)
            there = np.where((low < there) & (there < high), there, (low + high) / 2)
            theta, moved = there, np.abs(there - theta).max()
            if moved < 1e-7:
                break
        logarithms.append(np.log1p(theta[:, None] * away))
    found: Floats = (filled * (logarithms[0] - logarithms[1])).sum(axis=1)
    return found


def ratio_of_spread(
    sets: int, mean: Floats, variance: Floats, claims: Sequence[float], *, is_normalised: bool
) -> Floats:
    """Return the ratios of comparisons at larger tables."""
    held = np.maximum(variance, LEAST_VARIANCE)
    if is_normalised:
        t = (mean - 0.5) / np.sqrt(held)
        under = [1 + (t - claim) ** 2 for claim in claims]
    else:
        under = [held + (mean - claim) ** 2 for claim in claims]
    found: Floats = sets / 2 * np.log(under[0] / under[1])
    return found


@dataclass(frozen=True)
class Ended:
    """How many comparisons ended how, and their mean number of sets."""

    accepted: float
    rejected: float
    sets: float


def stopped(
    test: StopTest,
    seats: int,
    luck: Luck,
    elo: float,
    *,
    runs: int = 4_000,
    seed: int = 1,
) -> Ended:
    """Play comparisons to their verdicts, looking after every set."""
    random = np.random.default_rng(seed)
    low, high = test.limits
    claims = test.claims(seats)
    steps = 2 * seats * (seats // 2) * (seats - seats // 2)
    counts, lengths = np.zeros((runs, steps + 1)), np.zeros(runs)
    results = np.linspace(0, 1, steps + 1)
    going = np.arange(runs)
    accepted = number = 0
    while len(going):
        block = results_of_sets(random, (len(going), BLOCK), seats, luck, elo)
        for column in np.rint(block * steps).astype(int).T:
            number += 1
            alive = lengths[going] == 0
            now = going[alive]
            counts[now, column[alive]] += 1
            if number < FEWEST_SETS or not len(now):
                continue
            mean = counts[now] @ results / number
            variance = (counts[now] @ results**2 - number * mean**2) / (number - 1)
            ratio = ratio_of_spread(
                number, mean, variance, claims, is_normalised=test.bounds.is_normalised
            )
            few = counts[now].max(axis=1) >= (0 if seats == 2 else MANY_VALUES * number)
            if few.any() and not test.bounds.is_normalised:
                ratio[few] = ratio_of_cells(counts[now[few]], claims)
            accepted += int((ratio >= high).sum())
            lengths[now[(ratio >= high) | (ratio <= low)]] = number
        going = going[lengths[going] == 0]
    return Ended(accepted / runs, 1 - accepted / runs, float(lengths.mean()))
