"""The schedule as a runner goes through it: sets in play, sets to be played on, sets to come.

A set begins when all its bots can play. One with a bot that dials in and is away waits, and the
sets after it are played before it. If nothing else is left it is played after all, once the bot has
been waited for long enough.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Protocol

import trio

from arena.league.model.played import LeagueMatch
from arena.league.model.sets import PlannedSet, SetState
from arena.league.plan.format import Done, Wait
from arena.league.plan.planner import Planned
from arena.league.table.ledger import Ledger

# No order has this lease, so no match is entered by it.
NO_LEASE = 0


@dataclass(eq=False)
class SetInPlay:
    """A set that is being played, or waits to be played on."""

    planned: PlannedSet
    attempt: int
    lease: int = NO_LEASE  # of the order whose matches are entered
    matches: dict[int, LeagueMatch] = field(default_factory=dict)  # entered, by turn
    has_begun: bool = False  # then it is played on, whatever becomes of its bots
    is_set_aside: bool = False  # it is not played on after all
    bugs: int = 0  # in arena that have stopped this set, by number


class Readiness(Protocol):
    """Knows whether the bots of a set can play now. Without bots that dial in all can, always."""

    def blocker(self, line_up: Sequence[str], /) -> str | None:
        """Return a bot that cannot play a further set now, None if there is none."""

    def waits_until(self, line_up: Sequence[str], /) -> float:
        """Return the time from which a set may be played without those that are away, in seconds of
        Trio's clock; infinity if one of them is here and busy."""


class AllReady:
    """The bots of a league that starts them all."""

    def blocker(self, line_up: Sequence[str], /) -> str | None:
        """Return None: nobody is waited for."""
        return None

    def waits_until(self, line_up: Sequence[str], /) -> float:
        """Return the beginning of all time."""
        return -math.inf


class SetsToPlay:
    """Gives each lane of a runner its next set, and takes back those that it did not finish."""

    def __init__(
        self, states: Iterable[SetState], ledger: Ledger, ordered: Collection[int] = ()
    ) -> None:
        """`ledger`: says which sets are left out because a bot in them is benched. `ordered`: the
        numbers of sets that a job was told to play before, also if no match of them was entered."""
        self.readiness: Readiness = AllReady()
        # True if something may still come that nobody knows of: a bot that dials in, an order of
        # the operator.
        self.may_come: Callable[[], bool] = lambda: False
        self.withdraws = False  # the format's: then no set begins without one of its bots
        self.on_wait: Callable[[str], object] = lambda why: None
        self._holds = 0  # while there are any, no set begins
        self.is_over = False  # nothing is left to play, and nothing more is planned
        self._ledger = ledger
        self._to_come: deque[SetInPlay] = deque()
        # Heaps by number: by bot that could not play, its sets that have not begun.
        self._waiting: dict[str, list[tuple[int, SetInPlay]]] = {}
        self._to_play_on: list[SetInPlay] = []  # begun; they are few
        self._in_play: dict[int, SetInPlay] = {}
        self._changes = 0  # sets over, and calls of `changed`: the planner may know more now
        self._taking = trio.Lock()
        self._idle = trio.lowlevel.ParkingLot()  # lanes that wait for a change
        self._add(states, ordered)

    def __repr__(self) -> str:
        return f"<SetsToPlay: {[*self._in_play]} in play, {len(self._to_play_on)} to play on>"

    @property
    def in_play(self) -> tuple[SetInPlay, ...]:
        """The sets that are being played now."""
        return tuple(self._in_play.values())

    @property
    def taken(self) -> Set[int]:
        """The numbers of sets that are being played, or wait to be played on."""
        return self._in_play.keys() | {one.planned.number for one in self._to_play_on}

    @property
    def bots_playing_on(self) -> Set[str]:
        """The bots of sets that are being played, or wait to be played on."""
        taken = (*self._in_play.values(), *self._to_play_on)
        return {name for one in taken for name in one.planned.line_up}

    @property
    def has_next(self) -> bool:
        """True if a planned set is left to begin, or to play on, now or later."""
        return self._peek() is not None or bool(self._waits())

    def grow(self, more: Sequence[PlannedSet]) -> None:
        """Add sets at the end of the schedule."""
        self._add((SetState(each, 0, False, ()) for each in more), ())

    def _add(self, states: Iterable[SetState], ordered: Collection[int]) -> None:
        for each in states:
            if not each.is_complete:
                has_begun = bool(each.turns or each.attempt or each.planned.number in ordered)
                one = SetInPlay(each.planned, each.attempt, has_begun=has_begun)
                (self._to_play_on if has_begun else self._to_come).append(one)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let no set begin in this block, in which some may be withdrawn: those `taken` now are all
        that have begun, until it ends."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self.changed()

    def changed(self) -> None:
        """Look again for sets to play: a bot has come or gone, or something was planned."""
        self._changes += 1
        self._idle.unpark_all()

    async def take(
        self,
        plan: Callable[[], Awaitable[Planned | Wait | Done]],
        is_closed: Callable[[], bool] = lambda: False,
    ) -> SetInPlay | None:
        """Take a set to play, to be used with `playing`; None when the league is over, or the lane
        that waits for one `is_closed`.

        The league is not over while other sets are in play: a job may end and give its set back, or
        a bot may be benched, so that others are played in the place of its sets. `plan` is called
        when no planned set can begin, and returns further ones.
        """
        async with self._taking:
            while True:
                if is_closed():
                    return None
                if not self._holds and (one := self._peek()) is not None:
                    break
                changes = self._changes
                answer = await plan()
                if isinstance(answer, Planned):
                    self.grow(answer.sets)
                    continue
                if changes != self._changes:
                    continue
                if self._holds:
                    await self._idle.park()
                    continue
                if (one := self._overdue()) is not None:
                    break
                if self._is_over(answer):
                    self.is_over = True
                    return None
                await self._wait(answer)
            self._remove(one)
            self._in_play[one.planned.number] = one
            return one

    def _is_over(self, answer: Wait | Done) -> bool:
        if self._in_play or self._waits():
            return False
        return isinstance(answer, Done) or (answer.until is None and not self.may_come())

    async def _wait(self, answer: Wait | Done) -> None:
        """Wait until something changes; at most until the planner wants to be asked again, or a
        set need not wait for its bots any more."""
        until = None
        if isinstance(answer, Wait):
            until = answer.until
            if not self._in_play and not self._waits():
                self.on_wait(answer.why)
        patience = math.inf if until is None else max(0.0, until - time.time())
        ends = [self._wait_ends(one) for one in self._may_be_overdue()]
        now = trio.current_time()
        with trio.move_on_after(max(0.0, min([patience, *(each - now for each in ends)]))):
            await self._idle.park()

    @contextmanager
    def playing(self, one: SetInPlay) -> Iterator[None]:
        """Play a set in this block. If it raises, another lane plays the set on."""
        try:
            yield
        except BaseException:
            if one.has_begun:
                self._to_play_on.append(one)
            else:
                self._let_wait(one, one.planned.line_up[0])
            raise
        else:
            one.matches = {}  # or the records of all sets ever played would stay in memory
        finally:
            del self._in_play[one.planned.number]
            self.changed()

    # Which set is next.

    def _peek(self) -> SetInPlay | None:
        """Return the next set of bots that can all play, and leave it there."""
        for one in sorted(self._to_play_on, key=_number):
            if not self._is_left_out(one) and self._goes_on(one):
                return one
        found = []
        for name in [*self._waiting]:
            if self.readiness.blocker((name,)) is None:
                found.append(self._ready(self._waiting[name]))
        found.append(self._ready_to_come())
        return min((one for one in found if one is not None), key=_number, default=None)

    def _ready(self, heap: list[tuple[int, SetInPlay]]) -> SetInPlay | None:
        """Return a heap's first set with bots that can all play; others go to wait for a bot."""
        while heap:
            one = heap[0][1]
            if self._is_left_out(one):
                heappop(heap)
            elif (blocker := self._blocker(one)) is None:
                return one
            else:
                heappop(heap)
                self._let_wait(one, blocker)
        return None

    def _ready_to_come(self) -> SetInPlay | None:
        while self._to_come:
            one = self._to_come[0]
            if not self._is_left_out(one):
                if (blocker := self._blocker(one)) is None:
                    return one
                self._let_wait(one, blocker)
            self._to_come.popleft()
        return None

    def _let_wait(self, one: SetInPlay, blocker: str) -> None:
        heappush(self._waiting.setdefault(blocker, []), (one.planned.number, one))

    def _blocker(self, one: SetInPlay) -> str | None:
        return self.readiness.blocker(one.planned.line_up)

    def _goes_on(self, one: SetInPlay) -> bool:
        """Tell whether a set that has begun is played on now.

        A format that withdraws sets always has more to play. A set that waited there until nothing
        else is left would keep its other bots from playing for ever.
        """
        if self._blocker(one) is None:
            return True
        return self.withdraws and self._wait_ends(one) <= trio.current_time()

    def _is_left_out(self, one: SetInPlay) -> bool:
        return self._ledger.is_left_out(one.planned)

    def _waits(self) -> list[SetInPlay]:
        """Return the sets that are to be played on, and the first that waits for each bot."""
        firsts = []
        for name, heap in [*self._waiting.items()]:
            while heap and self._is_left_out(heap[0][1]):
                heappop(heap)
            if heap:
                firsts.append(heap[0][1])
            else:
                del self._waiting[name]
        begun = [one for one in self._to_play_on if not self._is_left_out(one)]
        return sorted([*begun, *firsts], key=_number)

    def _overdue(self) -> SetInPlay | None:
        """Return a set that is played without a bot now, as nothing else can be played."""
        now = trio.current_time()
        for one in self._may_be_overdue():
            if self._wait_ends(one) <= now:
                return one
            if not self._in_play:
                self.on_wait(f"waiting for {self._blocker(one)} to dial in")
        return None

    def _may_be_overdue(self) -> list[SetInPlay]:
        """Return the sets that are played without their bots once these were waited for.

        While another set is in play only those that have begun: a set in play may free a bot.
        """
        return [one for one in self._waits() if one.has_begun or not self._in_play]

    def _wait_ends(self, one: SetInPlay) -> float:
        if self.withdraws and not one.has_begun:
            return math.inf
        return self.readiness.waits_until(one.planned.line_up)

    def _remove(self, one: SetInPlay) -> None:
        """Take a set out of the place where it was found."""
        if one in self._to_play_on:
            self._to_play_on.remove(one)
        elif self._to_come and self._to_come[0] is one:
            self._to_come.popleft()
        else:
            entry = (one.planned.number, one)
            heappop(next(heap for heap in self._waiting.values() if heap and heap[0] == entry))


def _number(one: SetInPlay) -> int:
    return one.planned.number
