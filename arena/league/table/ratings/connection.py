"""Groups and cores: the bots that comparisons connect, and those with finite differences.

Ratings are differences, and a difference needs a chain of comparisons. Bots without one between
them are in different groups: their numbers must not be compared, and each group is a table of its
own. Inside a group a finite difference needs more: a chain of scored points in each of the two
directions. Bots with such chains between them make a core. A bot that won or lost everything is a
core of its own; only the prior gives it a rating.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.league.table.ratings.results import Flags, Floats, Ints


def groups(weights: Floats) -> list[Ints]:
    """Return the groups, each in ascending order: the largest first, then by their lowest bot."""
    return _parts(_reachable(weights > 0))


def cores(scores: Floats) -> list[Ints]:
    """Return the cores, in the order of `groups`. `scores`: the sum of the row's w*s."""
    forth = _reachable(scores > 0)
    return _parts(forth & forth.T)


def main_core(cores: Sequence[Ints]) -> Ints:
    """Return the core larger than all others, empty if there is none.

    Its ratings depend little on the prior.
    """
    if len(cores) == 1 or len(cores[0]) > len(cores[1]):
        return cores[0]
    return np.zeros(0, np.int64)


def _reachable(step: Flags) -> Flags:
    """Return the matrix of the pairs that are connected, row to column, by zero or more steps."""
    reach = step | np.eye(len(step), dtype=np.bool_)
    while True:
        # Squaring doubles the number of steps. As floats, because BLAS multiplies only these.
        further = reach.astype(np.float32) @ reach.astype(np.float32) > 0
        if (further == reach).all():
            return reach
        reach = further


def _parts(alike: Flags) -> list[Ints]:
    """Return the classes of an equivalence relation given as a matrix, the largest first."""
    lowest = {int(np.flatnonzero(row)[0]) for row in alike}
    parts = [np.flatnonzero(alike[bot]) for bot in lowest]
    return sorted(parts, key=lambda part: (-len(part), int(part[0])))
