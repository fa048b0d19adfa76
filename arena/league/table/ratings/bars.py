"""The error bars of the ratings: variances from the spread between sets, not from a model of luck.

The matches of a set share their cards, and the pairs of a match share its course, so they are not
independent of each other. Sets are. The score of set c,

    u_c = sum over its comparisons of w*(s - P)*(e_i - e_j),

is its surprise: the points above the expected ones, by bot. With A the information matrix, the
spread between the sets gives the covariance of the ratings,

    V = A^-1 [C/(C-1) * sum over c of u_c u_c'] A^-1     (in units of r; C sets),

which is right for any dependence inside a set: shared luck, teams, ties. The half-width of a 95 %
bar around bot i, which sat in C_i sets, is t(0.975, C_i - 1) * sqrt(V_ii * C_i/(C_i - 1)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arena.league.table.ratings.model import expected
from arena.league.table.ratings.pairs import ComparedPairs, Pairs
from arena.league.table.ratings.results import Floats, Ints, sums
from arena.stats import quantile


@dataclass(frozen=True, eq=False)
class Surprises:
    """The scores of all sets as a sparse matrix: a row for each bot that was compared in a set."""

    set: Ints  # ascending
    bot: Ints
    surprise: Floats


def surprises(pairs: Pairs, ratings: Floats) -> Surprises:
    """Return by set and bot the points made minus the points expected."""
    p = expected(ratings)
    above = pairs.score - pairs.weight * p[pairs.first, pairs.second]
    first = pairs.set * pairs.bots + pairs.first
    second = pairs.set * pairs.bots + pairs.second
    # One cell for each set and bot; only cells that occur get a row.
    occurs = np.zeros(pairs.sets * pairs.bots, np.bool_)
    occurs[first] = True
    occurs[second] = True
    cells = np.flatnonzero(occurs)
    row = np.empty(len(occurs), np.int64)
    row[cells] = np.arange(len(cells))
    total = sums(row[first], above, len(cells)) - sums(row[second], above, len(cells))
    return Surprises(cells // pairs.bots, cells % pairs.bots, total)


class SetSpread:
    """The sum over all sets c of the matrix u_c u_c', taken in part by part.

    The rows of one set are neighbours. So each row is multiplied with itself, then with the next
    row, then with the second next, and so on, wherever both rows are of one set.
    """

    def __init__(self, bots: int):
        self.bots = bots
        self.sets_of_each: Ints = np.zeros(bots, np.int64)  # C_i: the sets that compare it
        self._by_distance: list[Floats] = []  # of products of so distant rows, by bot and bot

    def __repr__(self) -> str:
        return f"<SetSpread over {self.bots} bots>"

    def add(self, found: Surprises) -> None:
        """Take the scores of further sets, later ones than those before."""
        self.sets_of_each += np.bincount(found.bot, minlength=self.bots)
        n = np.arange(len(found.set))
        for distance in range(self.bots):
            n = n[n + distance < len(found.set)]
            n = n[found.set[n] == found.set[n + distance]]
            if not len(n):
                break
            if distance == len(self._by_distance):
                self._by_distance.append(np.zeros(self.bots**2))
            cells = found.bot[n] * self.bots + found.bot[n + distance]
            products = found.surprise[n] * found.surprise[n + distance]
            np.add.at(self._by_distance[distance], cells, products)

    def matrix(self) -> Floats:
        """Return the sum."""
        total = np.zeros((self.bots, self.bots))
        for distance, each in enumerate(self._by_distance):
            part = each.reshape(self.bots, self.bots)
            total += part if distance == 0 else part + part.T
        return total


def spread_over(pairs: ComparedPairs, ratings: Floats) -> tuple[int, SetSpread]:
    """Return the number of sets, and the spread of their scores."""
    sets, spread = 0, SetSpread(pairs.bots)
    for part in pairs.parts():
        sets += part.sets
        spread.add(surprises(part, ratings))
    return sets, spread


def covariance(sets: int, spread: Floats, inverse_information: Floats) -> Floats:
    """Return V, in units of r squared; zeros for a single set, which has no spread.

    `spread`: the sum over the sets, as `SetSpread` makes it.
    """
    if sets < 2:
        return np.zeros_like(inverse_information)
    middle = sets / (sets - 1) * spread
    between: Floats = inverse_information @ middle @ inverse_information
    return between


def half_width(variance: float, sets: int) -> float | None:
    """Return half the width of a 95 % bar, in units of the variance's root; None for one set."""
    if sets < 2:
        return None
    return quantile(0.975, sets - 1) * math.sqrt(max(0.0, variance) * sets / (sets - 1))
