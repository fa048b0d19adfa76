"""A tie of a knockout: who goes on, and when that is known.

Three things end a tie before its last set:

- The lead of each bot that goes on over each that does not is larger than the sets left: nobody can
  catch up, so this is always right.
- The test: for each bot that goes on and each that does not, the differences of their points set by
  set speak against "the first is no better" (`evidence`) with more than 1 / ERROR, shared among all
  pairs of the tie.
- Fewer bots are left than a table needs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb

import numpy as np

from arena.league.plan.format import SetResult

ERROR = 0.05
"""How often at most the test ends a tie in which a bot goes on that is no better than one that does
not."""

_DIGITS = 6
_STAKES = np.array([0.25, 0.5, 0.75, 1.0])


def evidence(differences: Sequence[float]) -> float:
    """Return how strongly differences, from -1 to 1, speak against a mean of 0 or below.

    It is the capital of a gambler who began with 1 and, before each set, stakes a fixed part of it
    on the first bot; the mean of gamblers with several parts. If the mean of each set is at most 0
    whatever came before, nobody gains by this on average, so the capital ever exceeds 1 / error
    with a chance of at most `error`, however often one looks and however the results are spread
    (Ville's inequality).
    """
    capital: float = np.prod(1 + np.outer(_STAKES, np.array(differences)), axis=1).mean()
    return float(capital)


@dataclass(frozen=True)
class Tied:
    """One bot of a tie."""

    name: str
    seed: int
    points: float  # summed over the sets of the tie
    sets_won: int  # in which nobody at the table had more points
    is_out: bool  # benched, retired or replaced: it cannot go on

    @property
    def rank_key(self) -> tuple[bool, float, int, int]:
        return (self.is_out, -self.points, -self.sets_won, self.seed)


@dataclass(frozen=True)
class Tie:
    """A tie with the results of its sets that count and are complete.

    `seeds`: by name, of its bots. `active`: those that can go on. `seats`: bots at a table.
    `goes_on`: how many. `most_sets`: after so many it is decided in any case.
    """

    seeds: Mapping[str, int]
    active: Collection[str]
    results: tuple[SetResult, ...]
    seats: int
    goes_on: int
    most_sets: int

    @cached_property
    def order(self) -> list[Tied]:
        """All bots, best first: by points, sets won, seed; those that are out come last."""
        bots = []
        for name, seed in self.seeds.items():
            points = [each.points[name] for each in self.results]
            won = sum(
                own >= max(each.points.values()) - 10**-_DIGITS
                for own, each in zip(points, self.results, strict=True)
            )
            bots.append(Tied(name, seed, round(sum(points), _DIGITS), won, name not in self.active))
        return sorted(bots, key=lambda bot: bot.rank_key)

    @cached_property
    def decided(self) -> str | None:
        """The reason why the tie is over, in words; None if it goes on."""
        ranked = self._ranked
        if len(self.results) >= self.most_sets:
            return f"all {self.most_sets} sets are played{self._by_tie_break()}"
        pairs = list(product(ranked[: self.goes_on], ranked[self.goes_on :]))
        left = self.most_sets - len(self.results)
        if pairs and all(first.points - other.points > left for first, other in pairs):
            return "nobody can catch up any more"
        if pairs and all(self._is_better(first.name, other.name) for first, other in pairs):
            return f"better with {1 - ERROR:.0%} confidence"
        if sum(not bot.is_out for bot in ranked) < self.seats:
            return "too few bots are left for a table"
        return None

    @cached_property
    def _ranked(self) -> list[Tied]:
        """All bots, best first, those that are out in their places."""
        return sorted(self.order, key=lambda bot: bot.rank_key[1:])

    def _is_better(self, one: str, other: str) -> bool:
        # The claim errs only if a pair in the wrong order passes, and a tie has so many pairs.
        differences = [each.points[one] - each.points[other] for each in self.results]
        return evidence(differences) * ERROR >= comb(self.seats, 2)

    def _by_tie_break(self) -> str:
        """Tell what decided between the last that goes on and the first that does not."""
        last, first = self._ranked[self.goes_on - 1 : self.goes_on + 1]
        if last.points != first.points:
            return ", by points"
        return ", by sets won" if last.sets_won != first.sets_won else ", by the better seed"
