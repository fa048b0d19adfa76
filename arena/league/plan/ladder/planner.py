"""A ladder: a league that never ends, in which bots play the neighbours that tell most of them.

It is asked whenever a table can be played, and answers with one table, or with the reason why
there is none. There are no rounds: a slow bot holds up its own tables and no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import ClassVar, TypeAlias

from arena.league.model.course import CourseTable
from arena.league.model.terms import LeagueTerms
from arena.league.plan.counts import Ints
from arena.league.plan.format import Done, Next, Past, Play, Results, Table, Wait
from arena.league.plan.ladder.choosing import NEVER, PAIRINGS, FreeBots, chosen
from arena.league.plan.ladder.history import LadderHistory
from arena.league.plan.lots import numbers_of
from arena.league.plan.owners import owners_apart, why_no_table

CHOICE_SECONDS = 15
"""Longest wait, in seconds, for a larger choice of opponents: well below the minute within which
everybody plays."""

SPARE = 4
"""Bots that make a choice of opponents, besides those that fill a table. With as many lanes as
tables, only those whose set has just ended are free: without a choice they would meet again."""

MOST_NAMES = 5

Owners: TypeAlias = Mapping[str, str]
"""By name of a bot the owner whose other bots it may not meet, in the order of the names."""


class OpenLadder:
    """The planner of one ladder. It keeps sums of the past that it was asked about last; a past
    that goes on from there costs little, if its sets and results are the same growing objects."""

    keys: ClassVar[Sequence[str]] = ("sets",)
    endless: ClassVar[bool] = True
    pairing: ClassVar[int] = max(PAIRINGS)
    reads_results: ClassVar[bool] = True
    has_course: ClassVar[bool] = False
    counts_at_once: ClassVar[bool] = True
    ignores_order: ClassVar[bool] = False
    withdraws: ClassVar[bool] = True

    def __init__(self, terms: LeagueTerms):
        self._terms = terms
        self._history = LadderHistory()

    def __repr__(self) -> str:
        return f"<OpenLadder at tables of {self._terms.seats}, {self._history!r}>"

    def why_not(self, bots: Sequence[tuple[str, str]]) -> str | None:
        return why_no_table(bots, self._terms.seats, self._terms.owners_may_meet)

    def course(self, past: Past, results: Results) -> Sequence[CourseTable]:
        return ()

    def sets_in_all(self, past: Past, results: Results) -> int | None:
        return self._terms.sets

    def next(
        self, past: Past, results: Results, present: Container[str], now: int, lots: bytes
    ) -> Next:
        """Return one table, or the reason why none is to be played now."""
        if self._terms.sets is not None and past.to_count >= self._terms.sets:
            return Done(f"all {self._terms.sets} sets are planned")
        if reason := self.why_not(past.bots):
            return Wait(reason)
        self._history.tell(past, results)
        playing = Counter(
            name for planned in self._history.unfinished.values() for name in planned.line_up
        )
        bots = owners_apart(past.bots, self._terms.owners_may_meet)
        here = {name: owner for name, owner in bots.items() if name in present}
        free = {
            name: owner
            for name, owner in here.items()
            if playing[name] < past.busy_most.get(name, 1)
        }
        if wait := self._too_few(bots, here, free) or self._small_choice(here, free, past, now):
            return wait
        return Play((self.choose(self._free(free, len(here), past, lots)),))

    def choose(self, free: FreeBots) -> Table:
        """Return the bots of the next set, of different owners. Others pair in other ways here, to
        be compared with a ladder."""
        return tuple(free.names[bot] for bot in chosen(free))

    def _too_few(self, bots: Owners, here: Owners, free: Owners) -> Wait | None:
        """Return the reason why no table can be filled with the bots that are here and free."""
        seats = self._terms.seats
        if owners_of(here) < seats:
            away = named([name for name in bots if name not in here])
            return Wait(
                f"{owners_of(here)} of the {seats} that a table needs are here; away: {away}"
            )
        if owners_of(free) < seats:
            busy = named([name for name in here if name not in free])
            return Wait(
                f"{owners_of(free)} of the {seats} that a table needs are free; busy: {busy}"
            )
        return None

    def _small_choice(self, here: Owners, free: Owners, past: Past, now: int) -> Wait | None:
        """Return a short wait if others will be free soon, and nobody has waited for long.

        Of the bots that are here, half are enough at most: the other half may be slow.
        """
        wanted = min(self._terms.seats + SPARE, (owners_of(here) + 1) // 2)
        if owners_of(free) >= wanted or not all(map(self._has_sat, free)):
            return None
        until = min(past.idle_since.get(name, 0) for name in free) + CHOICE_SECONDS
        if now >= until:
            return None
        return Wait(f"{owners_of(free)} are free, and {wanted} would be a choice", until)

    def _has_sat(self, name: str) -> bool:
        return bool(self._history.sat[self._history.known(name)])

    def _free(self, bots: Owners, here: int, past: Past, lots: bytes) -> FreeBots:
        history, seats = self._history, self._terms.seats
        at = [history.known(name) for name in bots]
        numbers = {owner: number for number, owner in enumerate(bots.values())}
        number = len(past.sets) + 1
        # The first lots of a set are those of its seats.
        draws: Ints = numbers_of(lots, number, seats + 1 + len(bots))[seats:]
        return FreeBots(
            names=[*bots],
            owners=[numbers[owner] for owner in bots.values()],
            at=at,
            idle=[number - history.sat[bot][-1] if history.sat[bot] else NEVER for bot in at],
            draws=draws[1:],
            draw=int(draws[0]),
            here=here,
            seats=seats,
            weight=2.0 if self._terms.duplicate else 2.0 / seats,
            met=history.met[at],
            strengths=history.strengths(),
            rules=PAIRINGS[self._terms.pairing],
        )


def owners_of(bots: Owners) -> int:
    return len({*bots.values()})


def named(names: Sequence[str]) -> str:
    """Return the names in a line; of many, the first and the number of the others."""
    first, more = names[:MOST_NAMES], len(names) - MOST_NAMES
    return ", ".join([*first, f"{more} more"] if more > 0 else first)
