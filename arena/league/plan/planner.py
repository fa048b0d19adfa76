"""The one place where a league's next sets are decided: for its opening, a run and `arena verify`.

A decision is worked out from the events before it, the time of its own event and the lots, and is
stored before it is played.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.league.model.course import CourseTable
from arena.league.model.sets import PlannedSet
from arena.league.model.stopping import Stopping
from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import Done, Format, Play, Wait
from arena.league.plan.formats import FORMATS, format_of
from arena.league.plan.seating import SeatsTaken, seated
from arena.league.plan.so_far import SoFar
from arena.league.plan.stop.rules import StopRules


@dataclass(frozen=True)
class Planned:
    """Sets to add to the schedule."""

    sets: Sequence[PlannedSet]


class Planner:
    """Decides what is played next in one league, of which it is told every event."""

    def __init__(self, terms: LeagueTerms, lots: bytes) -> None:
        # `hours` of [stop] need the first match alone, and all other rules who won.
        kind = FORMATS[terms.format]
        with_results = kind.reads_results or terms.stop is not None
        self.so_far = SoFar(with_results=with_results, counts_at_once=kind.counts_at_once)
        self._stop = StopRules(terms.stop or Stopping(), terms.anchor)
        self._terms = terms
        self._format: Format = format_of(terms)
        self._lots = lots
        self._seats = SeatsTaken()

    def __repr__(self) -> str:
        return f"<Planner {self._format!r}, {self.so_far!r}>"

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of events that matter."""
        return self.so_far.kinds

    def tell(self, event: Mapping[str, Any]) -> None:
        """Take the next event. Raises KeyError if it lacks something or names no row."""
        self.so_far.tell(event)
        terms = self.so_far.terms
        if terms is not None and terms != self._terms:
            if (terms.stop, terms.anchor) != (self._terms.stop, self._terms.anchor):
                self._stop = StopRules(terms.stop or Stopping(), terms.anchor)
            self._terms = terms
            self._format = format_of(terms)

    def hand_over(self, sets: Sequence[PlannedSet]) -> None:
        """Take the sets of which the next `schedule` events will tell."""
        self.so_far.hand_over(sets)

    def why_not(self) -> str | None:
        """Return the reason why no set can be planned with the bots that take part."""
        return self._format.why_not(self.so_far.roster.taking_part)

    @property
    def withdraws(self) -> bool:
        """True if a set that has not begun is withdrawn when one of its bots is away."""
        return self._format.withdraws

    def next(self, now: int, absent: Collection[str]) -> Planned | Wait | Done:
        """Return what is to be played next. `now`: seconds since 1970, UTC. `absent`: the names of
        the bots that it has to do without."""
        past = self.so_far.past()
        results = self.so_far.results
        if self.so_far.ended is not None:
            begun = past.unfinished(results)
            return Wait("sets that have begun are played to their end") if begun else self._ended()
        here = self.so_far.taking_part_without(absent)
        answer = self._format.next(past, results, here, now, self._lots)
        if isinstance(answer, Play):
            return Planned(seated(answer.tables, past, self._terms, self._lots, self._seats))
        return answer

    @property
    def may_end_early(self) -> bool:
        """True if the league has rules of [stop], and none of them held yet."""
        return self._terms.stop is not None and self.so_far.ended is None

    def why_end(self, now: int) -> str | None:
        """Return the rule of [stop] by which the league ends now, in words; None if it goes on.

        `now`: seconds since 1970, UTC.
        """
        if not self.may_end_early:
            return None
        so_far = self.so_far
        return self._stop.why(so_far.past(), so_far.results, began=so_far.began, now=now)

    def _ended(self) -> Done:
        assert self.so_far.ended is not None
        return Done(self.so_far.ended)

    def course(self) -> Sequence[CourseTable]:
        """Return the tables that outputs show beside the ratings."""
        return self._format.course(self.so_far.past(), self.so_far.results)

    def sets_in_all(self) -> int | None:
        """Return the number of sets that will have counted at the end; None if nobody can know."""
        return self._format.sets_in_all(self.so_far.past(), self.so_far.results)
