"""Pearson's test, for draws that should come as often as weights say."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from statistics import NormalDist
from typing import TypeVar

Thing = TypeVar("Thing")

FEWEST = 5.0
"""Things of which fewer are expected are counted together, the rarest first."""


def excess(drawn: Mapping[Thing, int], weights: Mapping[Thing, int]) -> float:
    """The distance of these draws from what the weights say, in standard deviations.

    Pearson's chi-square, made normal as Wilson and Hilferty do. Something drawn that has no
    weight is an error of another kind.
    """
    assert not [*drawn.keys() - weights.keys()][:3]
    draws, total = sum(drawn.values()), sum(weights.values())
    cells: list[list[float]] = [[0.0, 0.0]]
    for thing, weight in sorted(weights.items(), key=lambda item: (item[1], str(item[0]))):
        if cells[-1][0] >= FEWEST:
            cells.append([0.0, 0.0])
        cells[-1][0] += draws * weight / total
        cells[-1][1] += drawn.get(thing, 0)
    if len(cells) == 1:
        return 0.0
    degrees = len(cells) - 1
    distance = sum((came - expected) ** 2 / expected for expected, came in cells)
    spread = 2 / (9 * degrees)
    return float(((distance / degrees) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def most(tests: int, chance: float = 0.001) -> float:
    """The largest excess to be met in so many tests of true draws, but by this chance."""
    return NormalDist().inv_cdf(1 - chance / tests)
