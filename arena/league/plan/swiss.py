"""Swiss: a number of rounds, in each of which bots with about equal points meet.

A round is planned whole, when all sets of the rounds before are over. Bots that are away then sit
it out; bots that enter later join in with the next round. All tables of a round are filled at once
at the least cost: as few rematches as possible, then the least sum of squared distances in points,
then by lot.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import ClassVar

import numpy as np

from arena.league.model.course import BOT_COLUMN, CourseTable
from arena.league.model.terms import FIRST_PAIRING, LeagueTerms, usual_rounds
from arena.league.plan.counts import Ints
from arena.league.plan.format import Done, Next, Past, Play, Results, Table, Wait
from arena.league.plan.lots import numbers_of
from arena.league.plan.owners import why_no_table
from arena.league.plan.rounds.score_sheet import ScoreSheet
from arena.league.plan.rounds.tables import DRAWS, Bools, cheapest_tables

# The cost of a pair is one int64: from the right a lot, the squared distance in points, and the
# number of rounds in which the two have met. Each part has room for the sum over all pairs of a
# round of 100 bots, at most 250.
_LOT = 0xFF
_DISTANCE_AT = 16
_MET_AT = 46
_STEPS = 60  # in a point: thirds, quarters and fifths are whole
_FARTHEST = 20 * _STEPS
_MOST_MEETINGS = 30


STANDING = (
    *("place", BOT_COLUMN, "points", "opponents' points", "beaten points"),
    *("rounds", "byes", "note"),
)


NOTE = (
    "In this order: by points, a round counting from 0 to 1 and a bye 1/2; then by the points of"
    " the opponents, added up; then by those times what was won against each."
)


class Swiss:
    """The planner of a swiss."""

    keys: ClassVar[Sequence[str]] = ("rounds", "sets_per_table")
    endless: ClassVar[bool] = False
    pairing: ClassVar[int] = FIRST_PAIRING
    reads_results: ClassVar[bool] = True
    has_course: ClassVar[bool] = True
    counts_at_once: ClassVar[bool] = False
    ignores_order: ClassVar[bool] = True
    withdraws: ClassVar[bool] = False

    def __init__(self, terms: LeagueTerms):
        self._terms = terms

    def __repr__(self) -> str:
        return f"<Swiss at tables of {self._terms.seats}>"

    def why_not(self, bots: Sequence[tuple[str, str]]) -> str | None:
        return why_no_table(bots, self._terms.seats, self._terms.owners_may_meet)

    def next(
        self, past: Past, results: Results, present: Container[str], now: int, lots: bytes
    ) -> Next:
        sheet = ScoreSheet(past, results)
        played, rounds = len(sheet.rounds), self.rounds(past)
        if past.unfinished(results):
            return Wait(f"round {played} of {rounds} is being played")
        if played >= rounds:
            return Done(f"all {rounds} rounds are played")
        if reason := self.why_not(past.bots):
            return Done(f"round {played + 1} of {rounds} cannot be seated: {reason}")
        here = [(name, owner) for name, owner in past.bots if name in present]
        away = ", ".join(name for name, _ in past.bots if name not in present)
        if not past.decisions and away:
            return Wait(f"round 1 begins when all are here; away: {away}")
        if self.why_not(here):
            return Wait(f"round {played + 1} waits for bots that are away: {away}")
        return Play(self._round(here, sheet, len(past.sets) + 1, lots))

    def rounds(self, past: Past) -> int:
        """Return the number of rounds: as told, or the usual one for the bots of the first."""
        bots = past.decisions[0].bots if past.decisions else past.bots
        return self._terms.rounds or usual_rounds(len(bots))

    def course(self, past: Past, results: Results) -> Sequence[CourseTable]:
        """Return the standing, with its tie-breaks."""
        sheet = ScoreSheet(past, results)
        standing = sheet.standing()
        rows = [
            (
                *(row.place, row.name, row.points, row.opponents, row.beaten),
                *(row.rounds, row.byes, "" if row.takes_part else "out"),
            )
            for row in standing
        ]
        played, rounds = len(sheet.rounds), self.rounds(past)
        no_more = played >= rounds or self.why_not(past.bots) is not None
        is_over = played > 0 and no_more and not past.unfinished(results)
        winners = [row.name for row in standing if row.place == 1] if is_over else []
        title = f"Swiss: round {played} of {rounds}"
        return (CourseTable(title, STANDING, rows, NOTE, winners),)

    def sets_in_all(self, past: Past, results: Results) -> int | None:
        to_play = self.rounds(past) - len(ScoreSheet(past, results).rounds)
        tables = self._most_tables(past.bots) * self._terms.sets_per_table
        return len(past.counting()) + max(0, to_play) * tables

    def _round(
        self, here: Sequence[tuple[str, str]], sheet: ScoreSheet, number: int, lots: bytes
    ) -> tuple[Table, ...]:
        """Seat a round. `number`: of its first set."""
        bots = sorted(here)  # so that the order of entry changes nothing
        pairs = len(bots) * (len(bots) - 1) // 2
        # The lots of a set begin with those of its seats.
        parts = np.cumsum([self._terms.seats, len(bots), pairs])
        draws = np.split(numbers_of(lots, number, int(parts[-1]) + DRAWS), parts)
        lot = {name: int(draw) for (name, _), draw in zip(bots, draws[1], strict=True)}
        out = self._sitting_out(bots, sheet, lot)
        seated = sorted(
            ((name, owner) for name, owner in bots if name not in out),
            key=lambda bot: (-sheet.points[bot[0]], lot[bot[0]]),
        )
        cost = _costs([name for name, _ in seated], sheet, draws[2])
        found = cheapest_tables(cost, self._apart(seated), self._terms.seats, draws[3])
        tables = [tuple(seated[bot][0] for bot in table) for table in sorted(map(sorted, found))]
        return tuple(table for table in tables for _ in range(self._terms.sets_per_table))

    def _by_owner(self, bots: Sequence[tuple[str, str]]) -> list[list[str]]:
        """Return the bots that must not meet, owner by owner."""
        owners: dict[str, list[str]] = {}
        for name, owner in bots:
            owners.setdefault(name if self._terms.owners_may_meet else owner, []).append(name)
        return list(owners.values())

    def _apart(self, bots: Sequence[tuple[str, str]]) -> Bools:
        """Tell for each two bots whether they must not meet."""
        owner_of = {
            name: number for number, names in enumerate(self._by_owner(bots)) for name in names
        }
        owners = np.array([owner_of[name] for name, _ in bots])
        same: Bools = owners[:, None] == owners
        np.fill_diagonal(same, False)
        return same

    def _most_tables(self, bots: Sequence[tuple[str, str]]) -> int:
        """Return the most tables that can be full at a time: at each, an owner has one bot."""
        sizes = [len(names) for names in self._by_owner(bots)]
        seats = self._terms.seats
        tables = len(bots) // seats
        while sum(min(size, tables) for size in sizes) < tables * seats:
            tables -= 1
        return tables

    def _sitting_out(
        self, bots: Sequence[tuple[str, str]], sheet: ScoreSheet, lot: Mapping[str, int]
    ) -> set[str]:
        """Choose the bots that have a bye: those with the fewest byes so far, of these those with
        the fewest points, then by lot. An owner with more bots than there are tables must leave
        some out, chosen among its own in the same way."""
        tables = self._most_tables(bots)
        order = sorted(
            (name for name, _ in bots),
            key=lambda name: (sheet.byes[name], sheet.points[name], lot[name]),
        )
        out: set[str] = set()
        for names in self._by_owner(bots):
            too_many = max(0, len(names) - tables)
            out.update([name for name in order if name in names][:too_many])
        rest = [name for name in order if name not in out]
        return out.union(rest[: len(rest) - tables * self._terms.seats])


def _costs(bots: Sequence[str], sheet: ScoreSheet, lots: Ints) -> Ints:
    """Return the cost of each two bots at one table."""
    points = np.array([round(sheet.points[name] * _STEPS) for name in bots])
    cost: Ints = np.abs(points[:, None] - points).clip(0, _FARTHEST) ** 2 << _DISTANCE_AT
    at = {name: place for place, name in enumerate(bots)}
    for pair, times in sheet.met.items():
        if all(name in at for name in pair):
            one, other = (at[name] for name in pair)
            cost[[one, other], [other, one]] += min(times, _MOST_MEETINGS) << _MET_AT
    ones, others = np.triu_indices(len(bots), 1)
    cost[ones, others] += lots[: len(ones)] & _LOT
    cost[others, ones] += lots[: len(ones)] & _LOT
    return cost
