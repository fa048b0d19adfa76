"""The ratings of one group of bots that can be compared with each other."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from arena.league.table.ratings import bars, connection, model, ranks
from arena.league.table.ratings.anchor import pinned
from arena.league.table.ratings.pairs import ComparedPairs
from arena.league.table.ratings.results import Flags, Floats, Ints

PRIOR = 1.0
"""Imagined ties of each bot with the middle of its group: one weighs no more than half a game
at a table of four, and keeps perfect scores finite."""


NORMAL = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, eq=False)
class Group:
    """The ratings of a group in Elo, the anchor's mean at 0.

    Arrays have an entry for each bot, in the order of `bots`.
    """

    bots: Ints  # ascending
    elo: Floats
    covariance: Floats  # by set, of the distance to the anchor
    plain_covariance: Floats  # from the model of luck instead: for debugging, not published
    sets: Ints  # by bot, the number of sets that compare it with another
    core: Ints  # bots with the same number have chains of points both ways between them
    is_main: Flags  # in the one core that outgrows the others, if there is one

    def __post_init__(self) -> None:
        for values in vars(self).values():
            values.setflags(write=False)

    def half_width(self, a: int) -> float | None:
        """Return half the 95 % bar; None if the results alone do not limit the rating."""
        if not self.is_main[a]:
            return None
        return bars.half_width(float(self.covariance[a, a]), int(self.sets[a]))

    def plain_half_width(self, a: int) -> float:
        return NORMAL * math.sqrt(max(0.0, float(self.plain_covariance[a, a])))

    def superiority(self, a: int, b: int) -> float | None:
        """Return the likelihood that a is better than b; None if the results do not limit it."""
        if self.core[a] != self.core[b]:
            return None
        variance = ranks.variance_of_difference(self.covariance, a, b)
        difference = float(self.elo[a] - self.elo[b])
        return ranks.superiority(difference, variance, int(min(self.sets[a], self.sets[b])))

    def rank_intervals(self) -> list[tuple[int, int] | None]:
        """Return by bot the lowest and highest rank of its 95 % interval; None if unlimited."""
        intervals = ranks.rank_intervals(self.elo, self.covariance)
        return [
            interval if main and sets > 1 else None
            for interval, main, sets in zip(intervals, self.is_main, self.sets, strict=True)
        ]


AnchorWeights = Callable[[Ints], Floats]
"""Takes the bots of a group, returns their weights in the anchor; all 0 if it names none."""


def rate_groups(pairs: ComparedPairs, anchor: AnchorWeights, tau: float = PRIOR) -> list[Group]:
    """Return all groups, the largest first; ratings of different groups are not comparable."""
    groups = connection.groups(pairs.weights())
    if len(groups) == 1:  # as almost always
        return [rate(pairs, groups[0], anchor, tau)]
    return [rate(pairs.among(bots), bots, anchor, tau) for bots in groups]


def rate(pairs: ComparedPairs, bots: Ints, anchor: AnchorWeights, tau: float) -> Group:
    """Rate one group. `pairs`: bots in it are numbered by their position in `bots`.

    If the anchor names no bot of the group, the mean of its main core is pinned to 0. Then the
    bars in the core do not depend on the bots outside, which only the prior gives a rating.
    """
    weights, scores = pairs.weights(), pairs.scores()
    ratings = model.fit(weights, scores, tau)
    inverse = np.asarray(np.linalg.inv(model.information(ratings, weights, tau)), np.float64)
    sets, spread = bars.spread_over(pairs, ratings)
    cores = connection.cores(scores)
    core = np.zeros(len(bots), np.int64)
    for number, part in enumerate(cores):
        core[part] = number
    is_main = np.zeros(len(bots), np.bool_)
    is_main[connection.main_core(cores)] = True
    pin = anchor(bots)
    if not pin.any():
        pin = is_main.astype(np.float64) if is_main.any() else np.ones(len(bots))
    move, zero = pinned(ratings, pin / pin.sum())
    clustered = bars.covariance(sets, spread.matrix(), inverse)
    return Group(
        bots,
        model.ELO * zero,
        model.ELO**2 * move @ clustered @ move.T,
        model.ELO**2 * move @ inverse @ move.T,
        spread.sets_of_each,
        core,
        is_main,
    )
