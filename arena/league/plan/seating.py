"""The circular order of the bots of a set, drawn by lot.

In a duplicate set every bot sits in every seat, so the order alone is drawn. Otherwise the order is
turned so that each bot comes to sit in every seat about equally often.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.league.model.sets import PlannedSet
from arena.league.model.terms import LeagueTerms
from arena.league.plan.counts import Counts
from arena.league.plan.format import Past, Table
from arena.league.plan.lots import numbers_of


def seated(
    tables: Sequence[Table], past: Past, terms: LeagueTerms, lots: bytes
) -> list[PlannedSet]:
    """Return the tables as the next sets of the schedule, each in its circular order."""
    at = {name: bot for bot, name in enumerate(sorted(name for name, _ in past.bots))}
    names = list(at)
    counts = Counts(names, terms.seats)
    if not terms.duplicate:
        for planned in past.counting():
            counts.count([at.get(name) for name in planned.line_up])
    added = []
    for number, table in enumerate(tables, len(past.sets) + 1):
        # The lots of a set begin with those of its seats; a format uses the ones after these.
        draws = numbers_of(lots, number, terms.seats).tolist()
        order = [at[name] for _, name in sorted(zip(draws, table, strict=True))]
        if not terms.duplicate:
            order = counts.fairly_turned(order)
            counts.count(order)
        added.append(PlannedSet(number, tuple(names[bot] for bot in order)))
    return added
