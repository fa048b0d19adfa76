"""Plays a league to its end: hands sets to jobs, enters what comes back, goes on after anything.

The runner holds the lock and the only writing connection, and its calls to the store go through
one thread, one at a time. Everything it decides it decides from what is entered; so killed at
any moment, the next runner decides the same.
"""

from __future__ import annotations

import math
import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

import trio

from arena.groups import leaves
from arena.league import events
from arena.league.config import League
from arena.league.database import StoreBusy
from arena.league.growth import more_sets
from arena.league.jobs import JobEnded, open_job
from arena.league.ledger import Ledger
from arena.league.orders import (
    Awaited,
    Caller,
    Entry,
    MatchOver,
    News,
    PlaySet,
    Said,
    SetOver,
    Setup,
)
from arena.league.played import Played, PlayedSet
from arena.league.pool import processes_for
from arena.league.reader import SetState
from arena.league.schedule import NoLineUp
from arena.league.sets import MOST_VOIDS, PlannedSet, seed_of_set
from arena.league.settings import Settings
from arena.league.store import Store
from arena.league.table import ledger_of

# How often a locked store is tried again; each try waits for some seconds itself.
MOST_TRIES = 12
# A job that ends by itself is started anew so many times, if it has played anything between.
MOST_JOB_ENDS = 3

T = TypeVar("T")


class Watcher(Protocol):
    """Who is told what happens while it happens."""

    def begun(self, runner: Runner) -> None: ...
    def match_over(self, played: Played) -> None: ...
    def void(self, played: Played) -> None: ...
    def benched(self, name: str, reason: str) -> None: ...
    def says(self, text: str) -> None: ...


class Job(Protocol):
    """Whoever plays sets: a process of this machine, or a test's script."""

    def play(self, order: PlaySet) -> AsyncGenerator[News, None]: ...
    async def read(self) -> None: ...


OpenJob: TypeAlias = Callable[[Setup, Sequence[int], Path], AbstractAsyncContextManager[Job]]


class LeagueStopped(Exception):
    """It cannot go on now; the text says why. What was entered is kept."""


@dataclass
class Progress:
    """A set as far as it has been played."""

    planned: PlannedSet
    attempt: int
    matches: dict[int, Played]


class Runner:
    """One run of one league."""

    def __init__(self, league: League, store: Store, log: Path, open_job: OpenJob = open_job):
        self.league = league
        self.store = store
        self.voids = store.voids()
        self.at_once = league.at_once or matches_at_once(league.jobs)
        self.matches = 0  # entered in this run
        self.ledger: Ledger = ledger_of(store)
        self._bots: Sequence[Entry | Caller] = ()
        self._watcher: Watcher
        self._log = log
        self._open_job = open_job
        self._key = store.key
        self._sets = list(store.sets())
        self._complete = sum(state.is_complete for state in self._sets)
        self._next = 0  # in self._sets
        self._progress: dict[int, Progress] = {}
        self._returned: list[Progress] = []  # what a job had begun when it ended
        self._said: dict[str, Mapping[str, str]] = {
            entrant.name: entrant.said for entrant in store.entrants()
        }
        self._told_benched = store.benched()
        self._one_thread = trio.CapacityLimiter(1)
        self._entering = trio.Lock()

    def __repr__(self) -> str:
        return f"<Runner of {self.league.name!r}, {self.ledger!r}>"

    @property
    def planned(self) -> int:
        return len(self._sets)

    @property
    def in_play(self) -> tuple[Progress, ...]:
        """The sets that are being played now."""
        return tuple(self._progress.values())

    @property
    def sets_over(self) -> int:
        """Complete, whether they count already or not, or left out."""
        return max(self.ledger.last_number, self._complete)

    async def run(self, bots: Sequence[Entry | Caller], watcher: Watcher) -> None:
        """Until as many sets are played as the league is to have, or no more can be."""
        self._bots = bots
        watcher.begun(self)
        while await self.has_more(watcher):
            async with trio.open_nursery() as nursery:
                for number in range(self.league.jobs):
                    nursery.start_soon(self._job, number)
        await self.finish()

    async def has_more(self, watcher: Watcher) -> bool:
        """Whether there is anything to play, once all that has happened is told."""
        self._watcher = watcher
        await self._tell_benched()
        return not self.is_over or await self._grow()

    async def _grow(self) -> bool:
        """At the end: sets in the place of those that were left out with benched bots, for those
        who still take part. Whether there are any."""
        missing = self.league.sets - self.ledger.sets
        if missing <= 0 or not self.ledger.is_settled:
            return False
        planned = [state.planned for state in self._sets]
        entrants = [(entrant.name, entrant.owner) for entrant in self.store.entrants()]
        try:
            more = more_sets(
                Settings.of(self.league),
                entrants,
                self.store.lots,
                planned,
                len(planned) + missing,
                self._told_benched,
            )
        except NoLineUp:
            return False  # too few are left
        grown = events.schedule(len(planned) + len(more))
        await self._stored(partial(self.store.add_sets, more, [grown]))
        self._sets += [SetState(each, 0, False, ()) for each in more]
        self.ledger.grow((), more)
        return True

    async def finish(self) -> None:
        """Say that it is finished, once for each end that the league comes to."""
        last = await self._stored(self._last_event)
        if self.ledger.is_settled and last != "finished":
            over = events.finished(self.ledger.sets, len(self.ledger.matches))
            await self._stored(partial(self.store.add_events, [over]))

    def _last_event(self) -> str:
        last = ""
        for _, event in self.store.events(self.store.last_event() - 1):
            last = event["event"]
        return last

    # Jobs.

    async def _job(self, number: int) -> None:
        """Keep one job going; what it had not finished when it ended is played again."""
        setup = Setup(
            tuple(self._bots),
            processes_for(self.league.matches_of_a_set, self.at_once),
            self.league.start_ms,
            self.league.dial_in_ms,
            self.league.listen,
        )
        cores = cores_of(number, self.league.jobs)
        ends = 0
        while not self.is_over:
            before = self.matches
            why = None
            try:
                async with self._open_job(setup, cores, self._log) as job:
                    await self._lanes(job)
            except* JobEnded as ended:
                why = next(leaves(ended))
            if why is None:
                return
            ends = 1 if self.matches > before else ends + 1
            if ends >= MOST_JOB_ENDS:
                raise LeagueStopped(
                    f"a referee process ended {ends} times in a row without a match ({why}); "
                    f"see {self._log}"
                )
            self._watcher.says(f"a referee process ended ({why}); another goes on")

    async def _lanes(self, job: Job) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(job.read)
            async with trio.open_nursery() as lanes:
                for _ in range(self.at_once):
                    lanes.start_soon(self._lane, job)
            nursery.cancel_scope.cancel()

    async def _lane(self, job: Job) -> None:
        """One set after the other, as long as there are any."""
        while (progress := await self._take()) is not None:
            number = progress.planned.number
            try:
                while len(progress.matches) < self.league.matches_of_a_set:
                    await self._play(job, progress)
            except BaseException:
                self._returned.append(progress)
                raise
            finally:
                self._progress.pop(number, None)

    async def _play(self, job: Job, progress: Progress) -> None:
        """What is left of a set, or what is played of it until it is void."""
        order = self._order(progress)
        async with aclosing(job.play(order)) as comes:
            async for news in comes:
                match news:
                    case MatchOver(played):
                        await self._enter(progress, played)
                    case Said():
                        await self._note(news)
                    case Awaited(name):
                        self._watcher.says(f"waiting for {name} to dial in")
                    case SetOver():
                        return

    # The schedule.

    @property
    def is_over(self) -> bool:
        """Nothing is left to play."""
        return not self._progress and not self._returned and self._peek() is None

    def _peek(self) -> SetState | None:
        """The next set that is to be played."""
        while self._next < len(self._sets):
            state = self._sets[self._next]
            if not state.is_complete and not self.ledger.is_left_out(state.planned):
                return state
            self._next += 1
        return None

    async def _take(self) -> Progress | None:
        """A set to play, from where it was left; None when there is none."""
        if self._returned:
            progress = self._returned.pop(0)
        elif (state := self._peek()) is not None:
            self._next += 1
            progress = Progress(state.planned, state.attempt, {})
        else:
            return None
        number = progress.planned.number
        self._progress[number] = progress
        entered = partial(self.store.matches_of, number, progress.attempt)
        progress.matches = {played.turn: played for played in await self._stored(entered)}
        return progress

    def _order(self, progress: Progress) -> PlaySet:
        league, number = self.league, progress.planned.number
        turns = range(league.matches_of_a_set)
        return PlaySet(
            number=number,
            attempt=progress.attempt,
            line_up=progress.planned.line_up,
            turns=tuple(turn for turn in turns if turn not in progress.matches),
            seed=seed_of_set(self._key, number, progress.attempt),
            game=league.game,
            options=league.options,
            decision_ms=league.timing.decision_ms,
            bank_ms=league.timing.bank_ms,
            hang_ms=league.timing.hang_ms,
            faults_to_forfeit=league.timing.faults_to_forfeit,
            show_names=league.show_names,
            may_void=progress.attempt < MOST_VOIDS,
        )

    # What comes back.

    async def _enter(self, progress: Progress, played: Played) -> None:
        """One match at a time: entered, counted, told."""
        async with self._entering:
            if played.is_void:
                await self._enter_void(progress, played)
                return
            matches = {**progress.matches, played.turn: played}
            one = None
            happened = [events.match(played)]
            if len(matches) == self.league.matches_of_a_set:
                turns = tuple(matches[turn] for turn in sorted(matches))
                one = PlayedSet(played.set, played.attempt, turns)
                happened.append(events.complete(one))
            await self._stored(
                partial(
                    self.store.enter,
                    played,
                    completes=one is not None,
                    voids=False,
                    events=happened,
                )
            )
            progress.matches = matches
            self.matches += 1
            self._watcher.match_over(played)
            if one is not None:
                await self._count(one)

    async def _enter_void(self, progress: Progress, played: Played) -> None:
        if progress.attempt >= MOST_VOIDS:
            raise LeagueStopped(
                f"set {played.set} is void for the {progress.attempt + 1}th time, which only a "
                f"bug in arena can make it; see {self._log}"
            )
        await self._stored(
            partial(
                self.store.enter,
                played,
                completes=False,
                voids=True,
                events=[events.void(played)],
            )
        )
        self.voids[played.annulled or ""] += 1
        progress.attempt += 1
        progress.matches = {}
        self._watcher.void(played)

    async def _count(self, one: PlayedSet) -> None:
        self._complete += 1
        self.ledger.enter(one)
        await self._tell_benched()

    async def _tell_benched(self) -> None:
        """Whoever is benched and not told of yet; also when we were killed before we could."""
        benching = self.ledger.benching
        for name in sorted(benching.reasons.keys() - self._told_benched.keys()):
            reason = benching.reasons[name]
            event = events.benched(name, reason, benching.after_set[name])
            await self._stored(partial(self.store.add_events, [event]))
            self._told_benched[name] = benching.after_set[name]
            self._watcher.benched(name, reason)

    async def _note(self, said: Said) -> None:
        words = {"version": said.version, "author": said.author, "language": said.language}
        if self._said.get(said.name) != words:
            self._said[said.name] = words
            await self._stored(partial(self.store.note_said, said.name, words))

    async def _stored(self, call: Callable[[], T]) -> T:
        """A call of the store, in the one thread; while it is locked we wait and say so."""
        for tries in range(MOST_TRIES):
            try:
                # What is begun is finished: half a call would be the end of the connection.
                return await trio.to_thread.run_sync(
                    call, limiter=self._one_thread, abandon_on_cancel=False
                )
            except StoreBusy as busy:
                if tries == MOST_TRIES - 1:
                    raise
                self._watcher.says(f"{busy}; waiting for it")
        raise AssertionError("not reached")


def matches_at_once(jobs: int) -> int:
    """As each match has one thinker, and somebody must referee: a core less than there are."""
    cores = len(os.sched_getaffinity(0))
    return max(1, math.floor(cores / jobs) - 1)


def cores_of(job: int, jobs: int) -> Sequence[int]:
    """Which cores a job and its bots run on; none named: all of them."""
    cores = sorted(os.sched_getaffinity(0))
    if jobs == 1 or len(cores) < jobs:
        return ()
    return cores[job::jobs]
