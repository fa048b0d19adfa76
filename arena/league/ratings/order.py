"""Who is above whom, and how sure that is.

Bars of two rows must not be compared by eye: errors of a difference are not sums, and the bots
met the same opponents. So this takes the covariance, in which the difference of i and j has the
variance V_ii + V_jj - 2 V_ij.

LOS is the likelihood that a bot is better than another, judged by that difference in units of
its error; with few sets an error is itself uncertain, so the scale is Student's. Ranks are
redrawn: ratings scattered as the covariance says, sorted, many times over.
"""

from __future__ import annotations

import math

import numpy as np

from arena.league.ratings.results import Floats
from arena.referee.student import share_below

SEPARATED = 0.975
"""The LOS from which two bots count as told apart: one side of a 95 % bar."""

DRAWS = 10_000
DRAWN_AT_ONCE = 1_000  # so that the draws stay in the processor's cache


def variance_of_difference(covariance: Floats, a: int, b: int) -> float:
    return max(0.0, float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]))


def superiority(difference: float, variance: float, sets: int) -> float | None:
    """The likelihood that the first is better. `sets` of the bot with fewer; a single set is
    silent."""
    if sets < 2:
        return None
    error = math.sqrt(variance * sets / (sets - 1))
    if error == 0:
        return 0.5 if difference == 0 else float(difference > 0)
    below = share_below(abs(difference) / error, sets - 1)
    return below if difference >= 0 else 1 - below


def rank_intervals(ratings: Floats, covariance: Floats) -> list[tuple[int, int]]:
    """By bot, the ranks between which it lies in 95 % of the draws. The same in every run."""
    bots = len(ratings)
    rng = np.random.default_rng(0)
    root = _root(covariance)
    position = np.arange(bots)
    counts = np.zeros(bots * bots)
    for _ in range(0, DRAWS, DRAWN_AT_ONCE):
        draws = ratings + rng.standard_normal((DRAWN_AT_ONCE, bots)) @ root
        best_first = np.argsort(-draws, axis=1)
        counts += np.bincount((best_first * bots + position).ravel(), minlength=bots * bots)
    up_to = counts.reshape(bots, bots).cumsum(axis=1)
    lowest = (up_to >= (1 - SEPARATED) * DRAWS).argmax(axis=1) + 1
    highest = (up_to >= SEPARATED * DRAWS).argmax(axis=1) + 1
    return [(int(a), int(b)) for a, b in zip(lowest, highest, strict=True)]


def _root(covariance: Floats) -> Floats:
    """The symmetric root. Unlike the eigenvectors it is unique, so that machines agree."""
    values, vectors = np.linalg.eigh(covariance)
    root: Floats = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    return root
