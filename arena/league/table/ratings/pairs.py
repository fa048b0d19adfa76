"""Comparisons of two seats, added up to one row for each set and pair of bots.

A table of k seats makes k(k-1)/2 comparisons that share one match's luck. Each weighs 2/k, so
that a match counts k-1 in all: of the weights tried on a mixture of table sizes, this one lost
the least information. These rows are enough for the fit and for its bars.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Protocol

import numpy as np

from arena.league.table.ratings.results import Floats, Ints, Tables, sums


class ComparedPairs(Protocol):
    """The rows of all pairs of bots of a league, at once or part by part."""

    @property
    def bots(self) -> int:
        """The number of bots."""

    def parts(self) -> Iterator[Pairs]:
        """Yield the rows: whole sets, in ascending order."""

    def among(self, bots: Ints) -> ComparedPairs:
        """Return the rows between these bots (in ascending order), numbered anew."""

    def weights(self) -> Floats:
        """Return the matrix of the sums of w over all sets, by bot and bot."""

    def scores(self) -> Floats:
        """Return the matrix of the sums of w*s over all sets, s being that of the row's bot."""


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

    def parts(self) -> Iterator[Pairs]:
        """Yield the rows."""
        yield self

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
        return PairTotals.over(self).weights

    def scores(self) -> Floats:
        """Return the matrix of the sums of w*s over all sets, s being that of the row's bot."""
        return PairTotals.over(self).scores


@dataclass(frozen=True, eq=False)
class PairTotals:
    """The sums of w and of w*s over all sets, by bot and bot."""

    weights: Floats
    scores: Floats

    @classmethod
    def over(cls, pairs: ComparedPairs) -> PairTotals:
        """Add up all rows."""
        bots = pairs.bots
        weight, won, lost = np.zeros((3, bots**2))
        for part in pairs.parts():
            there, back = part.first * bots + part.second, part.second * bots + part.first
            # One row after the other, so that parts change no bit of a sum.
            np.add.at(weight, there, part.weight)
            np.add.at(won, there, part.score)
            np.add.at(lost, back, part.weight - part.score)
        half = weight.reshape(bots, bots)
        return cls(half + half.T, (won + lost).reshape(bots, bots))


class PairsInParts:
    """The rows of many matches: made anew, part by part, each time that they are needed."""

    def __init__(self, bots: int, matches: Iterable[Sequence[Tables]]):
        """`matches`: in parts of whole sets, in ascending order (`results.parts_of`)."""
        self.bots = bots
        self._matches = matches

    def __repr__(self) -> str:
        return f"<PairsInParts of {self.bots} bots>"

    def parts(self) -> Iterator[Pairs]:
        """Yield the rows: whole sets, in ascending order."""
        for tables in self._matches:
            yield pairs_of(self.bots, tables)

    def among(self, bots: Ints) -> PairsAmong:
        """Return the rows between these bots (in ascending order), numbered anew."""
        return PairsAmong(self, bots)

    def weights(self) -> Floats:
        """Return the matrix of the sums of w over all sets, by bot and bot."""
        return self.totals.weights

    def scores(self) -> Floats:
        """Return the matrix of the sums of w*s over all sets, s being that of the row's bot."""
        return self.totals.scores

    @cached_property
    def totals(self) -> PairTotals:
        """The sums over all sets, once they were asked for."""
        return PairTotals.over(self)


@dataclass(frozen=True, eq=False)
class PairsAmong:
    """The rows between some bots only, numbered anew."""

    whole: PairsInParts
    names: Ints  # the numbers that these bots have in `whole`, ascending

    @property
    def bots(self) -> int:
        """The number of bots."""
        return len(self.names)

    def parts(self) -> Iterator[Pairs]:
        """Yield the rows: whole sets, in ascending order."""
        for part in self.whole.parts():
            yield part.among(self.names)

    def among(self, bots: Ints) -> PairsAmong:
        """Return the rows between these bots (in ascending order), numbered anew."""
        return PairsAmong(self.whole, self.names[bots])

    def weights(self) -> Floats:
        """Return the matrix of the sums of w over all sets, by bot and bot."""
        return self.whole.weights()[np.ix_(self.names, self.names)]

    def scores(self) -> Floats:
        """Return the matrix of the sums of w*s over all sets, s being that of the row's bot."""
        return self.whole.scores()[np.ix_(self.names, self.names)]


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
