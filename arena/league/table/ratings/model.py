"""The Bradley-Terry model on pairs of seats, and its fit.

A bot has one number r; the model gives the better of two a larger share of their comparisons,

    P(i ahead of j) = 1 / (1 + exp(r_j - r_i)),

and Elo is r times 400/ln 10. The ratings are those at which every bot has as many points as
the model expects of it, ties being half points:

    sum over its comparisons of w*s  =  sum over them of w*P.

Only the expectation of s enters, so the estimate is right for any rate of ties. With wins,
losses and weights of whole games these are the ratings of Ordo.

The prior: `tau` imagined ties of each bot against a bot with r = 0. A bot that won or lost
everything then has a finite rating, and all ratings move a little towards the middle.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arena.league.table.ratings.results import Floats

ELO = 400 / np.log(10)
"""Elo for each unit of r."""

LONGEST_STEP = 2.0
"""Limit of a Newton step, in units of r: where the curve is nearly flat a step would go far out."""

MOST_STEPS = 100
"""Limit of Newton steps: about eight are needed; without a finite solution they never shorten."""


class NoFiniteRatings(ValueError):
    """The fit has no finite solution: without a prior, a bot that won everything has no limit."""


def expected(ratings: Floats) -> Floats:
    """Return the matrix of P(row's bot ahead of column's bot)."""
    return 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))


def information(ratings: Floats, weights: Floats, tau: float) -> Floats:
    """Return the derivatives of the expected points by the ratings: a weighted Laplacian.

    Each pair's weight in it is w*P*(1-P); the prior adds tau*P*(1-P) to the diagonal. Without
    a prior only differences matter, and the matrix is singular along (1, ..., 1). So a constant
    is added to all cells: it moves all ratings alike, and the anchor takes that out again. With
    a prior the same constant would falsify the differences too.
    """
    p = expected(ratings)
    between = weights * p * (1 - p)
    p_prior = expected(np.append(ratings, 0.0))[:-1, -1]
    full = np.diag(between.sum(axis=1) + tau * p_prior * (1 - p_prior)) - between
    return full if tau else full + (np.trace(full) or 1.0) / len(full) ** 2


def fit(weights: Floats, scores: Floats, tau: float = 0.0) -> Floats:
    """Return the ratings r. `weights`, `scores`: matrices of the sums of w and of the row's w*s.

    Without a prior (`tau` 0) all bots must be one core, else NoFiniteRatings is raised.
    """
    if len(weights) < 2:
        return np.zeros(len(weights))
    made = scores.sum(axis=1)

    def missing(ratings: Floats) -> Floats:
        points = (weights * expected(ratings)).sum(axis=1)
        prior = 0.5 - expected(np.append(ratings, 0.0))[:-1, -1]
        return np.asarray(made - points + tau * prior, np.float64)

    return newton(len(weights), missing, lambda ratings: information(ratings, weights, tau))


def newton(
    size: int, missing: Callable[[Floats], Floats], matrix: Callable[[Floats], Floats]
) -> Floats:
    """Return the root of `missing` by Newton's method from 0. `matrix`: minus its derivative."""
    values = np.zeros(size)
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(matrix(values), missing(values))
        longest = float(np.abs(step).max())
        values += step * min(1.0, LONGEST_STEP / max(longest, LONGEST_STEP))
        if longest < 1e-10:
            return values
    raise NoFiniteRatings
