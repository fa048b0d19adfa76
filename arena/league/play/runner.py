"""Plays a league to its end: gives sets to jobs, enters their matches, and goes on after any stop.

The runner holds the lock and the only writing connection, and calls the store in one thread, one
call at a time. All its decisions follow from entered matches, so after a kill at any moment the
next runner decides the same.
"""

from __future__ import annotations

import socket
from collections.abc import (
    Callable,
    Collection,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Protocol

import trio

from arena.bots.botfile import Bot
from arena.bots.confine.confiner import Means
from arena.bots.confine.limits import Limits
from arena.bots.program import Program
from arena.league.entry.hidden_tokens import without_tokens
from arena.league.model.config import League
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import MOST_VOIDS
from arena.league.plan.format import Done, Wait
from arena.league.plan.planner import Planned
from arena.league.play.attendance import Attendance
from arena.league.play.entering import BegunSets, Entering, LeagueView
from arena.league.play.job_keeper import Job, JobKeeper, OpenJob
from arena.league.play.jobs import open_job
from arena.league.play.lanes.lanes import Lanes
from arena.league.play.lanes.looks import JobTally
from arena.league.play.orders import (
    MatchOver,
    PlaySet,
    Said,
    SetAside,
    SetOver,
)
from arena.league.play.sets_to_play import NO_LEASE, SetInPlay, SetsToPlay
from arena.league.store import events
from arena.league.store.store import Store
from arena.referee.door.front_door import FrontDoor, Lend
from arena.referee.wire.packed import LendLink
from arena.tokens import KnownToken

# Bugs in arena that one set may meet before it is set aside.
MOST_BUGS = 3


class PutOff(Exception):
    """A set is played on later, when its bots are here."""


class Maker(Protocol):
    """Makes bots ready for the jobs: a workshop of this machine, or a packer for others."""

    async def make(self, bots: Mapping[str, tuple[Bot, Limits]]) -> list[Program]:
        """Return the programs of bots, under these names and limits. Raises BuildFailed or
        ProcessError."""


class Runner:
    """One run of one league."""

    def __init__(self, league: League, store: Store, log: Path, open_job: OpenJob = open_job):
        self.league = league
        self.store = store
        self.entered = Entering(store, league.matches_of_a_set, log)
        self.ledger = self.entered.ledger
        self._key = store.secrets.key
        self._errors = log
        self._is_stopping: Callable[[], bool] = lambda: False
        self._waits_told: set[str] = set()
        self._sets = SetsToPlay(
            store.unfinished(), self.ledger, {each.number for each in store.begun()}
        )
        self._jobs = JobKeeper(
            league, open_job, self._play_next, self._sets, self.entered, errors=log
        )
        self._sets.withdraws = self.entered.planner.withdraws
        self.attendance = Attendance(self.entered, self._sets)
        self._sets.readiness = self.attendance
        self._sets.may_come = self._may_come
        self._sets.on_wait = self._tell_wait
        self.is_over = False  # every set of the schedule is over, and no more are planned

    def __repr__(self) -> str:
        return f"<Runner of {self.league.name!r}, {self.ledger!r}>"

    @property
    def sets_in_all(self) -> int | None:
        """The number of sets that will have counted when the league is finished; None if nobody can
        know."""
        return self.entered.planner.sets_in_all()

    @property
    def progress(self) -> str:
        """The sets that are over, of all there will be, in words."""
        total = self.sets_in_all
        return f"{self.sets_over}{'' if total is None else f' of {total}'} sets"

    @property
    def in_play(self) -> tuple[SetInPlay, ...]:
        """The sets that are being played now."""
        return self._sets.in_play

    @property
    def begun_sets(self) -> BegunSets:
        """The sets that cannot be withdrawn any more."""
        return self._sets

    @property
    def sets_over(self) -> int:
        """The number of sets that count, or are complete and will count when their turn comes."""
        return self.ledger.over

    async def run(
        self,
        bots: Sequence[Program],
        view: LeagueView,
        means: Means | None = None,
        pieces: Path | None = None,
        door: FrontDoor | None = None,
        tokens: Mapping[str, KnownToken] | None = None,
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        """Play until the league has as many sets as it is to have, or no more can be played.

        `means`: how jobs confine the bots that they start; None: not at all. `pieces`: a folder for
        the output of bots in each match. `door`: where the bots come in that dial in. `tokens`: by
        name, of these. `is_stopping`: tells whether the whole run is cancelled, and not one job.
        """
        self._is_stopping = is_stopping
        self._jobs.equip(bots, means or Means(), pieces)
        self.attendance.tokens.update(tokens or {})
        self.attendance.callers = frozenset(self.league.callers)
        view.begun(self)
        try:
            async with trio.open_nursery() as nursery:
                if door is not None:
                    self.attendance.open_to(door, nursery)
                    callers = [self.league.entrant(name) for name in self.league.callers]
                    self.attendance.open_to_callers(
                        {each.name: each.connections for each in callers}
                    )
                if await self.has_more(view):
                    await self._jobs.play()
                nursery.cancel_scope.cancel()
            await self.finish()
        finally:
            if door is not None:
                door.say_bye("done" if self.is_over else "stopping")

    async def has_more(self, view: LeagueView) -> bool:
        """Tell people of all benchings so far; return whether there is anything to play."""
        self.entered.view = view
        await self.entered.tell_benched()
        await self.entered.keep_checkpoint()
        await self.entered.end_early(self._sets)
        if self._sets.has_next:
            return True
        answer = await self._plan()
        if isinstance(answer, Planned):
            self._sets.grow(answer.sets)
            return True
        return isinstance(answer, Wait) and (answer.until is not None or self._may_come())

    # Acts of the operator.

    @property
    def door(self) -> FrontDoor | None:
        """The door for bots that dial in, if the run has one."""
        return self.attendance.door

    def take_up(self, league: League) -> None:
        """Go on with other bots, and other settings for sets to come."""
        self.league = self._jobs.league = league
        self.attendance.callers = frozenset(league.callers)
        self._sets.changed()

    def is_made(self, name: str) -> bool:
        """Tell whether a bot that is started is made ready for the jobs, or will be in a while."""
        return self._jobs.starts(name) or self.attendance.is_being_made(name)

    async def enter_bots(self, programs: Sequence[Program]) -> None:
        """Have further bots started, or bots in the place of those of the same names."""
        await self._jobs.enter_bots(programs)
        self._sets.changed()

    def _absent(self) -> Collection[str]:
        """Return the bots that further sets are planned without."""
        if not self._sets.withdraws:
            return self.entered.planner.so_far.away
        return self.attendance.absent(self.league.callers)

    def _may_come(self) -> bool:
        """Tell whether a bot may still come, so that more can be played."""
        return self.league.listen is not None and (self._sets.withdraws or bool(self._absent()))

    def _tell_wait(self, why: str) -> None:
        """Tell people, once, the reason why nothing is played."""
        if why not in self._waits_told:
            self._waits_told.add(why)
            self.entered.view.says(why)

    async def _plan(self) -> Planned | Wait | Done:
        return await self.entered.plan(self._absent)

    async def finish(self) -> None:
        """Enter the event `finished`, once for each end that the league comes to."""
        if not (self.ledger.is_settled and self.entered.is_done()):
            return
        self.is_over = True
        if not await self.entered.stored(self.store.is_over):
            over = events.finished(self.ledger.sets, len(self.ledger.matches))
            await self.entered.stored(partial(self.store.add_events, [over]))

    # Sets.

    def play_by(self, open_job: OpenJob) -> None:
        """Play by one job of another kind, which has as many lanes as it wants."""
        self._jobs.play_by(open_job)

    async def _play_next(self, job: Job, nursery: trio.Nursery, lanes: Lanes) -> bool:
        """Play the next set; return False when the league is over, or the lanes are closed.

        `nursery`: for connections that are handed on while a set is played.
        """

        def lend(lent: LendLink, sock: socket.socket) -> None:
            nursery.start_soon(job.lend, lent, sock)

        one = await self._sets.take(self._plan, lambda: lanes.is_closed)
        if one is None:
            return False
        number = one.planned.number
        with suppress(PutOff), self._sets.playing(one), self._kept(one), lanes.tally.plays():
            entered = partial(self.store.matches_of, number, one.attempt)
            one.matches = {played.turn: played for played in await self.entered.stored(entered)}
            while len(one.matches) < self.league.matches_of_a_set and not one.is_set_aside:
                await self._play(job, one, lend, lanes.tally)
                self._check_present(one)
        self.attendance.dismiss_retired(one.planned.line_up)
        return True

    def _check_present(self, one: SetInPlay) -> None:
        """Raise PutOff if a set begins anew and one of its bots is away: where the door that it
        came through is gone, it cannot be back at once."""
        door = self.attendance.door
        if one.lease == NO_LEASE and door is not None and door.has_lost_one_of(one.planned.number):
            raise PutOff

    @contextmanager
    def _kept(self, one: SetInPlay) -> Iterator[None]:
        """Keep connections of the set's bots that dial in for it."""
        if self.attendance.door is None:
            yield
            return
        number = one.planned.number
        self.attendance.door.reserve(number, one.planned.line_up, self.league.matches_of_a_set)
        try:
            yield
        finally:
            self.attendance.door.set_free(number, is_stopping=self._is_stopping())

    async def _play(self, job: Job, one: SetInPlay, lend: Lend, tally: JobTally) -> None:
        """Order the rest of a set, and enter its matches until the job says that it is over."""
        one.lease = await self.entered.stored(partial(self.store.lease, one.planned.number))
        one.has_begun = True
        self.entered.begun[one.planned.number] = one.planned.line_up
        order = self._order(one)
        if self.attendance.door is not None:
            self.attendance.door.lend(order.number, order.lease, lend)
        async with aclosing(job.play(order)) as comes:
            async for news in comes:
                match news:
                    case MatchOver(lease, played):
                        tally.enter(played)
                        if (played.set, lease) == (order.number, one.lease):
                            hidden = without_tokens(played, self.attendance.tokens.values())
                            await self.entered.enter(one, hidden)
                            await self.entered.end_early(self._sets)
                        else:
                            self.entered.drop(played)
                    case Said():
                        await self.entered.note(
                            without_tokens(news, self.attendance.tokens.values())
                        )
                    case SetAside(number, lease, why):
                        if (number, lease) == (order.number, order.lease):
                            await self.entered.set_aside(one, why)
                            return
                    case SetOver(number, lease, back, bug):
                        if (number, lease) == (order.number, order.lease):
                            if self.attendance.door is not None:
                                self.attendance.door.take_back(number, back)
                            if bug:
                                await self._met_a_bug(one, bug)
                            return

    async def _met_a_bug(self, one: SetInPlay, bug: str) -> None:
        """Have a set played on, or set it aside if it meets bugs in arena again and again."""
        one.bugs += 1
        if one.bugs >= MOST_BUGS:
            await self.entered.set_aside(one, f"{MOST_BUGS} times it met a bug in arena ({bug})")
        else:
            self.entered.view.says(
                f"set {one.planned.number} met a bug in arena ({bug}), and is played on; see"
                f" {self._errors}"
            )

    def _order(self, one: SetInPlay) -> PlaySet:
        league, number, door = self.league, one.planned.number, self.attendance.door
        turns = range(league.matches_of_a_set)
        return PlaySet(
            number=number,
            lease=one.lease,
            attempt=one.attempt,
            line_up=one.planned.line_up,
            turns=tuple(turn for turn in turns if turn not in one.matches),
            seed=seed_of_set(self._key, number, one.attempt),
            game=league.game,
            options=league.options,
            timing=league.timing,
            show_names=league.show_names,
            may_void=one.attempt < MOST_VOIDS,
            clocks={
                each.name: each.clock
                for each in league.entrants
                if each.clock is not None and each.name in one.planned.line_up
            },
            guests=door.guests_of(number) if door is not None else {},
            absent=door.absent_of(number) if door is not None else {},
        )
