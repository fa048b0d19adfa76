"""The schedule as a runner goes through it: sets in play, sets to be played on, sets to come."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field

import trio

from arena.league.model.played import LeagueMatch
from arena.league.model.sets import PlannedSet, SetState
from arena.league.plan.format import Done, Wait
from arena.league.plan.planner import Planned
from arena.league.table.ledger import Ledger

# No order has this lease, so no match is entered by it.
NO_LEASE = 0


@dataclass
class SetInPlay:
    """A set that is being played, or waits to be played on."""

    planned: PlannedSet
    attempt: int
    lease: int = NO_LEASE  # of the order whose matches are entered
    matches: dict[int, LeagueMatch] = field(default_factory=dict)  # entered, by turn


class SetsToPlay:
    """Gives each lane of a runner its next set, and takes back those that it did not finish."""

    def __init__(self, states: Iterable[SetState], ledger: Ledger):
        """`ledger`: says which sets are left out because a bot in them is benched."""
        self._states = list(states)
        self._ledger = ledger
        self._next = 0  # index in self._states of the next set to look at
        self._in_play: dict[int, SetInPlay] = {}
        self._returned: list[SetInPlay] = []
        self.is_over = False  # nothing is left to play, and nothing more is planned
        self._over = 0  # sets that were in play and are no more: the planner may know more now
        self._taking = trio.Lock()
        self._idle = trio.lowlevel.ParkingLot()  # lanes that wait for a set to be over

    def __repr__(self) -> str:
        return f"<SetsToPlay: {[*self._in_play]} in play, {len(self._returned)} returned>"

    @property
    def in_play(self) -> tuple[SetInPlay, ...]:
        """The sets that are being played now."""
        return tuple(self._in_play.values())

    @property
    def taken(self) -> Set[int]:
        """The numbers of sets that are being played, or wait to be played on."""
        return self._in_play.keys() | {one.planned.number for one in self._returned}

    @property
    def has_next(self) -> bool:
        """True if a planned set is left to begin, or to play on."""
        return bool(self._returned) or self._peek() is not None

    def grow(self, more: Sequence[PlannedSet]) -> None:
        """Add sets at the end of the schedule."""
        self._states += [SetState(each, 0, False, ()) for each in more]

    async def take(self, plan: Callable[[], Awaitable[Planned | Wait | Done]]) -> SetInPlay | None:
        """Take a set to play, to be used with `playing`; None when the league is over.

        The league is not over while other sets are in play: one may come back from a job that
        ended, or have a bot benched, so that sets are played in the place of those that are left
        out. `plan` is called when no planned set is left to begin, and returns further ones.
        """
        async with self._taking:
            while not self.has_next:
                over = self._over
                answer = await plan()
                if isinstance(answer, Planned):
                    self.grow(answer.sets)
                elif over == self._over:
                    until = answer.until if isinstance(answer, Wait) else None
                    if not self._in_play and until is None:
                        self.is_over = True
                        return None
                    await self._wait(until)
            if self._returned:
                one = self._returned.pop(0)
            else:
                state = self._states[self._next]
                self._next += 1
                one = SetInPlay(state.planned, state.attempt)
            self._in_play[one.planned.number] = one
            return one

    async def _wait(self, until: int | None) -> None:
        """Wait until a set is over, at most until this time in seconds since 1970."""
        patience = math.inf if until is None else max(0.0, until - time.time())
        with trio.move_on_after(patience):
            await self._idle.park()

    @contextmanager
    def playing(self, one: SetInPlay) -> Iterator[None]:
        """Play a set in this block. If it raises, another lane plays the set on."""
        try:
            yield
        except BaseException:
            self._returned.append(one)
            raise
        finally:
            del self._in_play[one.planned.number]
            self._over += 1
            self._idle.unpark_all()

    def _peek(self) -> SetState | None:
        """Return the next set that is to be played, and leave it there."""
        while self._next < len(self._states):
            state = self._states[self._next]
            if not state.is_complete and not self._ledger.is_left_out(state.planned):
                return state
            self._next += 1
        return None
