"""Keeps the jobs of a run: opens them, has them play sets in lanes, and replaces those that end.

How many there are may change while a league is played (`lanes.spread`). The jobs that there are
then finish their sets, and others go on with the sets that come.
"""

from __future__ import annotations

import logging
import os
import socket
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias

import trio

from arena.bots.confine.confiner import Means
from arena.bots.program import Program
from arena.groups import leaves
from arena.league.model.config import League
from arena.league.play.entering import Entering, LeagueStopped
from arena.league.play.jobs import JobEnded
from arena.league.play.lanes.cores import JobLayout, cores_of, most_jobs
from arena.league.play.lanes.lanes import Lanes
from arena.league.play.lanes.looks import LATER, Look
from arena.league.play.lanes.spread import JobCount
from arena.league.play.orders import EnterBots, News, PlaySet, Setup
from arena.league.play.sets_to_play import SetsToPlay
from arena.referee.players.pool import MOST_PROCESSES, processes_for
from arena.referee.wire.packed import LendLink

log = logging.getLogger(__name__)

# Ends of a job in a row, without a match between, after which it is not started anew.
MOST_JOB_ENDS = 3


class Job(Protocol):
    """Plays sets: a process of this machine, a cluster of others, or a test's script."""

    def play(self, order: PlaySet) -> AsyncGenerator[News, None]: ...
    async def lend(self, lent: LendLink, sock: socket.socket) -> None: ...
    async def enter(self, bots: EnterBots) -> None: ...
    async def finish(self) -> None: ...
    async def read(self) -> None: ...
    async def pace(self, lanes: Lanes, most: int) -> None:
        """Change the number of lanes while they play, up to `most`; return once it is final."""


OpenJob: TypeAlias = Callable[[Setup, Sequence[int], Path], AbstractAsyncContextManager[Job]]

PlayNext: TypeAlias = Callable[[Job, trio.Nursery, Lanes], Awaitable[bool]]
"""Plays the next set in a lane of a job; returns False if nothing is left to play."""


class JobKeeper:
    """The jobs of one run."""

    def __init__(
        self,
        league: League,
        open_job: OpenJob,
        play_next: PlayNext,
        sets: SetsToPlay,
        entered: Entering,
        errors: Path,
    ) -> None:
        """`errors`: the file for the standard error of jobs."""
        self.league = league
        self._open_job = open_job
        self._play_next = play_next
        self._sets = sets
        self._entered = entered
        self._errors = errors
        self._bots: Sequence[Program] = ()
        self._means = Means()
        self._pieces: Path | None = None
        self._layout = JobLayout.of(league.jobs or 1, league.at_once)
        self._is_paced = league.at_once is None
        self._job_count: JobCount | None = None  # None: the number of jobs is fixed
        if self._is_paced and league.jobs is None:
            later_us = 1000 * LATER * self._shortest_decision_ms()
            self._job_count = JobCount(most_jobs(), len(os.sched_getaffinity(0)), later_us)
        self._jobs: list[Job] = []
        self._lanes: list[Lanes] = []
        self._brought: Counter[int] = Counter()  # matches, by the number of their job

    def __repr__(self) -> str:
        return f"<JobKeeper of {len(self._jobs)} jobs, {self._layout}>"

    def equip(self, bots: Sequence[Program], means: Means, pieces: Path | None) -> None:
        """Give jobs to come their bots, the means to confine them, and a folder for what bots
        print in each match."""
        self._bots = bots
        self._means = means
        self._pieces = pieces

    def starts(self, name: str) -> bool:
        """Tell whether jobs have the program of a bot."""
        return any(each.name == name for each in self._bots)

    def play_by(self, open_job: OpenJob) -> None:
        """Play by one job of another kind, which has as many lanes as it wants."""
        self._open_job = open_job
        self._layout = JobLayout(1, 1, self._layout.most)  # until it wants more
        self._is_paced = True
        self._job_count = None

    async def enter_bots(self, programs: Sequence[Program]) -> None:
        """Have further bots started, or bots in the place of those of the same names."""
        names = {each.name for each in programs}
        self._bots = [each for each in self._bots if each.name not in names] + [*programs]
        for job in [*self._jobs]:
            with suppress(JobEnded):  # the next one has them
                await job.enter(EnterBots(tuple(programs)))

    async def play(self) -> None:
        """Play until the league is over, in as many jobs as suit its bots from time to time."""
        layout = None
        while layout is not self._layout:
            layout = self._layout
            async with trio.open_nursery() as jobs:
                for number in range(layout.jobs):
                    jobs.start_soon(self._keep, number, layout)

    def _looked(self, layout: JobLayout, look: Look) -> None:
        """Have other jobs from now on, if a look at one says that they suit the bots better; those
        that there are finish their sets. `layout`: of the job that was looked at."""
        count = self._job_count
        if count is None or layout is not self._layout or count.after(look) == layout.jobs:
            return
        log.info("%d referee processes play from now on", count.jobs)
        self._layout = JobLayout.of(count.jobs)
        for lanes in self._lanes:
            lanes.close()
        self._sets.changed()

    async def _keep(self, number: int, layout: JobLayout) -> None:
        """Keep one job running, until the league is over or is played in other jobs; sets that it
        had not finished when it ended are played on by the next."""
        cores = cores_of(number, layout.jobs)
        ends = 0
        while not self._sets.is_over and layout is self._layout:
            before = self._brought[number]
            why = None
            try:
                setup = self._setup(layout)
                async with self._open_job(setup, cores, self._errors) as job:
                    self._jobs.append(job)
                    try:
                        if late := [each for each in self._bots if each not in setup.bots]:
                            await job.enter(EnterBots(tuple(late)))
                        await self._play_in(job, number, layout)
                        await job.finish()
                    finally:
                        self._jobs.remove(job)
            except* JobEnded as ended:
                why = next(each for each in leaves(ended) if isinstance(each, JobEnded))
            if why is None:
                return
            ends = 1 if self._brought[number] > before else ends + 1
            if ends >= MOST_JOB_ENDS:
                raise LeagueStopped(
                    f"{why.what} ended {ends} times in a row without a match ({why}); "
                    f"see {self._errors}"
                )
            self._entered.view.says(f"{why.what} ended ({why}); {why.then}")

    def _setup(self, layout: JobLayout) -> Setup:
        """Return the first order for a job that is opened now."""
        return Setup(
            tuple(self._bots),
            processes_for(
                self.league.matches_of_a_set,
                min(layout.most, max(layout.fewest, MOST_PROCESSES)),
            ),
            self.league.start_ms,
            self._means,
            self._pieces,
        )

    async def _play_in(self, job: Job, number: int, layout: JobLayout) -> None:
        """Play sets in lanes of this job until the league is over, or is played in other jobs.

        `number`: of the job in this layout, from 0.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(job.read)
            lanes = Lanes(
                partial(self._play_next, job, nursery),
                layout.fewest,
                self._shortest_decision_ms(),
                partial(self._looked, layout),
            )
            if self._is_paced:
                nursery.start_soon(job.pace, lanes, layout.most)
            self._lanes.append(lanes)
            if layout is not self._layout:  # others came while this job was opened
                lanes.close()
            try:
                await lanes.run()
            finally:
                self._lanes.remove(lanes)
                self._brought[number] += lanes.tally.matches
            nursery.cancel_scope.cancel()

    def _shortest_decision_ms(self) -> int:
        times = [each.clock.decision_ms for each in self.league.entrants if each.clock is not None]
        return min([self.league.timing.decision_ms, *times])
