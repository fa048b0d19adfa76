"""Comparisons of two seats, added up to one row for each set and pair of bots.

A table of k seats makes k(k-1)/2 comparisons that share one match's luck. Each weighs 2/k, so
that a match counts k-1 in all: of the weights tried on a mixture of table sizes, this one lost
the least information. These rows are enough for the fit and for its bars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arena.league.table.ratings.results import Floats, Ints, Tables, sums


@dataclass(frozen=True, eq=False)
class Pairs:
    """For each set and each pair of bots that met in it: weight and score.

    All are columns of the same length, sorted by (set, first, second). A match adds w to the
    weight of a pair, and w*s to its score: s is 1 where the first finished ahead, 1/2 for a tie.
    """

    bots: int  # the number of bots; first < second < bots
    set: Ints  # from 0, without gaps
    first: Ints
    second: Ints
    weight: Floats
    score: Floats

    @property
    def sets(self) -> int:
        return int(self.set[-1]) + 1 if len(self.set) else 0

    def among(self, bots: Ints) -> Pairs:
        """Return the rows between these bots (in ascending order), numbered anew."""
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
        """Return the matrix of the sums of w over all sets, by bot and bot."""
        half = self._sums(self.first, self.second, self.weight)
        return half + half.T

    def scores(self) -> Floats:
        """Return the matrix of the sums of w*s over all sets, s being that of the row's bot."""
        won = self._sums(self.first, self.second, self.score)
        lost = self._sums(self.second, self.first, self.weight - self.score)
        return won + lost

    def _sums(self, row: Ints, column: Ints, values: Floats) -> Floats:
        cells = sums(row * self.bots + column, values, self.bots**2)
        return cells.reshape(self.bots, self.bots)


def pairs_of(bots: int, tables: Sequence[Tables]) -> Pairs:
    """Return the rows of these matches; the order of the matches makes no difference."""
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
    """Number the values anew from 0 without gaps; equal values keep equal numbers."""
    return np.cumsum(np.diff(ascending, prepend=ascending[:1]) != 0)
