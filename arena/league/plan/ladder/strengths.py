"""The strengths by which the ladder finds neighbours: a fit of its own, in whole Elo.

The model is that of the published table: Bradley and Terry's on pairs of seats, with one imagined
tie of each bot against the middle. Everything is summed in whole numbers from two short tables, so
that the order of the results changes nothing and a replay on another machine gives the same
strengths. The equations are solved without BLAS: its last bits differ from machine to machine, and
its threads wait for each other where bots keep all cores busy.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.league.plan.counts import Ints

Floats: TypeAlias = NDArray[np.float64]

ELO = 400 / math.log(10)
"""Elo for each natural-log unit."""

ONE = 1 << 20
"""A share of 1 in the tables. So coarse that the last bit of another machine's `**` rounds away."""

FARTHEST = 2000
"""Differences are cut to this, in Elo: then one match in 100,000 is lost."""

_SHARES = [1 / (1 + 10 ** (-elo / 400)) for elo in range(-FARTHEST, FARTHEST + 1)]
_AHEAD: Ints = np.array([round(ONE * share) for share in _SHARES], np.int64)
_TOLD: Ints = np.array([round(ONE * share * (1 - share)) for share in _SHARES], np.int64)

MOST_STEPS = 12
"""Limit of Newton steps from 0: about six are needed until none moves a strength by 1 Elo."""

OWN_STEPS = 4

MOST_ROUNDS = 100
NEAR_ENOUGH = 1e-5
"""In natural-log units: 0.002 Elo for one bot, less than 0.1 Elo for a whole part of the ladder."""

LONGEST_STEP = 350.0
"""Limit of one step, in Elo: where the curve is nearly flat a step would go far out."""


def ahead(difference: Ints) -> Ints:
    """Return the expected share of meetings in which the stronger of two finishes ahead, in ONE.

    `difference`: of their strengths, in Elo; negative for the share of the weaker.
    """
    found: Ints = _AHEAD[np.clip(difference, -FARTHEST, FARTHEST) + FARTHEST]
    return found


def told(difference: Ints) -> Ints:
    """Return the information of one meeting on the difference, P*(1-P), in ONE: most at 0."""
    found: Ints = _TOLD[np.clip(difference, -FARTHEST, FARTHEST) + FARTHEST]
    return found


def fitted(games: Ints, halves: Ints) -> Ints:
    """Return the strengths in Elo at which all bots have as many points as the model expects.

    `games`: the matrix of the numbers of meetings; `halves`: of the row's half points in them.
    """
    size = len(games)
    strengths = np.zeros(size, np.int64)
    for _ in range(MOST_STEPS):
        apart = strengths[:, None] - strengths
        information = games * told(apart)
        matrix = np.diag(information.sum(1) + told(strengths)) - information
        missing = _missing(games, halves, apart, strengths)
        step = _whole(solved(matrix.astype(np.float64), missing / 2))
        strengths += step
        if not step.any():
            break
    return strengths


def own(games: Ints, halves: Ints, start: Ints, others: Ints) -> Ints:
    """Return the strengths of some bots, each from its own row, the strengths of all others given.

    `games`, `halves`: a row for each of these bots; `start`: their strengths so far; `others`: the
    strengths of the bots of the columns.
    """
    strengths = start
    for _ in range(OWN_STEPS):
        apart = strengths[:, None] - others
        information = (games * told(apart)).sum(1) + told(strengths)
        missing = _missing(games, halves, apart, strengths)
        strengths = strengths + _whole(missing / 2 / information.clip(1))
    return strengths


def solved(matrix: Floats, wanted: Floats) -> Floats:
    """Return x with matrix * x = wanted, to about NEAR_ENOUGH, by conjugate gradients.

    `matrix`: symmetric, and positive definite.
    """
    diagonal = np.diag(matrix)
    found = np.zeros(len(wanted))
    rest = wanted
    scaled = rest / diagonal
    way, size = scaled, float((rest * scaled).sum())
    for _ in range(MOST_ROUNDS):
        if float(np.abs(scaled).max()) < NEAR_ENOUGH:
            break
        turned = (matrix * way).sum(1)
        length = size / float((way * turned).sum())
        found = found + length * way
        rest = rest - length * turned
        scaled = rest / diagonal
        before, size = size, float((rest * scaled).sum())
        way = scaled + size / before * way
    return found


def _missing(games: Ints, halves: Ints, apart: Ints, strengths: Ints) -> Ints:
    """Return by row the half points made minus those expected, in ONE; one tie with 0 is added."""
    expected = 2 * (games * ahead(apart)).sum(1) + 2 * ahead(strengths)
    missing: Ints = ONE * (halves.sum(1) + 1) - expected
    return missing


def _whole(step: Floats) -> Ints:
    """Return the step in whole Elo, none longer than LONGEST_STEP."""
    whole: Ints = np.rint(np.clip(ELO * step, -LONGEST_STEP, LONGEST_STEP)).astype(np.int64)
    return whole
