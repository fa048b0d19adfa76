"""Round robin, everyone against everyone, and gauntlet, some bots against all others.

The whole schedule is planned at once, and it only ever grows: each set is chosen from the sets
before it and from lots of its own number. So the first sets do not depend on the number of sets
asked for, and bots that enter later change no set that was planned.

Few line-ups come in turn (`in_turn`); where there are more than FEW_LINE_UPS, each is drawn, seat
by seat (`balanced`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import ClassVar, Protocol

from arena.league.model.course import CourseTable
from arena.league.model.terms import FIRST_PAIRING, LeagueTerms
from arena.league.plan.counts import Counts, Ints
from arena.league.plan.format import Done, Next, Past, Play, Results, Table, Wait
from arena.league.plan.lots import numbers_of
from arena.league.plan.owners import owners_apart, why_no_table
from arena.league.plan.round_robin.balanced import Balanced
from arena.league.plan.round_robin.in_turn import FEW_LINE_UPS, InTurn, line_ups, number_of_line_ups

MOST_LINE_UPS = 5000
"""The most line-ups that `sets_per_line_up` is for: each set is chosen among all of them."""


class Source(Protocol):
    """A source of line-ups: in turn, or a balanced draw."""

    draws: int
    """The number of lots that `choose` needs."""

    def choose(self, draws: Ints) -> Sequence[int]:
        """Return the next line-up, in any order; the caller then counts it."""


class RoundRobin:
    """Everyone against everyone."""

    keys: ClassVar[Sequence[str]] = ("sets", "sets_per_line_up")
    endless: ClassVar[bool] = False
    pairing: ClassVar[int] = FIRST_PAIRING
    ignores_order: ClassVar[bool] = True
    withdraws: ClassVar[bool] = False
    reads_results: ClassVar[bool] = False
    has_course: ClassVar[bool] = False
    counts_at_once: ClassVar[bool] = False

    def __init__(self, terms: LeagueTerms) -> None:
        self._terms = terms

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at tables of {self._terms.seats}>"

    def why_not(self, bots: Sequence[tuple[str, str]]) -> str | None:
        """Return the reason why no set can be planned with these bots; None if one can."""
        terms = self._terms
        reason = why_no_table(bots, terms.seats, terms.owners_may_meet)
        if reason is not None or terms.sets_per_line_up is None:
            return reason
        owner_of = owners_apart(bots, terms.owners_may_meet)
        number = number_of_line_ups(owner_of, terms.seats, self._at_every_table(owner_of))
        if number <= MOST_LINE_UPS:
            return None
        return (
            f"sets_per_line_up is for at most {MOST_LINE_UPS:,} line-ups, and these"
            f" {len(bots)} bots have {number:,}: write `sets` instead"
        )

    def next(
        self, past: Past, results: Results, present: Container[str], now: int, lots: bytes
    ) -> Next:
        """Return all sets that are missing; at the end those in the place of others left out.

        Bots that are away are planned for as others are: their sets wait for them.
        """
        reason = self.why_not(past.bots)
        missing = 0 if reason is not None else self._missing(past)
        if missing and (self._asks_for_more(past) or not past.unfinished(results)):
            return Play(tuple(self._tables(past, lots, missing)))
        if past.unfinished(results):
            return Wait("planned sets are still to be played")
        return Done(reason or "every set is played")

    def course(self, past: Past, results: Results) -> Sequence[CourseTable]:
        return ()

    def sets_in_all(self, past: Past, results: Results) -> int | None:
        """Return the number of sets that will have counted at the end.

        In the place of those left out others are planned, if the bots that still take part can
        fill a table.
        """
        to_count = past.to_count
        if not past.sets or self.why_not(past.bots) is not None:
            return to_count
        return to_count + self._missing(past)

    def _asks_for_more(self, past: Past) -> bool:
        """Tell whether sets are missing that were never planned; else others were left out, and
        are made up for at the end."""
        return self._terms.sets is None or len(past.sets) < self._terms.sets

    def _missing(self, past: Past) -> int:
        """Return how many sets are to be planned besides those that count, or will."""
        terms = self._terms
        if terms.sets_per_line_up is None:
            assert terms.sets is not None  # the file has one or the other
            planned = len(past.sets) if self._asks_for_more(past) else past.to_count
            return max(0, terms.sets - planned)
        owner_of = owners_apart(past.bots, terms.owners_may_meet)
        names = list(owner_of)
        played = Counter(tuple(sorted(planned.line_up)) for planned in past.counting())
        return sum(
            max(0, terms.sets_per_line_up - played[tuple(sorted(names[bot] for bot in bots))])
            for bots in line_ups(owner_of, terms.seats, self._at_every_table(owner_of))
        )

    def _at_every_table(self, owner_of: Mapping[str, str]) -> Sequence[str]:
        """Return the bots of which one is at every table; none, if nobody is."""
        return ()

    def _tables(self, past: Past, lots: bytes, more: int) -> Iterator[Table]:
        terms = self._terms
        owner_of = owners_apart(past.bots, terms.owners_may_meet)
        challengers = self._at_every_table(owner_of)
        if len(challengers) == 1:
            # Bots of the challenger's owner can never sit.
            theirs = owner_of[challengers[0]]
            owner_of = {
                name: owner
                for name, owner in owner_of.items()
                if name == challengers[0] or owner != theirs
            }
        counts = Counts(list(owner_of), terms.seats)
        for planned in past.counting():
            counts.count([counts.at.get(name) for name in planned.line_up])
        number_of = number_of_line_ups(owner_of, terms.seats, challengers)
        most = FEW_LINE_UPS if terms.sets_per_line_up is None else MOST_LINE_UPS
        source: Source
        if number_of <= most:
            source = InTurn(line_ups(owner_of, terms.seats, challengers), counts)
        else:
            source = Balanced(owner_of, challengers, counts)
        seats = terms.seats
        for number in range(len(past.sets) + 1, len(past.sets) + more + 1):
            # The first lots of a set are those of its circular order.
            chosen = source.choose(numbers_of(lots, number, source.draws + seats)[seats:])
            counts.count(chosen)
            yield tuple(counts.names[bot] for bot in chosen)


class Gauntlet(RoundRobin):
    """Some bots, the challengers, against all others: one of them is at every table."""

    keys: ClassVar[Sequence[str]] = ("challenger", *RoundRobin.keys)

    def why_not(self, bots: Sequence[tuple[str, str]]) -> str | None:
        """Return the reason why no set can be planned with these bots; None if one can."""
        owners = dict(bots)
        here = [name for name in self._terms.challengers if name in owners]
        if not here:
            named = ", ".join(map(repr, self._terms.challengers))
            many = len(self._terms.challengers) > 1
            return (
                f"the challenger{'s' if many else ''} of this gauntlet, {named},"
                f" {'are' if many else 'is'} none of its bots"
            )
        for name in here:
            table = [
                (other, owner)
                for other, owner in bots
                if other == name or other not in self._terms.challengers
            ]
            if reason := why_no_table(table, self._terms.seats, self._terms.owners_may_meet):
                return reason if len(here) == 1 else f"besides the other challengers: {reason}"
        return super().why_not(bots)

    def _at_every_table(self, owner_of: Mapping[str, str]) -> Sequence[str]:
        return [name for name in self._terms.challengers if name in owner_of]
