"""A balanced draw: line-ups where there are too many to have each in turn.

A set is filled seat by seat: from the bots that have played fewest sets, with the one that has
met those already seated least often, then by lot. Two refinements:

- *Newcomers* are many sets behind. If they had every seat until they caught up, they would meet
  each other far more often than any other bots. So one seat of each set is for the bot furthest
  behind. For the other seats a bot that is behind counts as level with the field, and the number
  of meetings decides.
- *Owners* whose bots may not meet: an owner with more than a fair share of the bots has a seat in
  every set, in which its bots take turns. Any other owner must spread its bots over many sets, so
  it has deadlines, and the nearest deadline comes first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.league.plan.counts import Counts, Ints
from arena.league.plan.lots import LOT_BITS


@dataclass(frozen=True)
class Share:
    """Bots that share a number of seats of every set evenly."""

    bots: Ints
    seats: int
    shares_owners: bool


class Balanced:
    """Draws the line-ups of one schedule."""

    def __init__(self, owner_of: Mapping[str, str], challengers: Sequence[str], past: Counts):
        """`challengers`: one of these sits in each line-up, in turn; none: any bot."""
        self.draws = len(owner_of)
        self._past = past
        numbers = {owner: number for number, owner in enumerate(dict.fromkeys(owner_of.values()))}
        self._owners = np.array([numbers[owner] for owner in owner_of.values()])
        self._challengers = np.array([past.at[name] for name in challengers], np.int64)
        seats = past.seats
        # By challenger, None where there is none.
        self._shares = {
            one: shares(self._owners, seats, one, self._challengers)
            for one in (self._challengers.tolist() or [None])
        }

    def choose(self, draws: Ints) -> Sequence[int]:
        chosen: list[int] = []
        for share in self._shares[self._next_challenger(draws)]:
            self._fill(share, draws, chosen)
        return chosen

    def _next_challenger(self, draws: Ints) -> int | None:
        """Return the challenger with the fewest sets, by lot among several."""
        theirs = self._challengers
        if not len(theirs):
            return None
        return int(theirs[np.lexsort((draws[theirs], self._past.sets[theirs]))[0]])

    def _fill(self, share: Share, draws: Ints, chosen: list[int]) -> None:
        """Choose a bot for each seat of the share, and append it to those already chosen."""
        past, bots, owners = self._past, share.bots, self._owners[share.bots]
        sets, draws = past.sets[bots], draws[bots]
        field = int(sets[sets >= sets.max() - 1].min())
        level = np.maximum(sets, field) - field  # 0 or 1: newcomers count as level
        key = (level << _LEVEL) + draws
        if share.shares_owners:
            key += deadlines(owners, level, share.seats) << _DEADLINE
        for taken in range(share.seats):
            if taken == 0 and sets.min() < field:
                wish = (sets << _MET) + draws
            elif chosen:
                wish = key + (past.met[chosen].sum(0)[bots] << _MET)
            else:
                # The first seat goes to the bot that has met the others of its level most, while
                # there is a choice: left to the end, such bots would meet again and again.
                wish = key.copy()
                least = np.flatnonzero(level == 0)
                wish[least] -= past.met[np.ix_(bots[least], bots[least])].sum(1) << _MET
            best = int(wish.argmin())
            key[owners == owners[best]] = _TAKEN
            chosen.append(int(bots[best]))


# A wish is one int64, the lowest is chosen. From right to left: a lot, a number of meetings below
# 2**32, the level (0 or 1), the deadline (0 to AHEAD), and a bit for bots that may not be chosen.
_MET = LOT_BITS
_LEVEL = 52
_DEADLINE = 53
_TAKEN = 1 << 62


AHEAD = 3
"""Deadlines more than so many sets ahead do not count yet: then meetings decide. In hundreds of
leagues of all shapes no bot was two sets behind another with 3; with 2 it was so in one of 12."""


def deadlines(owners: Ints, level: Ints, seats: int) -> Ints:
    """Return by bot the deadline of its owner: the number of sets to its next seat at the latest.

    With a later seat one of its bots would stay behind. This is fair scheduling with the earliest
    deadline first: owners are the tasks, each on one processor at a time; seats the processors.
    """
    bots, have = np.bincount(owners), np.bincount(owners, level).astype(np.int64)
    # By its deadline an owner with b of n bots must have had b/n of all seats.
    due = -((bots * level.sum() - len(owners) * (have + 1)) // (bots * seats).clip(1))
    by_bot: Ints = due[owners].clip(0, AHEAD)
    return by_bot


def shares(
    owners: Ints, seats: int, challenger: int | None, challengers: Ints | None = None
) -> list[Share]:
    """Divide the seats among the challenger, owners with a fair share or more, and all others.

    `challengers`: this one and others, with which it does not meet.
    """
    rest = np.arange(len(owners))
    found = []
    if challenger is not None:
        found.append(Share(rest[[challenger]], 1, False))
        rest = rest[owners != owners[challenger]]
        if challengers is not None:
            rest = np.setdiff1d(rest, challengers)
        seats -= 1
    while seats:
        sizes = np.bincount(owners[rest])
        largest = sizes.argmax()
        if sizes[largest] * seats < len(rest):
            found.append(Share(rest, seats, bool(sizes[largest] > 1)))
            break
        found.append(Share(rest[owners[rest] == largest], 1, False))
        rest = rest[owners[rest] != largest]
        seats -= 1
    return found
