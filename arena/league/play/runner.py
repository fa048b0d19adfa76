"""Plays a league to its end: gives sets to jobs, enters their matches, and goes on after any stop.

The runner holds the lock and the only writing connection, and calls the store in one thread, one
call at a time. All its decisions follow from entered matches, so after a kill at any moment the
next runner decides the same.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias

import trio

from arena.bots.confine.confiner import Means
from arena.bots.program import DialIn, Program
from arena.groups import leaves
from arena.league.model.config import League
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import MOST_VOIDS
from arena.league.plan.format import Wait
from arena.league.plan.planner import Planned
from arena.league.play.cores import cores_of, matches_at_once
from arena.league.play.entering import Entering, LeagueStopped, LeagueView
from arena.league.play.evidence import evidence_for
from arena.league.play.hidden_tokens import without_tokens
from arena.league.play.jobs import JobEnded, open_job
from arena.league.play.orders import (
    Awaited,
    EvidenceAsked,
    EvidenceGiven,
    MatchOver,
    News,
    PlaySet,
    Said,
    SetOver,
    Setup,
    StrangersTold,
)
from arena.league.play.sets_to_play import SetInPlay, SetsToPlay
from arena.league.store import events
from arena.league.store.store import Store
from arena.referee.players.pool import processes_for
from arena.tokens import KnownToken

# Ends of a job in a row, without a match between, after which it is not started anew.
MOST_JOB_ENDS = 3


class Job(Protocol):
    """Plays sets: a process of this machine, or a test's script."""

    def play(self, order: PlaySet) -> AsyncGenerator[News, None]: ...
    async def finish(self) -> None: ...
    async def give(self, evidence: EvidenceGiven) -> None: ...
    async def read(self, answer: Callable[[EvidenceAsked], object]) -> None: ...


OpenJob: TypeAlias = Callable[[Setup, Sequence[int], Path], AbstractAsyncContextManager[Job]]


class Runner:
    """One run of one league."""

    def __init__(self, league: League, store: Store, log: Path, open_job: OpenJob = open_job):
        self.league = league
        self.store = store
        self.at_once = league.at_once or matches_at_once(league.jobs)
        self.entered = Entering(store, league.matches_of_a_set, log)
        self.ledger = self.entered.ledger
        self._bots: Sequence[Program | DialIn] = ()
        self._pieces: Path | None = None
        self._means = Means()
        self._tokens: Mapping[str, KnownToken] = {}  # of the bots that dial in
        self._log = log
        self._open_job = open_job
        self._key = store.secrets.key
        self._sets = SetsToPlay(store.sets(), self.ledger)
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
    def sets_over(self) -> int:
        """The number of sets that count, or are complete and will count when their turn comes."""
        return self.ledger.over

    async def run(
        self,
        bots: Sequence[Program | DialIn],
        view: LeagueView,
        means: Means | None = None,
        pieces: Path | None = None,
        tokens: Mapping[str, KnownToken] | None = None,
    ) -> None:
        """Play until the league has as many sets as it is to have, or no more can be played.

        `means`: how jobs confine the bots that they start; None: not at all. `pieces`: a folder for
        what bots print in each match. `tokens`: by name, of the bots that dial in.
        """
        self._bots = bots
        self._pieces = pieces
        self._means = means or Means()
        self._tokens = tokens or {}
        view.begun(self)
        if await self.has_more(view):
            async with trio.open_nursery() as nursery:
                for number in range(self.league.jobs):
                    nursery.start_soon(self._job, number)
        await self.finish()

    async def has_more(self, view: LeagueView) -> bool:
        """Tell people of all benchings so far; return whether there is anything to play."""
        self.entered.view = view
        await self.entered.tell_benched()
        await self.entered.end_early(self._sets.taken)
        if self._sets.has_next:
            return True
        answer = await self.entered.plan()
        if isinstance(answer, Planned):
            self._sets.grow(answer.sets)
            return True
        return isinstance(answer, Wait) and answer.until is not None

    async def finish(self) -> None:
        """Enter the event `finished`, once for each end that the league comes to."""
        if not (self.ledger.is_settled and self.entered.is_done()):
            return
        self.is_over = True
        if not await self.entered.stored(self.store.is_over):
            over = events.finished(self.ledger.sets, len(self.ledger.matches))
            await self.entered.stored(partial(self.store.add_events, [over]))

    # Jobs.

    async def _job(self, number: int) -> None:
        """Keep one job running; sets that it had not finished when it ended are played on by the
        next."""
        setup = Setup(
            tuple(self._bots),
            processes_for(self.league.matches_of_a_set, self.at_once),
            self.league.start_ms,
            self.league.dial_in_ms,
            self.league.listen,
            self._means,
            self._pieces,
            self._tokens,
        )
        cores = cores_of(number, self.league.jobs)
        ends = 0
        while not self._sets.is_over:
            before = self.entered.matches
            why = None
            try:
                async with self._open_job(setup, cores, self._log) as job:
                    await self._lanes(job)
                    await job.finish()
            except* JobEnded as ended:
                why = next(leaves(ended))
            if why is None:
                return
            ends = 1 if self.entered.matches > before else ends + 1
            if ends >= MOST_JOB_ENDS:
                raise LeagueStopped(
                    f"a referee process ended {ends} times in a row without a match ({why}); "
                    f"see {self._log}"
                )
            self.entered.view.says(f"a referee process ended ({why}); another goes on")

    async def _lanes(self, job: Job) -> None:
        async with trio.open_nursery() as nursery:

            def answer(asked: EvidenceAsked) -> None:
                nursery.start_soon(self._give_evidence, job, asked)

            nursery.start_soon(job.read, answer)
            async with trio.open_nursery() as lanes:
                for _ in range(self.at_once):
                    lanes.start_soon(self._lane, job)
            nursery.cancel_scope.cancel()

    async def _lane(self, job: Job) -> None:
        """Play one set after the other, until the league is over."""
        while (one := await self._sets.take(self.entered.plan)) is not None:
            with self._sets.playing(one):
                entered = partial(self.store.matches_of, one.planned.number, one.attempt)
                one.matches = {played.turn: played for played in await self.entered.stored(entered)}
                while len(one.matches) < self.league.matches_of_a_set:
                    await self._play(job, one)

    async def _play(self, job: Job, one: SetInPlay) -> None:
        """Order the rest of a set, and enter its matches until the job says that it is over."""
        one.lease = await self.entered.stored(partial(self.store.lease, one.planned.number))
        self.entered.begun[one.planned.number] = one.planned.line_up
        order = self._order(one)
        async with aclosing(job.play(order)) as comes:
            async for news in comes:
                match news:
                    case MatchOver(lease, played):
                        if (played.set, lease) == (order.number, one.lease):
                            hidden = without_tokens(played, self._tokens.values())
                            await self.entered.enter(one, hidden)
                            await self.entered.end_early(self._sets.taken)
                        else:
                            self.entered.drop(played)
                    case Said():
                        await self.entered.note(without_tokens(news, self._tokens.values()))
                    case Awaited(name):
                        self.entered.view.says(f"waiting for {name} to dial in")
                    case StrangersTold(count):
                        self.entered.view.says(str(count))
                    case SetOver(number, lease):
                        if (number, lease) == (order.number, order.lease):
                            return

    async def _give_evidence(self, job: Job, asked: EvidenceAsked) -> None:
        """Read the evidence that a bot asked for, in another thread than the one that enters
        matches, and hand it to the job."""
        read = partial(evidence_for, self.store.path, asked)
        given = await trio.to_thread.run_sync(read, abandon_on_cancel=True)
        await job.give(given)

    def _order(self, one: SetInPlay) -> PlaySet:
        league, number = self.league, one.planned.number
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
        )
