"""The choice of the next table of a ladder among the bots that are free.

One bot has the first seat, and opponents are found for it:

1. Bots that have waited for more than LONG_WAIT turns of all: the longest wait first. A bot that
   has never sat has waited longest.
2. Otherwise the bot whose strength is least certain: a newcomer for its first sets.

The other seats go to the bots that make the first more certain, of the next stronger and weaker
ones. In one set of WANDERING any bot may sit, those first that have met the others at the table
least often: so all pairs meet now and then, and no part of the ladder drifts away from the others.

How near, and who wanders, are the pairing rules. They have a number, which the terms of a league
name: `arena verify` draws each table again by the rules of its time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.league.plan.counts import Ints
from arena.league.plan.ladder.strengths import ONE, told

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = Ints | Floats

LONG_WAIT = 2
"""A bot that has not sat for so many turns has waited long; in one turn, every bot that is here
would sit once. So a bot with a well-known strength sits at least half as often as in a round robin.
"""

WANDERING = 16
"""One set of so many, drawn by lot, is for pairs that seldom met: a share of 6 %."""

LEAST_TOLD = ONE // 12
"""The least information that a meeting counts for: that of two bots 400 Elo apart. A bot far from
all others is always uncertain: else it would have the first seat in set after set, and always meet
the next one."""


@dataclass(frozen=True)
class PairingRules:
    """What differs between the pairing rules of ladders."""

    near: int
    """How many neighbours above, and how many below, may be chosen. The best bot has only those
    below it, and is itself a neighbour of as many."""

    are_repeats_cheap: bool
    """Whether a meeting is wished for less by the root of the number of those before, so that a
    newcomer meets close neighbours again; else by the number itself."""

    settled: int
    """Sets after which a bot may wander. One that has met nobody would be the first choice for
    distant opponents, which tell least of it, while its strength is least certain."""


PAIRINGS: Mapping[int, PairingRules] = {
    1: PairingRules(near=10, are_repeats_cheap=False, settled=0),
    2: PairingRules(near=5, are_repeats_cheap=True, settled=20),
}
"""By the number that the terms of a league have as `pairing`. None is ever changed: what was played
by it could not be verified any more."""

NEVER = 1 << 40
"""The wait of a bot that has never sat: longer than any."""

UNWISHED = 1 << 40
"""Taken off the wish for a bot that sits only where no other can: more than any other wish."""

PRIOR = 0.25
"""The information of one imagined tie, which every bot has."""


@dataclass(frozen=True, eq=False)
class FreeBots:
    """The bots that are free, in the order of their names, and all that decides between them."""

    names: Sequence[str]
    owners: Sequence[int]  # bots with the same number may not meet
    at: Sequence[int]  # their columns in `met`, and their places in `strengths`
    idle: Sequence[int]  # sets planned since they last sat, with the next; NEVER without any
    draws: Ints  # a lot for each
    draw: int  # a lot for the set
    here: int  # bots that are here, free or not
    seats: int
    weight: float  # of a meeting of two bots in a set, against one in a match of two
    met: Ints  # a row for each, a column for each bot that ever sat: common sets, also unfinished
    strengths: Ints  # by bot that ever sat, in Elo
    rules: PairingRules

    def __repr__(self) -> str:
        return f"<FreeBots {', '.join(self.names)}>"


def chosen(free: FreeBots) -> list[int]:
    """Return the places in `free.names` of the bots of the next set."""
    idle = np.array(free.idle)
    late = idle * free.seats > LONG_WAIT * free.here
    if free.draw % WANDERING == 0:
        first = best(idle, free.draws)
        settled = free.met.sum(1) >= free.rules.settled * (free.seats - 1)
        if settled[first]:
            less = np.where(settled, 0, UNWISHED)
            return seated(free, first, lambda table: -free.met[table].sum(0)[free.at] - less)
    variances = variances_of(free)
    first = best(idle, free.draws) if late.any() else best(variances, free.draws)
    strengths = free.strengths[free.at]
    # Where owners leave too few neighbours, the nearest of the others come next.
    farther = -1.0 - np.abs(strengths - strengths[first])
    near = neighbours(free, first)
    wish = np.where(near, gains(free, variances, first), farther)
    return seated(free, first, lambda table: wish)


def seated(free: FreeBots, first: int, wish: Callable[[list[int]], Numbers]) -> list[int]:
    """Fill the seats one after the other. `wish`: by bot, how well it fits those seated."""
    owners = np.array(free.owners)
    table = [first]
    may = owners != owners[first]
    while len(table) < free.seats:
        rest = np.flatnonzero(may)
        table.append(int(rest[best(wish(table)[rest], free.draws[rest])]))
        may &= owners != owners[table[-1]]
    return table


def best(values: Numbers, draws: Ints) -> int:
    """Return the place of the largest value; of equal ones, of that with the lowest lot."""
    return int(np.lexsort((draws, -values))[0])


def variances_of(free: FreeBots) -> Floats:
    """Return by bot the variance of its strength, were those of all others known."""
    strengths = free.strengths
    apart = strengths[free.at][:, None] - strengths
    meetings = (free.met * told(apart).clip(LEAST_TOLD)).sum(1)
    variances: Floats = 1 / (free.weight * meetings / ONE + PRIOR)
    return variances


def neighbours(free: FreeBots, first: int) -> Flags:
    """Return by bot True for the next above and below that the first may meet."""
    strengths, owners = free.strengths[free.at], np.array(free.owners)
    order = np.lexsort((free.draws, strengths))
    order = order[(owners[order] != owners[first]) | (order == first)]
    place = int(np.flatnonzero(order == first)[0])
    found = np.zeros(len(owners), np.bool_)
    near = free.rules.near
    found[order[max(0, place - near) : place + near + 1]] = True
    return found


def gains(free: FreeBots, variances: Floats, first: int) -> Floats:
    """Return by bot how far a set with it lowers the variance of the first bot's strength.

    A set tells the difference of two strengths, with the information d. It lowers the one variance
    v by d*v^2 / (1 + d*(v + w)), w being the other's: most with a close neighbour whose strength is
    certain. The more often two have met, the less a further set of theirs is wished for: in the
    long run they meet as often as it tells something.
    """
    strengths = free.strengths[free.at]
    information = free.weight * told(strengths[first] - strengths).clip(LEAST_TOLD) / ONE
    variance = variances[first]
    lower = information * variance**2 / (1 + information * (variance + variances))
    met = 1.0 + free.met[first][free.at]
    wished: Floats = lower / (np.sqrt(met) if free.rules.are_repeats_cheap else met)
    return wished
