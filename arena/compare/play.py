"""Matches outside a league: one match, or sets of it in every seating, to compare bots.

Sets are played by lanes, several at once if that is asked for, each lane one set at a time. They
are counted in the order in which they began. The pool sees to it that no process plays two matches
of one set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Protocol, TypeAlias

import trio

from arena.compare.sets import (
    OneSet,
    Rows,
    ahead_in,
    mean_in_set,
    seatings,
    seatings_against,
    seed_of_set,
)
from arena.compare.stop import Trial, Verdict
from arena.record.evidence import Evidence
from arena.referee.match import OnMove, Plan, Result
from arena.referee.players.pool import Pool


@dataclass(frozen=True)
class SeatedResult:
    """A match of a set and its result. `seating`: by seat, the bot's place in the line-up."""

    seating: tuple[int, ...]
    result: Result


@dataclass
class Comparison:
    """All that is played of one plan, filled as matches end.

    `plan` has the names in the order of the line-up, and the seed that those of sets come from.
    `sets`: how many are wanted at most. `rows`: by row of the table, the places in the line-up; a
    bot of which copies play has several. `trial`: ends the sets with its verdict. With neither
    `sets` nor `trial` a single match is wanted. `jobs`: sets that are played at the same time.
    `rival`: a bot that plays each match of the first bot again in its seat, so that the two are
    compared without meeting; it stands behind the line-up.
    """

    plan: Plan
    sets: int | None
    rows: Rows
    trial: Trial | None = None
    jobs: int = 1
    rival: str | None = None
    played: list[list[SeatedResult]] = field(default_factory=list)  # by set, as they began
    voided: set[int] = field(default_factory=set)  # sets of a run before this that were void
    counted: list[OneSet] = field(default_factory=list)
    _over: int = 0  # sets from the first on that are over, and counted unless void

    @property
    def is_single(self) -> bool:
        return self.sets is None and self.trial is None

    @property
    def results(self) -> list[Result]:
        return [match.result for one in self.played for match in one]

    @property
    def line_up(self) -> tuple[str, ...]:
        """The names of all bots; seatings and rows are places in it."""
        return self.plan.names if self.rival is None else (*self.plan.names, self.rival)

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """Those of a set, one for each match."""
        seats = self.plan.seats
        return seatings(seats) if self.rival is None else seatings_against(seats)

    @property
    def names(self) -> list[str]:
        """The names of the rows: those of their first copies."""
        return [self.line_up[row[0]] for row in self.rows]

    @property
    def is_decided(self) -> bool:
        return self.trial is not None and self.trial.verdict is not Verdict.NOT_YET

    @property
    def is_whole(self) -> bool:
        """All sets that were wanted are over: only then their number was fixed before."""
        return self._over == self.sets

    def is_over(self, number: int) -> bool:
        """Tell whether a set was played in every seating."""
        return len(self.played[number]) == len(self.seatings) or number in self.voided

    def is_void(self, number: int) -> bool:
        return number in self.voided or any(
            match.result.lag is not None for match in self.played[number]
        )

    def count(self) -> Iterator[int]:
        """Count the sets that are over, up to the first that is not or to a verdict.

        Yields the number of each after it was counted. A set of which a match was not begun, or is
        void, is not counted.
        """
        while self._over < len(self.played) and self.is_over(self._over) and not self.is_decided:
            number = self._over
            self._over += 1
            matches = self.played[number]
            if self.is_void(number) or not all(match.result.is_begun for match in matches):
                continue
            one = [(match.seating, match.result.record) for match in matches]
            self.counted.append(one)
            if self.trial is not None:
                self.trial.add(mean_in_set(one, self.rows[0], ahead_in))
            yield number


class MatchView(Protocol):
    """Matches shown to people while they are played."""

    @property
    def is_closed(self) -> bool:
        """True if nobody reads any more, so that sets need not go on."""

    def begin(self, comparison: Comparison) -> None:
        """Called before the first match; `comparison` may hold sets of a run before this."""

    def match(self, plan: Plan) -> AbstractContextManager[OnMove | None]:
        """Called around each match; yields a function for its moves."""

    def result(self, match: Result) -> None: ...
    def absent(self, name: str, fault: Evidence) -> None:
        """A bot that did not come, so that its match was not begun."""

    def progress(self, comparison: Comparison, number: int, one: OneSet) -> None:
        """The set with this number, from 1, was counted."""


Keep: TypeAlias = Callable[[int, Comparison], None]
"""Called with the number of each set, from 0, that is over, before it is counted."""


async def play(
    comparison: Comparison,
    pool: Pool,
    view: MatchView,
    keep: Keep | None = None,
) -> None:
    """Play all that is wanted; a bot that does not come ends it.

    Sets that are in `comparison` already are not played again. If this is cancelled, the
    comparison holds the matches that had ended.
    """
    view.begin(comparison)
    lanes = _Lanes(comparison, pool, view, keep)
    if comparison.is_single:
        await lanes.play_single()
        return
    for _ in comparison.count():
        pass  # of a run before this: nobody needs to be told again
    async with trio.open_nursery() as nursery:
        for _ in range(comparison.jobs):
            nursery.start_soon(lanes.run, nursery.cancel_scope)


class _Lanes:
    """Play the sets of a comparison that are not over."""

    def __init__(self, comparison: Comparison, pool: Pool, view: MatchView, keep: Keep | None):
        self._comparison = comparison
        self._pool = pool
        self._view = view
        self._keep = keep
        played = range(len(comparison.played))
        gaps = [number for number in played if not comparison.is_over(number)]
        self._is_ended = False
        self._numbers = chain(gaps, count(len(played)))

    def __repr__(self) -> str:
        return f"<_Lanes with {len(self._comparison.played)} sets begun>"

    async def run(self, lanes: trio.CancelScope) -> None:
        """Play one set after the other; `lanes` is cancelled when no lane needs to go on."""
        while (number := self._next_number()) is not None:
            if not await self._play_set(number) or self._comparison.is_decided:
                self._is_ended = True
                lanes.cancel()

    def _next_number(self) -> int | None:
        if self._is_ended or self._comparison.is_decided:
            return None
        number = next(self._numbers)
        if self._comparison.sets is not None and number >= self._comparison.sets:
            return None
        if number == len(self._comparison.played):
            self._comparison.played.append([])
        return number

    async def _play_set(self, number: int) -> bool:
        """Play a set and count it; return whether there is a reason to play more."""
        plan = self._comparison.plan
        seed = seed_of_set(plan.seed, number)
        for seating in self._comparison.seatings:
            names = tuple(self._comparison.line_up[bot] for bot in seating)
            seated = replace(plan, seed=seed, names=names)
            if not await self._play_match(number, seating, seated) or self._view.is_closed:
                return False
        self._pool.forget(number)
        if self._keep is not None:
            self._keep(number, self._comparison)
        for each in self._comparison.count():
            self._view.progress(self._comparison, each + 1, self._comparison.counted[-1])
        return True

    async def play_single(self) -> None:
        plan = self._comparison.plan
        self._comparison.played.append([])
        await self._play_match(0, tuple(range(plan.seats)), plan)

    async def _play_match(self, number: int, seating: tuple[int, ...], plan: Plan) -> bool:
        """Play the next match of a set. Returns whether it was begun."""
        with self._view.match(plan) as on_move:
            result, _ = await self._pool.play(plan, number, on_move)
        self._comparison.played[number].append(SeatedResult(seating, result))
        if not result.is_begun:
            for fault in result.evidence:
                self._view.absent(plan.names[fault.seat], fault)
        else:
            self._view.result(result)
        return result.is_begun
