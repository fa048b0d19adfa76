"""The tables of a round: all seated at once, at the least cost.

The cost of a table is the sum of the costs of its pairs. Two seats: exact, by matching. More:
exact by listing all ways where they are few; else by exchanging two bots at a time while that
helps, and again after random exchanges, which finds a cheap way but proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb, factorial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from arena.league.plan.counts import Ints
from arena.league.plan.rounds.matching import cheapest_pairs

Bools: TypeAlias = npt.NDArray[np.bool_]

MOST_LISTED = 20_000
"""Most ways to fill the tables that are all listed: 12 bots have 5,775 at tables of four and 15,400
at tables of three."""

KICKS = 60
"""How often the search begins anew, from a few random exchanges."""

EXCHANGES = 3  # of two bots each, in a kick
DRAWS = KICKS * EXCHANGES * 2


def cheapest_tables(cost: Ints, apart: Bools, seats: int, draws: Ints) -> list[list[int]]:
    """Return bots in tables of `seats`, no two at a table that must stay apart.

    `cost`: by pair, symmetric, 0 for a bot with itself. `apart`: by pair; the bots of one owner,
    of whom there are at most as many as tables. `draws`: DRAWS random numbers.
    """
    bots = len(cost)
    if seats == 2:
        return [list(pair) for pair in cheapest_pairs(cost, apart)]
    if ways(bots, seats) <= MOST_LISTED:
        return _best_listed(cost, apart, seats)
    return searched(cost, apart, seats, draws)


def searched(cost: Ints, apart: Bools, seats: int, draws: Ints) -> list[list[int]]:
    """Return tables that no exchange of two bots makes cheaper, the best of many such."""
    bots = len(cost)
    best = _improved(_start(apart, seats), cost, apart)
    least = _cost_of(best, cost)
    for kick in np.split(draws, KICKS):
        table = best.copy()
        for one, other in (kick % bots).reshape(-1, 2):
            _exchange_if_apart(table, apart, int(one), int(other))
        table = _improved(table, cost, apart)
        if (found := _cost_of(table, cost)) < least:
            best, least = table, found
    return [np.flatnonzero(best == number).tolist() for number in range(bots // seats)]


def ways(bots: int, seats: int) -> int:
    """Return the number of ways to fill tables with so many bots."""
    found = 1
    for left in range(bots, 0, -seats):
        found *= comb(left, seats)
    return found // factorial(bots // seats)


@lru_cache(maxsize=16)
def _listed(bots: int, seats: int) -> npt.NDArray[np.int8]:
    """Return all ways: by way, table and seat a bot."""

    def fill(rest: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not rest:
            yield ()
            return
        for others in combinations(rest[1:], seats - 1):
            left = tuple(bot for bot in rest[1:] if bot not in others)
            for tables in fill(left):
                yield (rest[0], *others, *tables)

    return np.array(list(fill(tuple(range(bots)))), np.int8).reshape(-1, bots // seats, seats)


def _best_listed(cost: Ints, apart: Bools, seats: int) -> list[list[int]]:
    listed = _listed(len(cost), seats)
    ones, others = np.triu_indices(seats, 1)
    one, other = listed[..., ones], listed[..., others]
    costs = cost[one, other].sum((1, 2))
    if apart.any():
        allowed = np.flatnonzero(~apart[one, other].any((1, 2)))
        best = int(allowed[costs[allowed].argmin()])
    else:
        best = int(costs.argmin())
    tables: list[list[int]] = listed[best].tolist()
    return tables


def _start(apart: Bools, seats: int) -> Ints:
    """Return by bot a table: as they come, or dealt out owner by owner where owners part them.

    Dealt like cards, an owner's bots, at most as many as tables, come to tables all different.
    """
    bots = len(apart)
    as_they_come = np.arange(bots) // seats
    if not (apart & (as_they_come[:, None] == as_they_come)).any():
        return as_they_come
    first = (apart | np.eye(bots, dtype=bool)).argmax(1)  # by bot, the first bot of its owner
    dealt = np.empty(bots, np.int64)
    dealt[np.argsort(first, kind="stable")] = np.arange(bots) % (bots // seats)
    return dealt


def _improved(start: Ints, cost: Ints, apart: Bools) -> Ints:
    """Exchange the two bots that it helps most, until no exchange helps."""
    table = start.copy()
    bots, numbers = np.arange(len(table)), np.arange(table.max() + 1)
    bound = apart.astype(np.int64) if apart.any() else None
    while True:
        sits = (table[:, None] == numbers).astype(np.int64)
        moved = (cost @ sits)[:, table] - cost  # by bot and another: its cost in the other's place
        stays = (moved + cost)[bots, bots]
        change = moved + moved.T - stays[:, None] - stays
        change[table[:, None] == table] = 0
        if bound is not None:
            clash = (bound @ sits)[:, table] > bound
            change[clash | clash.T] = 0
        one, other = divmod(int(change.argmin()), len(table))
        if change[one, other] >= 0:
            return table
        table[[one, other]] = table[[other, one]]


def _exchange_if_apart(table: Ints, apart: Bools, one: int, other: int) -> None:
    table[[one, other]] = table[[other, one]]
    if (apart & (table[:, None] == table)).any():
        table[[one, other]] = table[[other, one]]


def _cost_of(table: Ints, cost: Ints) -> int:
    return int(cost[table[:, None] == table].sum())
