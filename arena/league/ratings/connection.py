"""Who can be compared with whom.

Ratings are differences, and a difference needs a chain of comparisons. Bots without one between
them are in different groups: their numbers must not be compared, and each group is a table of its
own. Inside a group a finite difference needs more: that points were scored along a chain in
either direction. Bots between whom there are such chains make a core. A bot that won or lost
everything is a core of its own; only the prior gives it a rating.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.league.ratings.results import Flags, Floats, Ints


def groups(weights: Floats) -> list[Ints]:
    """The groups, each in ascending order; the largest first, then that of the lowest bot."""
    return _parts(_reachable(weights > 0))


def cores(scores: Floats) -> list[Ints]:
    """The cores, in the same order. `scores`: the sum of the row's w*s."""
    forth = _reachable(scores > 0)
    return _parts(forth & forth.T)


def main_core(cores: Sequence[Ints]) -> Ints:
    """The core that outgrows all others, if there is one; its ratings owe the prior little."""
    if len(cores) == 1 or len(cores[0]) > len(cores[1]):
        return cores[0]
    return np.zeros(0, np.int64)


def _reachable(step: Flags) -> Flags:
    """From row to column in any number of steps, also none."""
    reach = step | np.eye(len(step), dtype=np.bool_)
    while True:
        # Squaring doubles the number of steps. As floats, because those go through BLAS.
        further = reach.astype(np.float32) @ reach.astype(np.float32) > 0
        if (further == reach).all():
            return reach
        reach = further


def _parts(alike: Flags) -> list[Ints]:
    """The classes of an equivalence, given as a matrix."""
    lowest = {int(np.flatnonzero(row)[0]) for row in alike}
    parts = [np.flatnonzero(alike[bot]) for bot in lowest]
    return sorted(parts, key=lambda part: (-len(part), int(part[0])))
