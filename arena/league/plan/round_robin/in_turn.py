"""Line-ups in turn: where there are few, each is played before any is played again.

The next set has one of those played least often. Among these, line-ups with fewer sets played by
their bots come first, then with fewer meetings of their bots, then by lot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

import numpy as np

from arena.league.plan.counts import Counts, Ints

FEW_LINE_UPS = 256
"""Most line-ups that come in turn; with more it would take too long until all have come. Ten bots
at tables of four have 210, eleven have 330."""


def number_of_line_ups(
    owner_of: Mapping[str, str], seats: int, challengers: Sequence[str] = ()
) -> int:
    """Return how many line-ups there are. `challengers`: one of these is in each; none: any bot."""
    return sum(
        _ways(groups.values(), seats - len(first))
        for first, groups in _parts(owner_of, challengers)
    )


def line_ups(
    owner_of: Mapping[str, str], seats: int, challengers: Sequence[str] = ()
) -> list[tuple[int, ...]]:
    """Return every line-up there is, as places of bots in `owner_of`."""
    return [
        (*first, *bots)
        for first, groups in _parts(owner_of, challengers)
        for chosen in combinations(groups.values(), seats - len(first))
        for bots in product(*chosen)
    ]


def _parts(
    owner_of: Mapping[str, str], challengers: Sequence[str]
) -> Iterator[tuple[tuple[int, ...], Mapping[str, Sequence[int]]]]:
    """Yield each challenger, alone in a tuple, with the bots that it can meet by owner; without
    challengers an empty tuple with all bots."""
    for challenger in challengers or (None,):
        groups: dict[str, list[int]] = {}
        first: tuple[int, ...] = ()
        for bot, (name, owner) in enumerate(owner_of.items()):
            if name == challenger:
                first = (bot,)
            elif name not in challengers and (challenger is None or owner != owner_of[challenger]):
                groups.setdefault(owner, []).append(bot)
        yield first, groups


def _ways(groups: Iterable[Sequence[int]], free: int) -> int:
    """Return the number of ways to take so many bots of different owners, counted owner by
    owner."""
    ways = [1] + [0] * free
    for group in groups:
        for taken in range(free, 0, -1):
            ways[taken] += ways[taken - 1] * len(group)
    return ways[free]


class InTurn:
    """Chooses among all line-ups in turn."""

    def __init__(self, line_ups: Sequence[tuple[int, ...]], past: Counts):
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
