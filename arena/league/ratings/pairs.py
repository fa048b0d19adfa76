"""Comparisons of two seats, added up to one row for each set and pair of bots.

A table of k seats makes k(k-1)/2 comparisons that share one match's luck. Each weighs 2/k, so
that a match counts k-1 in all: of the weights tried on a mixture of table sizes it lost least.
These rows are enough for the fit and for its bars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arena.league.ratings.results import Floats, Ints, Tables, sums


@dataclass(frozen=True, eq=False)
class Pairs:
    """The rows, in the order of (set, first, second)."""

    bots: int  # how many there are; first < second < bots
    set: Ints  # from 0, without gaps
    first: Ints
    second: Ints
    weight: Floats  # the sum of w
    score: Floats  # the sum of w*s, where s is the first bot's

    @property
    def sets(self) -> int:
        return int(self.set[-1]) + 1 if len(self.set) else 0

    def among(self, bots: Ints) -> Pairs:
        """The rows between these bots (in ascending order), numbered anew."""
        number = np.full(self.bots, -1)
        number[bots] = np.arange(len(bots))
        first, second = number[self.first], number[self.second]
        kept = (first >= 0) & (second >= 0)
        return Pairs(
            len(bots),
            without_gaps(self.set[kept]),
            first[kept],
            second[kept],
            self.weight[kept],
            self.score[kept],
        )

    def weights(self) -> Floats:
        """By bot and bot, the sum of w over all sets."""
        half = self._sums(self.first, self.second, self.weight)
        return half + half.T

    def scores(self) -> Floats:
        """By bot and bot, the sum of w*s over all sets, s being that of the row's bot."""
        won = self._sums(self.first, self.second, self.score)
        lost = self._sums(self.second, self.first, self.weight - self.score)
        return won + lost

    def _sums(self, row: Ints, column: Ints, values: Floats) -> Floats:
        cells = sums(row * self.bots + column, values, self.bots**2)
        return cells.reshape(self.bots, self.bots)


def pairs_of(bots: int, tables: Sequence[Tables]) -> Pairs:
    """The rows of these matches; the order in which they come makes no difference."""
    keys, weights, scores = [np.zeros(0, np.int64)], [np.zeros(0)], [np.zeros(0)]
    for table in tables:
        for a, b in combinations(range(table.seats), 2):
            counts = table.counts(a, b)
            first, second = table.bots[counts, a], table.bots[counts, b]
            score = table.score(a, b)[counts]
            low, high = np.minimum(first, second), np.maximum(first, second)
            keys.append((table.set[counts] * bots + low) * bots + high)
            weights.append(np.full(len(first), 2 / table.seats))
            scores.append(2 / table.seats * np.where(first < second, score, 1 - score))
    key, row = np.unique(np.concatenate(keys), return_inverse=True)
    return Pairs(
        bots,
        without_gaps(key // bots**2) if bots else key,
        key // bots % bots if bots else key,
        key % bots if bots else key,
        sums(row, np.concatenate(weights), len(key)),
        sums(row, np.concatenate(scores), len(key)),
    )


def without_gaps(ascending: Ints) -> Ints:
    """The same numbers told apart by 0, 1, 2 and so on."""
    return np.cumsum(np.diff(ascending, prepend=ascending[:1]) != 0)
