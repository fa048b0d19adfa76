"""The score sheet of a swiss: what each bot has won in each round, whom it met, and the standing.

A round counts from 0 to 1 for a bot: the mean share of the others at its table that it finished
ahead of. A bot that was here and had no table (a bye), or whose table was given up for no fault of
its own, has 1/2, the mean of a table. A bot that was away, or had not entered yet, has 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

from arena.league.model.sets import PlannedSet
from arena.league.plan.format import Basis, Past, Results, SetResult

BYE_POINTS = 0.5

DIGITS = 6
"""Points are compared after rounding to so many decimals, so that 1/3 + 2/3 is 1."""

Round: TypeAlias = tuple[Basis, tuple[PlannedSet, ...]]
"""The basis of its decision, and all its sets, with those left out."""


@dataclass(frozen=True)
class SwissRow:
    """A row of the standing. Rows that agree in all values share a place."""

    place: int
    name: str
    points: float
    opponents: float  # over its rounds, the sum of its opponents' points: their mean at a table
    beaten: float  # the same, each opponent's points times the share won against it
    rounds: int  # in which it sat at a table
    byes: int
    takes_part: bool  # False: it was benched, retired or replaced; its points stay


class ScoreSheet:
    """What the sets of a swiss have brought."""

    def __init__(self, past: Past, results: Results):
        self._past = past
        self._results = results
        counting = {planned.number for planned in past.counting()}
        # A round of which no set counts was not played; another is drawn in its place.
        self.rounds: list[Round] = [
            (basis, tuple(sets))
            for basis, sets in past.by_decision()
            if any(planned.number in counting for planned in sets)
        ]
        entered = [past.bots, *(basis.bots for basis, _ in self.rounds)]
        self.names = list(dict.fromkeys(name for bots in entered for name, _ in bots))
        self.met: Counter[frozenset[str]] = Counter()  # by pair, the rounds in which they met
        self.byes: Counter[str] = Counter()
        self._sums: dict[str, float] = dict.fromkeys(self.names, 0.0)
        self._played: dict[str, list[list[SetResult]]] = {name: [] for name in self.names}
        for basis, sets in self.rounds:
            self._count(basis, sets, counting)

    def __repr__(self) -> str:
        return f"<ScoreSheet of {len(self.names)} bots after {len(self.rounds)} rounds>"

    @cached_property
    def points(self) -> dict[str, float]:
        return {name: round(points, DIGITS) for name, points in self._sums.items()}

    def _count(self, basis: Basis, sets: tuple[PlannedSet, ...], counting: set[int]) -> None:
        """Count one round."""
        tables = {frozenset(each.line_up) for each in sets if each.number in counting}
        self.met.update(frozenset(pair) for table in tables for pair in combinations(table, 2))
        planned_for: dict[str, list[int]] = {}
        for planned in sets:
            for name in planned.line_up:
                planned_for.setdefault(name, []).append(planned.number)
        for name, _ in basis.bots:
            numbers = planned_for.get(name, [])
            counted = [number for number in numbers if number in counting]
            played = [self._results[number] for number in counted if number in self._results]
            if played:
                self._played[name].append(played)
                self._sums[name] += sum(each.points[name] for each in played) / len(played)
            elif not counted and name in basis.present:
                self.byes[name] += 1
                self._sums[name] += BYE_POINTS

    def standing(self) -> list[SwissRow]:
        """Return all bots, best first: by points, then by opponents' points, then by beaten
        points. Bots that agree in all three share a place and come in the order of entry."""
        takes_part = {name for name, _ in self._past.bots}
        values = {name: (self.points[name], *self._strength(name)) for name in self.names}
        ranked = sorted(values.values(), reverse=True)
        return [
            SwissRow(
                1 + ranked.index(values[name]),
                name,
                *values[name],
                rounds=len(self._played[name]),
                byes=self.byes[name],
                takes_part=name in takes_part,
            )
            for name in sorted(self.names, key=lambda name: values[name], reverse=True)
        ]

    def _strength(self, name: str) -> tuple[float, float]:
        """Return the opponents' points of a bot, and its beaten points. A bye counts as a round
        against an opponent with the bot's own points, of which half was won."""
        own = self.points[name] * self.byes[name]
        met, beaten = own, own * BYE_POINTS
        for played in self._played[name]:
            for each in played:
                shares = dict(shares_against(each, name))
                weight = 1 / len(played) / len(shares)
                met += weight * sum(self.points[other] for other in shares)
                beaten += weight * sum(self.points[other] * won for other, won in shares.items())
        return round(met, DIGITS), round(beaten, DIGITS)


def shares_against(result: SetResult, name: str) -> Iterator[tuple[str, float]]:
    """Yield each opponent of a set with the share of its matches that a bot won against it."""
    for other in result.matches[0].bots:
        if other != name:
            won = 0.0
            for match in result.matches:
                its = match.places[match.bots.index(name)]
                theirs = match.places[match.bots.index(other)]
                won += (its < theirs) + (its == theirs) / 2
            yield other, won / len(result.matches)
