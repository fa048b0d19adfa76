"""A league played to its end and published: the runner, and everything that is open around it.

`LeagueRun.play` makes the bots ready, plays, keeps a view, the events and the pages up to date, and
publishes once more at the end. It prints nothing and listens to no signal: its caller passes a
view, a function that takes lines for people, and a `Stop`.
"""

from __future__ import annotations

import logging
import math
import os
import shlex
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    ExitStack,
    contextmanager,
)
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

import trio

from arena.bots.botfile import Bot
from arena.bots.build import BuildFailed
from arena.bots.builds.cache import users_cache
from arena.bots.confine.choose import NotConfined, Rejected, choose
from arena.bots.confine.confinement import Wish
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.confine.limits import Limits
from arena.bots.contents import remove_scratch
from arena.bots.processes import Warden, open_warden
from arena.bots.program import Program
from arena.bots.refused import NotStartable, ProcessError
from arena.bots.workshop import Workshop
from arena.league.control.socket import open_control
from arena.league.entry.tokens import tokens_of
from arena.league.file.tokens import file_of
from arena.league.file.told_address import to_dial
from arena.league.model.config import League
from arena.league.model.settings import Settings
from arena.league.play.acting import Acting
from arena.league.play.entering import LeagueView
from arena.league.play.evidence import evidence_for
from arena.league.play.held_output import HeldOutput
from arena.league.play.job_keeper import Job
from arena.league.play.orders import Setup
from arena.league.play.publishing import Publishing, open_publisher
from arena.league.play.runner import Maker, Runner
from arena.league.store.event_stream import EventStream
from arena.league.store.events import Event
from arena.league.store.folder import DATABASE, LOG, LOGS, PUBLIC, SCRATCH
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from arena.league.table.live import rounds_of
from arena.league.table.maker import RunFacts, TableMaker
from arena.league.table.standings import Standings
from arena.league.table.waiting import Waited, waited_for
from arena.record.confinement import DIALLED_IN, is_weaker
from arena.referee.door.addresses import CannotListen, RelayAddress, TcpAddress
from arena.referee.door.folder import check_folder
from arena.referee.door.front_door import FrontDoor, open_front_door
from arena.serve.child import open_server
from arena.serve.options import ServeOptions
from arena.tokens import KnownToken

# The view and the events are brought up to date this often.
TICK_SECONDS = 0.25
# A stopped league waits this long for somebody to read its last events.
LAST_EVENTS_SECONDS = 2.0


class Stop:
    """A request to stop, made from outside as often as somebody likes.

    Each one cancels the step that is running, or between two steps the next one: playing, then the
    last events, then the last publishing. The steps after it still run.
    """

    def __init__(self) -> None:
        self.is_asked = False
        self._step: trio.CancelScope | None = None
        self._cancels_next = False

    def ask(self) -> None:
        """Cancel the step that is running, or else the next."""
        self.is_asked = True
        if self._step is None:
            self._cancels_next = True
        else:
            self._step.cancel()

    @contextmanager
    def step(self) -> Iterator[trio.CancelScope]:
        """Run a step in this block, which may be cancelled."""
        with trio.CancelScope() as self._step:
            if self._cancels_next:
                self._step.cancel()
            self._cancels_next = False
            try:
                yield self._step
            finally:
                self._step = None


@dataclass(frozen=True)
class RunEnd:
    """The end of a run of a league."""

    is_stopped: bool  # before all was played
    is_published: bool  # else the pages are not up to date


class Elsewhere(Protocol):
    """Has sets played on other machines."""

    def begin(
        self,
        tell: Callable[[str], None],
        enter: Callable[[Event], Awaitable[None]],
        before: str,
        local: Maker | None,
    ) -> Maker:
        """Begin a run; return what makes its bots ready. `enter`: enters events into the store.
        `before`: the weakest way in which bots were confined until now. `local`: makes them ready
        on this machine too."""

    def open_job(
        self, setup: Setup, cores: Sequence[int], log: Path
    ) -> AbstractAsyncContextManager[Job]:
        """Open the one job that stands for all other machines."""


class WeakerRung(Exception):
    """The league was played with bots confined better than is possible now."""

    def __init__(self, before: str, now: str, rejected: Sequence[Rejected]) -> None:
        why = "; ".join(f"{each.rung}: {each.why}" for each in rejected)
        name = now.split()[0].replace("unconfined", "none")
        super().__init__(
            f"this league's bots were confined by {before} until now, and here they would be"
            f" {now if name == 'none' else f'confined by {now}'} ({why}). `arena doctor` tells what"
            f" would change that; if you want to go on like this, say so: --confine {name}"
        )


def is_refused(before: str, now: str, wish: Wish) -> bool:
    """Return True if a league may not go on: its bots were confined better, and nobody says so.

    `before`: the weakest way so far, "" without a counted match. Where all bots dialled in nothing
    was confined, so any rung may follow.
    """
    is_named = wish not in (Wish.AUTO, Wish.STRICT)
    return before not in ("", DIALLED_IN) and is_weaker(now, before) and not is_named


class LeagueRun:
    """One run of a league, from its open store."""

    def __init__(
        self,
        league: League,
        store: Store,
        folder: Path,
        file: Path,
        elsewhere: Elsewhere | None = None,
    ):
        """Read all that was played before. `folder` is that of the store; its lock is held. `file`:
        league.toml, which the operator may have read again while the league runs. `elsewhere`:
        plays the sets on other machines; None: processes of this one do."""
        self.runner = Runner(league, store, folder / LOG)
        self._file = file
        self._folder = folder
        self._elsewhere = elsewhere
        self._settings = Settings.of(league)
        self._table = self._table_maker()
        self._held = HeldOutput(folder)
        unfinished = {one.planned.number for one in store.unfinished()}
        self._held.drop(unfinished - self.runner.entered.begun.keys())
        self._is_playing = True

    def __repr__(self) -> str:
        return f"<LeagueRun of {self.runner!r}>"

    def _table_maker(self) -> TableMaker:
        return TableMaker(self._settings, rounds_of(self._settings), self.runner.ledger)

    def standings(self) -> Standings:
        """The table as it now is."""
        runner = self.runner
        settings = Settings.of(runner.league)
        if settings != self._settings:  # the operator had the file read again
            self._settings = settings
            self._table = self._table_maker()
        return self._table.standings(
            runner.store.entrants(),
            voids=runner.entered.voids,
            run=RunFacts(
                runner.sets_in_all,
                self._is_playing,
                runner.is_over,
                runner.entered.planner.so_far.ended or "",
                runner.entered.planner.course(),
                runner.entered.planner.so_far.roster.clocks,
                runner.entered.planner.so_far.roster.retired,
                runner.entered.planner.so_far.presence,
            ),
            with_history=False,
        )

    def waited_for(self) -> Sequence[Waited]:
        """The bots that cost the others most of their time."""
        clocks = self.runner.entered.planner.so_far.roster.clocks
        timing = self.runner.league.timing
        return tuple(waited_for(self.runner.ledger.tallies, timing.decision_ms, clocks))

    async def play(
        self,
        view: AbstractContextManager[LeagueView],
        tell: Callable[[str], None],
        stop: Stop,
        *,
        events: str | None = None,
        pages: bool = True,
        serve: ServeOptions | None = None,
    ) -> RunEnd:
        """Play until nothing is left to play, or until it is stopped; then publish.

        `view` is open while matches are played, `tell` takes all lines after that. `events`: the
        file they are written to, "-" for standard output. Without `pages` they are made at the
        end only. `serve`: how the league is served on the web meanwhile; None: not at all.
        """
        with ExitStack() as held:
            held.enter_context(logged_to(self._folder / LOG))
            stream = None
            if events is not None:
                reader = held.enter_context(Reader.read(self._folder / DATABASE))
                stream = EventStream(events, reader)
                held.callback(stream.close)
            async with open_publisher(self._folder, self._folder / PUBLIC, tell) as publisher:
                with view as shown:
                    async with open_server(serve, shown.says), trio.open_nursery() as nursery:
                        nursery.start_soon(publisher.run)
                        nursery.start_soon(self._keep_told, shown, publisher if pages else None)
                        nursery.start_soon(self._keep_released, shown)
                        if stream is not None:
                            nursery.start_soon(_keep_written, stream)
                        with stop.step():
                            await self._play(shown, stop)
                        is_stopped = stop.is_asked
                        nursery.cancel_scope.cancel()
                    with trio.CancelScope(shield=True):
                        await self._release(shown)
                if stream is not None:
                    patience = LAST_EVENTS_SECONDS if is_stopped else math.inf
                    with stop.step(), trio.move_on_after(patience):
                        await _write(stream)
                is_published = False
                with stop.step():
                    is_published = await publisher.publish_last()
        self._is_playing = False
        return RunEnd(is_stopped, is_published)

    async def _play(self, view: LeagueView, stop: Stop) -> None:
        """Build the bots and play, if there is anything left to play."""
        runner = self.runner
        if not await runner.has_more(view):
            await runner.finish()
            return
        check_folder()
        scratch = self._folder / SCRATCH
        remove_scratch(scratch)  # of a run that was killed
        # Bots may write down the cards that they see.
        scratch.mkdir(mode=0o700)
        async with open_warden() as warden:
            warden.sweep(scratch)
            try:
                means: Means | NotConfined = Means()
                if self._is_local:
                    means = await self._means(warden, scratch, view)
                await self._run(means, warden, scratch, view, stop)
            finally:
                remove_scratch(scratch)

    @property
    def _is_local(self) -> bool:
        """True if sets are played on this machine: all, or those of bots that dial in."""
        return self._elsewhere is None or self.runner.league.listen is not None

    async def _run(
        self,
        means: Means | NotConfined,
        warden: Warden,
        scratch: Path,
        view: LeagueView,
        stop: Stop,
    ) -> None:
        """Make bots ready, open the doors for others and for the operator, and play."""
        runner, league = self.runner, self.runner.league
        workshop: Maker | None = None
        why_none = ""
        if isinstance(means, Means):
            cache = users_cache(os.environ)
            workshop = Workshop(warden, Confiner(means, scratch), scratch, cache, view.says)
        else:
            means, why_none = Means(), str(means)
        if self._elsewhere is not None:
            before, local = runner.ledger.confinement, workshop if self._is_local else None
            workshop = self._elsewhere.begin(view.says, runner.entered.happened, before, local)
            runner.play_by(self._elsewhere.open_job)
        bots = {name: (bot, league.entrant(name).limits) for name, bot in league.bots.items()}
        programs = await self._made(workshop, bots) if workshop is not None and bots else []
        tokens = await self._tokens(view)
        async with AsyncExitStack() as stack:
            door = None
            if league.listen is not None:
                door = await stack.enter_async_context(self._front_door())
            nursery = await stack.enter_async_context(trio.open_nursery())
            acting = Acting(runner, self._file, workshop, why_none, nursery)
            await stack.enter_async_context(open_control(self._folder, acting.answer))
            await runner.run(
                programs,
                view,
                means,
                self._held.pieces,
                door,
                tokens,
                is_stopping=lambda: stop.is_asked,
            )
            nursery.cancel_scope.cancel()

    async def _made(
        self, workshop: Maker, bots: Mapping[str, tuple[Bot, Limits]]
    ) -> Sequence[Program]:
        """Make bots ready. Raises BuildFailed or ProcessError, for a league that was played with
        the way to go on without a bot."""
        try:
            return await workshop.make(bots)
        except (BuildFailed, NotStartable) as error:
            if not self.runner.ledger.matches:
                raise
            league = shlex.quote(str(self._file.with_suffix("")))
            way = f"To play on without such a bot: `arena retire {league} NAME`."
            raise ProcessError(f"{error}\n{way}") from None

    async def _means(self, warden: Warden, place: Path, view: LeagueView) -> Means | NotConfined:
        """Choose how bots are confined; never weaker than before unless the file names that.

        Also where all bots dial in: others may be admitted. If they cannot be confined then, that
        is no reason yet not to play.
        """
        wanted, bots = self.runner.league.confine, self.runner.league.bots
        try:
            choice = await choose(warden, wanted.by, place, wanted.read)
        except NotConfined as error:
            if bots:
                raise
            return error
        means = replace(choice.means, build_network=wanted.build_network)
        before, now = self.runner.ledger.confinement, Confiner(means, place).word
        if bots and is_refused(before, now, wanted.by):
            raise WeakerRung(before, now, choice.rejected)
        if choice.warning is not None and bots:
            view.says(f"warning: {choice.warning}")
        return means

    async def _tokens(self, view: LeagueView) -> Mapping[str, KnownToken]:
        """Return the tokens of the bots that dial in, and tell the operator the address and the
        files for their authors."""
        listen = self.runner.league.listen
        if listen is None:
            return {}
        told: list[str] = []
        runner = self.runner
        ready = partial(tokens_of, self.runner.league, runner.store, self._folder, told.append)
        tokens = await runner.entered.stored(ready)
        for name in tokens:
            file = file_of(self._folder, name)
            author = f"; for its author: {file}" if file.exists() else ""
            view.says(f"{name} dials in at {to_dial(runner.league)}{author}")
        for line in told:
            view.says(line)
        return tokens

    def _front_door(self) -> AbstractAsyncContextManager[FrontDoor]:
        """Open the door for bots that dial in. Raises CannotListen."""
        league = self.runner.league
        assert league.listen is not None
        listen = TcpAddress.of(league.listen)
        try:
            listen.check()
        except CannotListen as error:
            where = f"it is `listen` in {self._file.name}; another league may listen there"
            raise CannotListen(f"{error}; {where}") from None
        return open_front_door(
            listen,
            partial(evidence_for, self._folder / DATABASE),
            hello_ms=league.start_ms,
            away_ms=league.dial_in_ms,
            relay=RelayAddress(self._folder),
        )

    async def _keep_told(self, view: LeagueView, publisher: Publishing | None) -> None:
        """Bring the view up to date, and have the pages made whenever a set was counted, or a bot
        that dials in has come or gone."""
        shown: object = None
        told: set[str] = set()
        while True:
            view.tick()
            news = self.runner.ledger.sets, self.runner.entered.planner.so_far.presence
            if news != shown:
                shown = news
                if publisher is not None:
                    publisher.wanted()
                for each in self.waited_for():
                    if each.name not in told:
                        told.add(each.name)
                        view.says(str(each))
            await trio.sleep(TICK_SECONDS)

    async def _keep_released(self, view: LeagueView) -> None:
        """Put the output of bots into their logs whenever a set is complete."""
        complete = -1
        while True:
            if self.runner.entered.complete != complete:
                complete = self.runner.entered.complete
                await self._release(view)
            await trio.sleep(TICK_SECONDS)

    async def _release(self, view: LeagueView) -> None:
        """Put the output of bots into their logs, but for that of sets in play."""
        try:
            found = await trio.to_thread.run_sync(self._held.found)
            begun = dict(self.runner.entered.begun)  # not before: a set may have begun meanwhile
            await trio.to_thread.run_sync(self._held.release, found, begun)
        except OSError as error:
            view.says(f"{error.filename}: {error.strerror}; what bots print is not in {LOGS}/")


@contextmanager
def logged_to(file: Path) -> Iterator[None]:
    """Append warnings of this process to the log, where those of the referees are too: on the
    terminal they would tear the view apart."""
    handler = logging.FileHandler(file)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger = logging.getLogger("arena")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()


async def _keep_written(stream: EventStream) -> None:
    """Write events as they happen."""
    while True:
        await _write(stream)
        await trio.sleep(TICK_SECONDS)


async def _write(stream: EventStream) -> None:
    """Write new events in a thread. If this is cancelled the thread is left alone: nobody may be
    reading the pipe."""
    await trio.to_thread.run_sync(stream.write, abandon_on_cancel=True)
