"""The anchor in the maths: weights by bot, and the ratings moved so that their mean is 0.

The data fix only differences. An anchor is a weighted mean of some ratings that is pinned to a
number: of the pool (the default), of one bot, or of a basket. The pinned mean has no bar, and all
bars are bars of the distance to it: with weights a that sum to 1,

    r' = r - a.r,   V' = (I - 1a') V (I - a1').
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.league.model.anchor import Anchor
from arena.league.table.ratings.results import Floats


class BadAnchor(ValueError):
    """An anchor with a bot that is not in the league, or with a weight of 0 or less."""


def weights_of(anchor: Anchor, names: Sequence[str]) -> Floats:
    """Return the anchor's weights in the order of these names, those of all bots of the league."""
    for name, weight in anchor.weights.items():
        if name not in names:
            known = ", ".join(names)
            raise BadAnchor(f"no bot of this league is called {name!r}; it has {known}")
        if not weight > 0:
            raise BadAnchor(f"the weight of {name!r} is {weight}; it must be above 0")
    return np.array([anchor.weights.get(name, 0.0) for name in names], np.float64)


def pinned(ratings: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return I - 1a', and the ratings moved by it: their weighted mean is 0. Weights sum to 1."""
    move = np.eye(len(ratings)) - weights[None, :]
    return move, move @ ratings
