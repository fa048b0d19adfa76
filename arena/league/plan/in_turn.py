"""Line-ups in turn: where there are few, each is played before any is played again.

The next set has one of those played least often. Among these, line-ups with fewer sets played by
their bots come first, then with fewer meetings of their bots, then by lot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product

import numpy as np

from arena.league.plan.past import Ints, Past

FEW_LINE_UPS = 256
"""Most line-ups that come in turn; with more it would take too long until all have come. Ten bots
at tables of four have 210, eleven have 330."""


def few_line_ups(
    owner_of: Mapping[str, str], seats: int, challenger: str | None
) -> list[tuple[int, ...]] | None:
    """Return every line-up there is, as places of bots in `owner_of`; None if they are many."""
    groups: dict[str, list[int]] = {}
    for bot, (name, owner) in enumerate(owner_of.items()):
        if name != challenger:
            groups.setdefault(owner, []).append(bot)
    free = seats - (challenger is not None)
    # ways[k]: the number of ways to take k bots of different owners, counted owner by owner.
    ways = [1] + [0] * free
    for group in groups.values():
        for taken in range(free, 0, -1):
            ways[taken] += ways[taken - 1] * len(group)
    if ways[free] > FEW_LINE_UPS:
        return None
    first = () if challenger is None else (list(owner_of).index(challenger),)
    return [
        (*first, *bots)
        for chosen in combinations(groups.values(), free)
        for bots in product(*chosen)
    ]


class InTurn:
    """Chooses among all line-ups in turn."""

    def __init__(self, line_ups: Sequence[tuple[int, ...]], past: Past):
        self.draws = len(line_ups)
        self._past = past
        self._bots = np.sort(np.array(line_ups))
        self._times = np.array([past.times[tuple(bots)] for bots in self._bots.tolist()])
        one, other = np.triu_indices(self._bots.shape[1], 1)
        self._pairs = self._bots[:, one], self._bots[:, other]

    def choose(self, draws: Ints) -> Sequence[int]:
        past = self._past
        met = past.met[self._pairs].sum(1)
        best = np.lexsort((draws, met, past.sets[self._bots].sum(1), self._times))[0]
        self._times[best] += 1
        chosen: list[int] = self._bots[best].tolist()
        return chosen
