"""Looks: the few numbers of sets at which a running league is judged, and how strictly.

Whoever tests at 5 % after every set, and stops at the first success, finds a difference between
equal bots in most long leagues. So a league is judged only at numbers of sets that are fixed
beforehand, each a quarter above the one before, and at each of them with a small part of the 5 %.
The parts add up to 5 %, and the chance that any of some events happens is at most the sum of their
chances, however much they have to do with each other: so 5 % hold for all looks together.

Several pairs of neighbours need no smaller parts: the verdict is that all of them are separated at
once, so a pair that is level must pass alone, whatever the others do.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from arena.league.table.ratings.bars import surprises
from arena.league.table.ratings.group import AnchorWeights, Group, rate_groups
from arena.league.table.ratings.pairs import Pairs
from arena.league.table.ratings.provisional import ENOUGH_SETS
from arena.league.table.ratings.results import Ints

FIRST_LOOK = ENOUGH_SETS
"""Before, no bot can have as many sets as a bar needs that can be believed."""

ERROR = 0.05
"""The chance that a league ends with two neighbours in a wrong order."""

EVEN_LOOKS = 12
"""The parts of the first looks are about even, later ones fall with the square of their number.
With 12, leagues of 100 to 3,000 sets are the shortest."""


def looks() -> Iterator[tuple[int, float]]:
    """Yield the numbers of sets, without end, each with its part of ERROR."""
    sets, look = FIRST_LOOK, 1
    while True:
        # The sum over all looks telescopes: c/((k+c-1)(k+c)) = c/(k+c-1) - c/(k+c).
        yield sets, ERROR * EVEN_LOOKS / ((look + EVEN_LOOKS - 1) * (look + EVEN_LOOKS))
        sets, look = -(-sets * 5 // 4), look + 1


def rated(pairs: Pairs, anchor: AnchorWeights) -> Group | None:
    """Rate all bots of these pairs; None while results do not connect them, or one of them has
    fewer than ENOUGH_SETS sets in which it was ahead or behind.

    Where nearly all sets are level, as between two versions that rarely act differently, the spread
    of a few others says little, and bars are too narrow.
    """
    if not len(pairs.set) or int(decided_sets(pairs).min()) < ENOUGH_SETS:
        return None
    groups = rate_groups(pairs, anchor)
    return groups[0] if len(groups) == 1 else None


def decided_sets(pairs: Pairs) -> Ints:
    """Return by bot the number of sets in which it made more or less than half its points."""
    found = surprises(pairs, np.zeros(pairs.bots))  # of equal bots, half is expected
    return np.bincount(found.bot[np.abs(found.surprise) > 1e-9], minlength=pairs.bots)


def are_separated(group: Group, chance: float) -> bool:
    """Tell whether every two neighbours of the table are separated, at this chance of an error."""
    best_first = np.argsort(-group.elo, kind="stable").tolist()
    likelihoods = (group.superiority(*neighbours) for neighbours in pairwise(best_first))
    # The order is read from the data too, so that either side of the bar can be the error.
    return all(each is not None and each >= 1 - chance / 2 for each in likelihoods)


def are_narrow(group: Group, elo: float) -> bool:
    """Tell whether half of every bar is below so many Elo.

    The chance of an error needs no part: widths say little about the errors, so that a bar misses
    the truth hardly more often at a moment chosen by widths than at one fixed beforehand. How much
    more, `benchmarks.stopping` measures.
    """
    halves = (group.half_width(bot) for bot in range(len(group.bots)))
    return all(half is not None and half < elo for half in halves)
