"""Who plays whom: the sets of a league, each a line-up in its circular order.

Pure, and the schedule only ever grows: each set is chosen from what was chosen before it and
from lots of its own number. So the first sets are the same however many are asked for, and bots
that enter later change nothing that was planned.

**In turn.** Where there are at most FEW_LINE_UPS, the next set is one of those played least often,
so that all have their turn before any has another: out of these, one whose bots have played
least, then whose bots have met least, then one by lot.

**Drawn.** Elsewhere a set is filled seat by seat: from the bots that have played fewest sets, with
the one that has met those already seated least often, then by lot. Two refinements:

- *Newcomers* are many sets behind. Given every seat until they have caught up, they would meet
  each other far more often than anybody else. So one seat of each set is for who is furthest
  behind; for the others who is behind counts as level with the field, and meetings decide.
- *Owners* whose bots may not meet: one with more than a fair share of the bots has a seat in
  every set, in which its bots take turns; another must spread its bots over many sets, so it has
  deadlines, and the nearest come first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import shake_256
from itertools import combinations, product
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from arena.league.config import Format
from arena.league.sets import PlannedSet

FEW_LINE_UPS = 256
"""So many come in turn; with more it would be long until all have come. Ten bots at tables of
four have 210, eleven have 330."""

Ints: TypeAlias = npt.NDArray[np.int64]

# A lot decides where nothing else does; two alike, one time in a million, go by name.
LOT_BITS = 20


class NoLineUp(ValueError):
    """No table can be filled; the text says why and what to do."""


def schedule(
    entrants: Sequence[tuple[str, str]],
    *,
    seats: int,
    sets: int,
    lots: bytes,
    format: Format = "round-robin",  # noqa: A002  # the word of the league's file
    challenger: str | None = None,
    duplicate: bool = True,
    owners_may_meet: bool = False,
    already: Sequence[PlannedSet] = (),
) -> list[PlannedSet]:
    """The sets to add to those already planned, so that there are `sets` in all.

    `entrants` are names with their owners, in any order; `lots` are secret bytes that tell
    nothing about any seed. Raises NoLineUp.
    """
    at_every_table = challenger if format == "gauntlet" else None
    if format == "gauntlet" and challenger not in dict(entrants):
        raise NoLineUp(f"the challenger of this gauntlet, {challenger!r}, is none of its bots")
    if reason := why_no_line_up(entrants, seats, owners_may_meet):
        raise NoLineUp(reason)
    if sets <= len(already):
        return []
    owner_of = owners_who_part(entrants, at_every_table, owners_may_meet)
    past = Past(list(owner_of), seats)
    for planned in already:
        past.count([past.at.get(name) for name in planned.line_up])
    line_ups = few_line_ups(owner_of, seats, at_every_table)
    source = Drawn(owner_of, at_every_table, past) if line_ups is None else InTurn(line_ups, past)
    added = []
    for number in range(len(already) + 1, sets + 1):
        draws = numbers_of(lots, number, source.draws + seats)
        chosen = source.choose(draws[seats:])
        line_up = [bot for _, bot in sorted(zip(draws[:seats].tolist(), chosen, strict=True))]
        if not duplicate:
            line_up = past.fairly_turned(line_up)
        past.count(line_up)
        added.append(PlannedSet(number, tuple(past.names[bot] for bot in line_up)))
    return added


def why_no_line_up(
    entrants: Sequence[tuple[str, str]], seats: int, owners_may_meet: bool
) -> str | None:
    """Why no table can be filled with these bots, and what to do; None if one can."""
    owners: dict[str, list[str]] = {}
    for name, owner in entrants:
        owners.setdefault(name if owners_may_meet else owner, []).append(name)
    if len(owners) >= seats:
        return None
    if len(owners) == len(entrants):
        return (
            f"{seats} seats need {seats} bots, and there are {len(entrants)}; enter more, or "
            "choose fewer seats"
        )
    shared = "; ".join(
        f"{owner} has {', '.join(names)}" for owner, names in owners.items() if len(names) > 1
    )
    return (
        f"{seats} seats need bots of {seats} owners, as two of one owner never sit together, and "
        f"there are {len(owners)} ({shared}); enter bots of others, choose fewer seats, or set "
        "owners_may_meet = true"
    )


def owners_who_part(
    entrants: Sequence[tuple[str, str]], challenger: str | None, owners_may_meet: bool
) -> dict[str, str]:
    """The bots that can ever sit, by name, each with whom it does not meet the bots of.

    Sorted, so that the order in which they are named changes nothing.
    """
    owner_of = {name: name if owners_may_meet else owner for name, owner in sorted(entrants)}
    if challenger is None:
        return owner_of
    return {
        name: owner
        for name, owner in owner_of.items()
        if name == challenger or owner != owner_of[challenger]
    }


def few_line_ups(
    owner_of: Mapping[str, str], seats: int, challenger: str | None
) -> list[tuple[int, ...]] | None:
    """Every line-up there is, by the bots' places in `owner_of`; None if they are many."""
    groups: dict[str, list[int]] = {}
    for bot, (name, owner) in enumerate(owner_of.items()):
        if name != challenger:
            groups.setdefault(owner, []).append(bot)
    free = seats - (challenger is not None)
    # How many ways there are to take so many bots of different owners, owner after owner.
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


def numbers_of(lots: bytes, number: int, count: int) -> Ints:
    """The lots of one set: so many numbers of LOT_BITS."""
    # A sponge needs no more than its key in front; and it gives bytes of any length.
    drawn = shake_256(b"arena schedule\0" + lots + number.to_bytes(8, "big")).digest(4 * count)
    return np.frombuffer(drawn, ">u4").astype(np.int64) >> 32 - LOT_BITS


class Past:
    """What was planned so far: who has played how often, with whom, and in which seat."""

    def __init__(self, names: Sequence[str], seats: int):
        self.names = names
        self.at = {name: bot for bot, name in enumerate(names)}
        self.sets = np.zeros(len(names), np.int64)
        self.met = np.zeros((len(names), len(names)), np.int64)  # itself: its sets
        self.sat = np.zeros((len(names), seats), np.int64)
        self.times: Counter[tuple[int, ...]] = Counter()  # of each line-up, whatever its order

    def __repr__(self) -> str:
        return f"<Past of {len(self.names)} bots, {self.times.total()} sets>"

    def count(self, line_up: Sequence[int | None]) -> None:
        """One more set. None: somebody who has left."""
        for seat, bot in enumerate(line_up):
            if bot is not None:
                self.sat[bot, seat] += 1
        bots = sorted(bot for bot in line_up if bot is not None)
        self.times[tuple(bots)] += 1
        self.sets[bots] += 1
        for bot in bots:
            self.met[bot, bots] += 1

    def fairly_turned(self, line_up: list[int]) -> list[int]:
        """The same circular order, turned to where its bots have sat least often."""
        seats = range(len(line_up))
        turns = [line_up[turn:] + line_up[:turn] for turn in seats]
        return min(turns, key=lambda turn: int(self.sat[turn, seats].sum()))


class Source(Protocol):
    """Where line-ups come from."""

    draws: int
    """How many lots it needs for each."""

    def choose(self, draws: Ints) -> Sequence[int]:
        """The next line-up, in any order; it is then counted in the past."""


class InTurn:
    """All line-ups in turn."""

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


@dataclass(frozen=True)
class Pool:
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
        self._pools = pools(self._owners, past.sat.shape[1], at_every_table)

    def choose(self, draws: Ints) -> Sequence[int]:
        chosen: list[int] = []
        for pool in self._pools:
            self._fill(pool, draws, chosen)
        return chosen

    def _fill(self, pool: Pool, draws: Ints, chosen: list[int]) -> None:
        """A bot for each seat of the pool, added to those already chosen."""
        past, bots, owners = self._past, pool.bots, self._owners[pool.bots]
        sets, draws = past.sets[bots], draws[bots]
        field = int(sets[sets >= sets.max() - 1].min())
        level = np.maximum(sets, field) - field  # 0 or 1: newcomers count as level
        key = (level << _LEVEL) + draws
        if pool.shares_owners:
            key += deadlines(owners, level, pool.seats) << _DEADLINE
        for taken in range(pool.seats):
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


def pools(owners: Ints, seats: int, challenger: int | None) -> list[Pool]:
    """Who shares which seats: the challenger, owners with a fair share or more, all the others."""
    rest = np.arange(len(owners))
    found = []
    if challenger is not None:
        found.append(Pool(rest[[challenger]], 1, False))
        rest = np.delete(rest, challenger)
        seats -= 1
    while seats:
        sizes = np.bincount(owners[rest])
        largest = sizes.argmax()
        if sizes[largest] * seats < len(rest):
            found.append(Pool(rest, seats, bool(sizes[largest] > 1)))
            break
        found.append(Pool(rest[owners[rest] == largest], 1, False))
        rest = rest[owners[rest] != largest]
        seats -= 1
    return found
