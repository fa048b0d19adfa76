"""The circular order of the bots of a set, drawn by lot.

In a duplicate set every bot sits in every seat, so the order alone is drawn. Otherwise the order is
turned so that each bot comes to sit in every seat about equally often.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.league.model.sets import PlannedSet
from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import Past, Table
from arena.league.plan.lots import numbers_of


class SeatsTaken:
    """How often each bot sits in each seat, in all planned sets that count.

    A past that has only grown since the last time costs only what is new.
    """

    def __init__(self) -> None:
        self._forget()

    def __repr__(self) -> str:
        return f"<SeatsTaken by {len(self._sat)} bots in {self._told} sets>"

    def _forget(self) -> None:
        self._sat: dict[str, list[int]] = {}
        self._told = 0
        self._left_out: set[int] = set()

    def tell(self, past: Past) -> None:
        """Count the sets planned, and take back those left out, since the last call."""
        if len(past.sets) < self._told or not self._left_out <= past.left_out:
            self._forget()
        if len(past.left_out) > len(self._left_out):
            for number in past.left_out - self._left_out:
                if number <= self._told:
                    self._count(past.sets[number - 1].line_up, -1)
            self._left_out = set(past.left_out)
        for planned in past.sets[self._told :]:
            if planned.number not in self._left_out:
                self._count(planned.line_up, 1)
        self._told = len(past.sets)

    def _count(self, line_up: Sequence[str], times: int) -> None:
        for seat, name in enumerate(line_up):
            self._sat.setdefault(name, [0] * len(line_up))[seat] += times

    def fairly_turned(self, line_up: list[str]) -> list[str]:
        """Return the same circular order, turned to the seats in which its bots sat least often."""
        new = [0] * len(line_up)
        turns = [line_up[turn:] + line_up[:turn] for turn in range(len(line_up))]
        return min(
            turns,
            key=lambda turn: sum(self._sat.get(name, new)[seat] for seat, name in enumerate(turn)),
        )

    def seat(self, line_up: Sequence[str]) -> None:
        """Count a set that is being planned, until all is told again."""
        self._count(line_up, 1)

    def unseat(self, line_up: Sequence[str]) -> None:
        """Take back a set that `seat` counted."""
        self._count(line_up, -1)


def seated(
    tables: Sequence[Table], past: Past, terms: LeagueTerms, lots: bytes, taken: SeatsTaken
) -> list[PlannedSet]:
    """Return the tables as the next sets of the schedule, each in its circular order.

    `taken`: what it was told before of the same league, which saves telling it again.
    """
    if not terms.duplicate:
        taken.tell(past)
    added = []
    for number, table in enumerate(tables, len(past.sets) + 1):
        # The lots of a set begin with those of its seats; a format uses the ones after these.
        draws = numbers_of(lots, number, terms.seats).tolist()
        order = [name for _, name in sorted(zip(draws, table, strict=True))]
        if not terms.duplicate:
            order = taken.fairly_turned(order)
            taken.seat(order)
        added.append(PlannedSet(number, tuple(order)))
    if not terms.duplicate:
        for planned in added:  # the next past has them, if they are stored
            taken.unseat(planned.line_up)
    return added
