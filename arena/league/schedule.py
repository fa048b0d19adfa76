"""Who plays whom: the sets of a league, each a line-up in its circular order.

Pure, and the schedule only ever grows: each set is chosen from what was chosen before it and
from lots of its own number. So the first sets are the same however many are asked for, and bots
that enter later change nothing that was planned.

**In turn.** Where there are at most FEW_LINE_UPS, the next set is one of those played least often,
so that all have their turn before any has another: out of these, one whose bots have played
least, then whose bots have met least, then one by lot.

**Drawn.** Elsewhere it is filled seat by seat: `arena.league.draw`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import combinations, product
from typing import Protocol

import numpy as np

from arena.league.config import Format
from arena.league.draw import Drawn, numbers_of
from arena.league.past import Ints, Past
from arena.league.sets import PlannedSet

FEW_LINE_UPS = 256
"""So many come in turn; with more it would be long until all have come. Ten bots at tables of
four have 210, eleven have 330."""


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
    left_out: Container[int] = (),
) -> list[PlannedSet]:
    """The sets to add to those already planned, so that there are `sets` in all.

    `entrants` are names with their owners, in any order; `lots` are secret bytes that tell
    nothing about any seed; `left_out` are numbers of sets that nobody plays. Raises NoLineUp.
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
        if planned.number not in left_out:
            past.count([past.at.get(name) for name in planned.line_up])
    line_ups = few_line_ups(owner_of, seats, at_every_table)
    source: Source = (
        Drawn(owner_of, at_every_table, past) if line_ups is None else InTurn(line_ups, past)
    )
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
