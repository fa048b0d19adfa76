"""A balanced draw: line-ups where there are too many to have each in turn.

A set is filled seat by seat: from the bots that have played fewest sets, with the one that has
met those already seated least often, then by lot. Two refinements:

- *Newcomers* are many sets behind. Given every seat until they have caught up, they would meet
  each other far more often than anybody else. So one seat of each set is for who is furthest
  behind; for the others who is behind counts as level with the field, and meetings decide.
- *Owners* whose bots may not meet: one with more than a fair share of the bots has a seat in
  every set, in which its bots take turns; another must spread its bots over many sets, so it has
  deadlines, and the nearest come first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import shake_256

import numpy as np

from arena.league.past import Ints, Past

# A lot decides where nothing else does; two alike, one time in a million, go by name.
LOT_BITS = 20


def numbers_of(lots: bytes, number: int, count: int) -> Ints:
    """The lots of one set: so many numbers of LOT_BITS."""
    # A sponge needs no more than its key in front; and it gives bytes of any length.
    drawn = shake_256(b"arena schedule\0" + lots + number.to_bytes(8, "big")).digest(4 * count)
    return np.frombuffer(drawn, ">u4").astype(np.int64) >> 32 - LOT_BITS


@dataclass(frozen=True)
class Share:
    """Bots that share so many seats of every set evenly."""

    bots: Ints
    seats: int
    shares_owners: bool


class Drawn:
    """A balanced draw."""

    def __init__(self, owner_of: Mapping[str, str], challenger: str | None, past: Past):
        self.draws = len(owner_of)
        self._past = past
        numbers = {owner: number for number, owner in enumerate(dict.fromkeys(owner_of.values()))}
        self._owners = np.array([numbers[owner] for owner in owner_of.values()])
        at_every_table = None if challenger is None else past.at[challenger]
        self._shares = shares(self._owners, past.sat.shape[1], at_every_table)

    def choose(self, draws: Ints) -> Sequence[int]:
        chosen: list[int] = []
        for share in self._shares:
            self._fill(share, draws, chosen)
        return chosen

    def _fill(self, share: Share, draws: Ints, chosen: list[int]) -> None:
        """A bot for each seat of the share, added to those already chosen."""
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
                # First, while there is a choice, who has met the others of this level most:
                # the last of a level have none, and would meet again and again.
                wish = key.copy()
                least = np.flatnonzero(level == 0)
                wish[least] -= past.met[np.ix_(bots[least], bots[least])].sum(1) << _MET
            best = int(wish.argmin())
            key[owners == owners[best]] = _TAKEN
            chosen.append(int(bots[best]))


# Wishes are written in one int64, from right to left: a lot, a number of meetings below 2**32,
# the level (0 or 1), the deadline (to AHEAD), and whether it is out of the question.
_MET = LOT_BITS
_LEVEL = 52
_DEADLINE = 53
_TAKEN = 1 << 62


AHEAD = 3
"""Deadlines in later sets than so many are left to later: then meetings decide. In hundreds of
leagues of all shapes with 3 no bot was two sets behind another, with 2 in one of twelve."""


def deadlines(owners: Ints, level: Ints, seats: int) -> Ints:
    """By bot, in how many sets at the latest its owner must have its next seat, so that none of
    its bots stays behind.

    It is fair scheduling with the earliest deadline first: owners are the tasks, each on one
    processor at a time, seats are the processors.
    """
    bots, have = np.bincount(owners), np.bincount(owners, level).astype(np.int64)
    # After so many more sets an owner with b of n bots is to have had b/n of all seats.
    due = -((bots * level.sum() - len(owners) * (have + 1)) // (bots * seats).clip(1))
    by_bot: Ints = due[owners].clip(0, AHEAD)
    return by_bot


def shares(owners: Ints, seats: int, challenger: int | None) -> list[Share]:
    """Who shares which seats: the challenger, owners with a fair share or more, all the others."""
    rest = np.arange(len(owners))
    found = []
    if challenger is not None:
        found.append(Share(rest[[challenger]], 1, False))
        rest = np.delete(rest, challenger)
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
