"""How sure the ratings are: variances from sets that differ, not from a model of luck.

The matches of a set share their cards, and the pairs of a match its course, so that none of them
is news of its own. A set is. What set c has to say about the ratings is its score,

    u_c = sum over its comparisons of w*(s - P)*(e_i - e_j),

the points by which it surprised. With A the information matrix, the sets' spread carries over to
the ratings as

    V = A^-1 [C/(C-1) * sum over c of u_c u_c'] A^-1     (in units of r; C sets),

whatever goes on inside a set: shared luck, teams, ties. The half-width of a 95 % bar around bot
i, which sat in C_i sets, is t(0.975, C_i - 1) * sqrt(V_ii * C_i/(C_i - 1)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arena.league.ratings.model import expected
from arena.league.ratings.pairs import Pairs
from arena.league.ratings.results import Floats, Ints, sums
from arena.referee.student import quantile


@dataclass(frozen=True, eq=False)
class Surprises:
    """The scores of all sets, of which few entries are not zero: a row for each set and bot."""

    set: Ints  # ascending
    bot: Ints
    surprise: Floats


def surprises(pairs: Pairs, ratings: Floats) -> Surprises:
    """By set and bot, the points above what the model expected."""
    p = expected(ratings)
    above = pairs.score - pairs.weight * p[pairs.first, pairs.second]
    first = pairs.set * pairs.bots + pairs.first
    second = pairs.set * pairs.bots + pairs.second
    # A cell for each set and bot, of which those are numbered that occur.
    occurs = np.zeros(pairs.sets * pairs.bots, np.bool_)
    occurs[first] = True
    occurs[second] = True
    cells = np.flatnonzero(occurs)
    row = np.empty(len(occurs), np.int64)
    row[cells] = np.arange(len(cells))
    total = sums(row[first], above, len(cells)) - sums(row[second], above, len(cells))
    return Surprises(cells // pairs.bots, cells % pairs.bots, total)


def spread(bots: int, told: Surprises) -> Floats:
    """The sum over sets of u_c u_c'.

    Rows of one set lie together. So row n is multiplied with row n, then with row n+1 where
    that is of the same set, then with n+2, until no set is so large.
    """
    total = np.zeros((bots, bots))
    n = np.arange(len(told.set))
    for distance in range(bots):
        n = n[n + distance < len(told.set)]
        n = n[told.set[n] == told.set[n + distance]]
        if not len(n):
            break
        cells = told.bot[n] * bots + told.bot[n + distance]
        products = told.surprise[n] * told.surprise[n + distance]
        part = sums(cells, products, bots**2).reshape(bots, bots)
        total += part if distance == 0 else part + part.T
    return total


def sets_of_each(bots: int, told: Surprises) -> Ints:
    """By bot, the number of sets that compare it with anybody: C_i."""
    return np.bincount(told.bot, minlength=bots)


def covariance(pairs: Pairs, told: Surprises, inverse_information: Floats) -> Floats:
    """V, in units of r squared; zeros for a single set, which has no spread."""
    if pairs.sets < 2:
        return np.zeros_like(inverse_information)
    middle = pairs.sets / (pairs.sets - 1) * spread(pairs.bots, told)
    between: Floats = inverse_information @ middle @ inverse_information
    return between


def half_width(variance: float, sets: int) -> float | None:
    """Of a 95 % bar, in the units of the variance's root; None with a single set."""
    if sets < 2:
        return None
    return quantile(0.975, sets - 1) * math.sqrt(max(0.0, variance) * sets / (sets - 1))
