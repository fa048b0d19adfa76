"""A league driven by its planner alone: sets get their results at once, from places we choose."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import (
    Basis,
    Done,
    Format,
    MatchResult,
    Next,
    Past,
    Play,
    Results,
    SetResult,
    Table,
)
from arena.league.plan.seating import SeatsTaken, seated

LOTS = bytes(range(32))

Rank: TypeAlias = Callable[[Table, int], Sequence[str]]
"""From the bots and number of a set: the bots, best first."""


def alone(count: int) -> list[tuple[str, str]]:
    """Bots A, B, C and so on, each of an owner of its own."""
    return [(name_of(number), f"owner {number}") for number in range(count)]


def name_of(number: int) -> str:
    return chr(65 + number) if number < 26 else f"Z{number:03}"


def in_order(table: Table, number: int) -> Sequence[str]:
    """Whoever comes first in the alphabet is better."""
    return sorted(table)


@dataclass
class Driven:
    """A league of one format. `away` names bots that are not here."""

    format: Format
    terms: LeagueTerms
    bots: list[tuple[str, str]]
    lots: bytes = LOTS
    rank: Rank = in_order
    away: set[str] = field(default_factory=set)
    left_out: set[int] = field(default_factory=set)
    past: Past = field(default_factory=Past)
    results: dict[int, SetResult] = field(default_factory=dict)

    def ask(self, present: Collection[str] | None = None, results: Results | None = None) -> Next:
        self.past = Past(self.bots, self.past.sets, frozenset(self.left_out), self.past.decisions)
        here = {name for name, _ in self.bots} - self.away
        results = self.results if results is None else results
        return self.format.next(self.past, results, present or here, 0, self.lots)

    def plan(self) -> Next:
        """Ask, and store what is to be played."""
        answer = self.ask()
        if isinstance(answer, Play):
            added = seated(answer.tables, self.past, self.terms, self.lots, SeatsTaken())
            here = frozenset(name for name, _ in self.bots if name not in self.away)
            basis = Basis(len(self.past.sets) + 1, tuple(self.bots), here)
            self.past = Past(
                self.bots,
                [*self.past.sets, *added],
                frozenset(self.left_out),
                [*self.past.decisions, basis],
            )
        return answer

    def finish_sets(self) -> None:
        """Give every set that is unfinished its result, the last first."""
        for planned in reversed(self.past.unfinished(self.results)):
            order = list(self.rank(planned.line_up, planned.number))
            places = tuple(1 + order.index(name) for name in planned.line_up)
            match = MatchResult(planned.line_up, places, ())
            self.results[planned.number] = SetResult(planned.number, (match,))

    def play(self, most: int = 1000) -> Next:
        """Plan and finish sets until there is nothing to play; return the last answer."""
        for _ in range(most):
            answer = self.plan()
            if not isinstance(answer, Play):
                return answer
            self.finish_sets()
        raise AssertionError("no end")

    def leave(self, name: str) -> None:
        """A bot leaves for good; its sets without a result count for nobody."""
        self.bots = [bot for bot in self.bots if bot[0] != name]
        self.left_out |= {
            planned.number
            for planned in self.past.unfinished(self.results)
            if name in planned.line_up
        }

    def is_done(self) -> bool:
        return isinstance(self.ask(), Done)
