"""Bars by set once more, as slowly and plainly as the formula can be read. No code is shared."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from arena.league.table.ratings import Scored

ELO = 173.71779276130073


def comparisons(match: Scored, owners: Sequence[str]) -> Iterator[tuple[int, int, float, float]]:
    """Two bots, the weight, and the first one's s."""
    seats = len(match.bots)
    for a in range(seats):
        for b in range(a + 1, seats):
            i, j = match.bots[a], match.bots[b]
            if owners[i] == owners[j]:
                continue
            if a in match.forfeits and b in match.forfeits and match.places[a] == match.places[b]:
                continue
            if match.places[a] < match.places[b]:
                yield i, j, 2 / seats, 1.0
            elif match.places[a] > match.places[b]:
                yield i, j, 2 / seats, 0.0
            else:
                yield i, j, 2 / seats, 0.5


def missing_points(
    elo: Sequence[float], matches: Sequence[Scored], owners: Sequence[str]
) -> list[float]:
    """By bot, points made minus points expected: all 0 at a solution without a prior."""
    missing = [0.0] * len(elo)
    for match in matches:
        for i, j, weight, score in comparisons(match, owners):
            surprise = weight * (score - 1 / (1 + 10 ** ((elo[j] - elo[i]) / 400)))
            missing[i] += surprise
            missing[j] -= surprise
    return missing


def covariance(
    elo: Sequence[float],
    matches: Sequence[Scored],
    owners: Sequence[str],
    weights_of_anchor: Sequence[float],
    prior: Sequence[float],
) -> NDArray[np.float64]:
    """In Elo. `prior`: by bot, what the prior adds to the information."""
    bots = len(elo)
    information = np.zeros((bots, bots))
    for i in range(bots):
        information[i][i] += prior[i]
    surprise_of_set: dict[int, list[float]] = defaultdict(lambda: [0.0] * bots)
    for match in matches:
        for i, j, weight, score in comparisons(match, owners):
            p = 1 / (1 + 10 ** ((elo[j] - elo[i]) / 400))
            v = weight * p * (1 - p)
            information[i][i] += v
            information[j][j] += v
            information[i][j] -= v
            information[j][i] -= v
            surprise_of_set[match.set][i] += weight * (score - p)
            surprise_of_set[match.set][j] -= weight * (score - p)
    middle = np.zeros((bots, bots))
    for surprise in surprise_of_set.values():
        for i in range(bots):
            for j in range(bots):
                middle[i][j] += surprise[i] * surprise[j]
    sets = len(surprise_of_set)
    # Another way to a generalised inverse than the product's, which adds a constant.
    inverse = np.linalg.pinv(information, rcond=1e-11)
    spread = inverse @ middle @ inverse * (sets / (sets - 1)) * ELO**2
    to_anchor = np.zeros((bots, bots))
    for i in range(bots):
        for j in range(bots):
            for k in range(bots):
                for m in range(bots):
                    left = (i == k) - weights_of_anchor[k]
                    right = (j == m) - weights_of_anchor[m]
                    to_anchor[i][j] += left * spread[k][m] * right
    return to_anchor


def half_width(variance: float, t: float, sets: int) -> float:
    return t * math.sqrt(variance * sets / (sets - 1))
