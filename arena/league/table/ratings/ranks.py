"""The likelihood that one bot is better than another (LOS), and intervals of ranks.

Bars of two rows must not be compared by eye: the error of a difference is not the sum of the
errors, and the bots met the same opponents. So this module uses the covariance: the difference of
i and j has the variance V_ii + V_jj - 2 V_ij.

LOS comes from that difference in units of its error. With few sets the error is itself uncertain,
so the scale is Student's t. Intervals of ranks come from draws: ratings are drawn with the
covariance and sorted, many times.
"""

from __future__ import annotations

import math

import numpy as np

from arena.league.table.ratings.results import Floats
from arena.stats import share_below

SEPARATED = 0.975
"""The least LOS at which two bots count as separated: one side of a 95 % bar."""

DRAWS = 10_000
DRAWN_AT_ONCE = 1_000  # so that the draws stay in the processor's cache


def variance_of_difference(covariance: Floats, a: int, b: int) -> float:
    return max(0.0, float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]))


def superiority(difference: float, variance: float, sets: int) -> float | None:
    """Return the likelihood that the first of two bots is better; None for a single set.

    `difference`: of their ratings. `sets`: the number of the bot that has fewer.
    """
    if sets < 2:
        return None
    error = math.sqrt(variance * sets / (sets - 1))
    if error == 0:
        return 0.5 if difference == 0 else float(difference > 0)
    below = share_below(abs(difference) / error, sets - 1)
    return below if difference >= 0 else 1 - below


def rank_intervals(ratings: Floats, covariance: Floats) -> list[tuple[int, int]]:
    """Return by bot the lowest and highest rank in 95 % of the draws; the same in every run."""
    bots = len(ratings)
    rng = np.random.default_rng(0)
    root = _root(covariance)
    position = np.arange(bots)
    counts = np.zeros(bots * bots)
    # Sorting by lots too costs some six times as much, so only where a draw can be a tie.
    lots = np.random.default_rng(1) if len(np.unique(ratings)) < bots else None
    for _ in range(0, DRAWS, DRAWN_AT_ONCE):
        draws = ratings + rng.standard_normal((DRAWN_AT_ONCE, bots)) @ root
        if lots is None:
            best_first = np.argsort(-draws, axis=1)
        else:
            best_first = np.lexsort((lots.random(draws.shape), -draws), axis=1)
        counts += np.bincount((best_first * bots + position).ravel(), minlength=bots * bots)
    up_to = counts.reshape(bots, bots).cumsum(axis=1)
    lowest = (up_to >= (1 - SEPARATED) * DRAWS).argmax(axis=1) + 1
    highest = (up_to >= SEPARATED * DRAWS).argmax(axis=1) + 1
    return [(int(a), int(b)) for a, b in zip(lowest, highest, strict=True)]


def _root(covariance: Floats) -> Floats:
    """Return the symmetric root. Unlike the eigenvectors it is unique, so all machines agree."""
    values, vectors = np.linalg.eigh(covariance)
    root: Floats = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    return root
