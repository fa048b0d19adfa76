"""Where the scale has its zero.

The data fix only differences. An anchor is a weighted mean of some ratings that is pinned to a
number: of the pool (the default), of one bot, or of a basket. What is pinned
has no bar, and all bars are bars of the distance to it: with weights a that sum to 1,

    r' = r - a.r,   V' = (I - 1a') V (I - a1').
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from arena.league.ratings.results import Floats


@dataclass(frozen=True)
class Anchor:
    """Bots by name with their weights, and the Elo their mean is given; no bots: the pool."""

    weights: Mapping[str, float] = field(default_factory=dict)
    elo: float = 0.0

    def by_bot(self, names: Sequence[str]) -> Floats:
        """The weights in the order of these names, all of which the league knows."""
        for name, weight in self.weights.items():
            if name not in names:
                known = ", ".join(names)
                raise BadAnchor(f"no bot of this league is called {name!r}; it has {known}")
            if not weight > 0:
                raise BadAnchor(f"the weight of {name!r} is {weight}; it must be above 0")
        return np.array([self.weights.get(name, 0.0) for name in names], np.float64)


class BadAnchor(ValueError):
    """An anchor that cannot be; the text says why."""


def pinned(ratings: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """I - 1a', and the ratings it moves so that the weighted mean is 0. Weights sum to 1."""
    move = np.eye(len(ratings)) - weights[None, :]
    return move, move @ ratings
