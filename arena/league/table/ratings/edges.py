"""The worth of each seat in Elo, its edge: a small table beside the ratings, for each table size.

Where every set is played in all its seatings, seats cancel out of the ratings. In single matches
they do not; and the advantage of sitting first is worth knowing anyway. Each seat a of a table
has an edge c_a in the same model and units as the ratings; the edges of a table add up to 0:

    P(i in seat a ahead of j in seat b) = 1 / (1 + exp((r_j + c_b) - (r_i + c_a))).

The edges are further parameters of the same fit, with the same prior, and their bars come from
the same sets. The ratings of this fit are not published: they would be a second number for the
same bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arena.league.table.ratings import bars
from arena.league.table.ratings.anchor import pinned
from arena.league.table.ratings.group import PRIOR
from arena.league.table.ratings.model import ELO, expected, newton
from arena.league.table.ratings.pairs import without_gaps
from arena.league.table.ratings.results import (
    Floats,
    Ints,
    Matches,
    Scored,
    Tables,
    sums,
    tables_of,
)

SIGNS = np.array([1.0, 1.0, -1.0, -1.0])
"""Signs of a comparison's parameters: the first bot, its seat, the second bot, its seat."""


@dataclass(frozen=True)
class Edges:
    """The edges of the seats of one table size, in Elo."""

    seats: int
    elo: tuple[float, ...]  # by seat; they add up to 0
    half_widths: tuple[float | None, ...]  # of the 95 % bars; None with a single set


def seat_edges(
    bots: int,
    matches: Sequence[Scored] | Matches,
    owners: Sequence[str] | None = None,
    tau: float = PRIOR,
) -> tuple[Edges, ...]:
    """Return the edges of each table size, the smallest first.

    A size is left out if no two bots were compared at it. `tau`: the prior, as in `model.fit`.
    """
    comparisons = [_Comparisons(bots, table) for table in tables_of(bots, matches, owners)]
    return tuple(_edges(one, tau) for one in comparisons if len(one.score))


class _Comparisons:
    """All pairs of seats of the matches of one size. Parameters: by bot, then by seat."""

    def __init__(self, bots: int, table: Tables):
        self.bots, self.seats = bots, table.seats
        self.size = bots + table.seats
        sets, scores, parameters = [], [], []
        for a, b in combinations(range(table.seats), 2):
            counts = table.counts(a, b)
            first, second = table.bots[counts, a], table.bots[counts, b]
            seat = np.ones(len(first), np.int64)
            sets.append(table.set[counts])
            scores.append(table.score(a, b)[counts])
            parameters.append([first, seat * (bots + a), second, seat * (bots + b)])
        self.set: Ints = np.concatenate(sets)
        self.score: Floats = np.concatenate(scores)
        self.weight = 2 / table.seats
        self.parameters: Ints = np.concatenate(parameters, axis=1)

    def __repr__(self) -> str:
        return f"<_Comparisons {len(self.score)} at tables of {self.seats}>"

    def expected(self, values: Floats) -> Floats:
        """Return by comparison P of the first bot in its seat."""
        return np.asarray(1 / (1 + np.exp(-(SIGNS @ values[self.parameters]))), np.float64)

    def missing(self, values: Floats, tau: float) -> Floats:
        """Return by parameter the points made minus the points expected."""
        above = self.weight * (self.score - self.expected(values))
        missing = sums(self.parameters.ravel(), np.outer(SIGNS, above).ravel(), self.size)
        return missing + tau * (0.5 - expected(np.append(values, 0.0))[:-1, -1])

    def information(self, values: Floats, tau: float) -> Floats:
        """Return the derivatives of the expected points, a row and column for each parameter.

        Without a prior the matrix is made regular.
        """
        p = self.expected(values)
        v = self.weight * p * (1 - p)
        total = np.zeros(self.size**2)
        for row, sign in zip(self.parameters, SIGNS, strict=True):
            cells = row * self.size + self.parameters
            total += sums(cells.ravel(), np.outer(sign * SIGNS, v).ravel(), self.size**2)
        p_prior = expected(np.append(values, 0.0))[:-1, -1]
        full = total.reshape(self.size, self.size) + np.diag(tau * p_prior * (1 - p_prior))
        if not tau:  # as in `model.information`, for ratings and edges apart
            full[: self.bots, : self.bots] += 1
            full[self.bots :, self.bots :] += 1
        return full

    def surprises(self, values: Floats) -> bars.Surprises:
        """Return by set and parameter the points made minus the points expected."""
        above = np.outer(SIGNS, self.weight * (self.score - self.expected(values)))
        keys, row = np.unique(self.set * self.size + self.parameters, return_inverse=True)
        total = sums(row.ravel(), above.ravel(), len(keys))
        return bars.Surprises(without_gaps(keys // self.size), keys % self.size, total)


def fitted(comparisons: _Comparisons, tau: float) -> Floats:
    """Return the fitted parameters: the ratings, then the edges."""
    return newton(
        comparisons.size,
        lambda values: comparisons.missing(values, tau),
        lambda values: comparisons.information(values, tau),
    )


def _edges(comparisons: _Comparisons, tau: float) -> Edges:
    values = fitted(comparisons, tau)
    found = comparisons.surprises(values)
    sets = int(found.set[-1]) + 1
    inverse = np.linalg.inv(comparisons.information(values, tau))
    spread = bars.SetSpread(comparisons.size)
    spread.add(found)
    between = inverse @ spread.matrix() @ inverse * sets / max(sets - 1, 1)
    edges = slice(comparisons.bots, None)
    level = np.full(comparisons.seats, 1 / comparisons.seats)
    move, around_zero = pinned(values[edges], level)
    variances = ELO**2 * np.diag(move @ between[edges, edges] @ move.T)
    return Edges(
        comparisons.seats,
        tuple((ELO * around_zero).tolist()),
        tuple(bars.half_width(variance, sets) for variance in variances.tolist()),
    )
