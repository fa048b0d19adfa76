"""A league played by Dask: the scheduler is found, or a small cluster started here."""

from __future__ import annotations

import hashlib
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

import trio

from arena.league.cluster.cluster_job import ClusterJob
from arena.league.cluster.connection import CONNECT_SECONDS, SchedulerLink, connected, logged
from arena.league.cluster.divided_job import DividedJob
from arena.league.cluster.local import open_local
from arena.league.cluster.lost import SchedulerGone
from arena.league.cluster.security import security_of
from arena.league.cluster.shop import Shop
from arena.league.cluster.waiting import SlotWait, advice_for
from arena.league.cluster.workers import Workers
from arena.league.model.config import League, Tls
from arena.league.model.settings import Settings
from arena.league.play.entering import LeagueStopped
from arena.league.play.job_keeper import Job
from arena.league.play.jobs import open_job
from arena.league.play.lanes.cores import matches_at_once
from arena.league.play.orders import Setup
from arena.league.play.runner import Maker
from arena.league.store.events import Event
from arena.league.worker.facts import version
from arena.league.worker.messages import SiteTerms
from arena.league.worker.probe import KEYS, Unreached, try_scheduler
from arena.referee.players.pool import processes_for

# A scheduler that was there, and is gone, is waited for so long.
RETURN_SECONDS = 300.0
AGAIN_SECONDS = 2.0

# Workers of this machine register within so long.
START_SECONDS = 10.0

# Of the errors of OpenSSL, as Dask passes them on.
ENCRYPTION_SIGNS = ("SSL", "TLS", "CERTIFICATE", "UNKNOWN_CA")

# Packages of the extra `dask`.
NEEDED = ("distributed", "cryptography")


class DaskMissing(Exception):
    """Dask is not installed."""

    def __init__(self, package: str) -> None:
        super().__init__(
            f"the engine dask needs the package {package}, which is not installed here:"
            " pip install '.[dask]' in the folder of arena (docs/cluster.md)"
        )


def check_installed() -> None:
    """Raise DaskMissing where Dask is not there."""
    for package in NEEDED:
        if find_spec(package) is None:
            raise DaskMissing(package)


class DaskEngine:
    """Opens the one job of a league that workers play. `folder`: of the league."""

    def __init__(self, league: League, folder: Path) -> None:
        check_installed()
        self._league = league
        place = f"{socket.gethostname()}:{folder.absolute()}"
        self._id = hashlib.sha256(place.encode()).hexdigest()[:10]
        self._shop = Shop(None)
        self._tell: Callable[[str], None]
        self._enter: Callable[[Event], Awaitable[None]]
        self._before = ""
        self._was_connected = False

    def __repr__(self) -> str:
        return f"<DaskEngine at {self._league.scheduler or 'this machine'}>"

    def begin(
        self,
        tell: Callable[[str], None],
        enter: Callable[[Event], Awaitable[None]],
        before: str,
        local: Maker | None,
    ) -> Shop:
        """Begin a run; return the place where its bots are made ready.

        `tell`: takes lines for people. `enter`: enters events into the store. `before`: the weakest
        way in which bots were confined until now. `local`: makes bots ready on this machine too.
        """
        self._tell = tell
        self._enter = enter
        self._before = before
        self._shop = Shop(local)
        return self._shop

    @asynccontextmanager
    async def open_job(self, setup: Setup, cores: Sequence[int], log: Path) -> AsyncIterator[Job]:
        """Connect to the scheduler, and yield all workers that it has as one job."""
        async with AsyncExitStack() as stack:
            handler = logging.FileHandler(log)
            handler.setLevel(logging.WARNING)
            stack.callback(handler.close)
            stack.enter_context(logged(handler))
            address, tls = await self._scheduler(stack, log)
            connection = await self.linked(stack, address, tls)
            workers = self._workers(connection)
            settings = Settings.of(self._league)
            terms = self._terms(setup)
            cluster = ClusterJob(workers, terms, self._shop, settings, setup.pieces)
            if self._league.listen is None:
                yield cluster
                return
            here = await stack.enter_async_context(open_job(setup, cores, log))
            yield DividedJob(cluster, here, self._here_at_once())

    def _workers(self, connection: SchedulerLink) -> Workers:
        league = self._league
        advice = advice_for(league.scheduler, is_encrypted=league.tls is not None)
        wait = SlotWait(advice, self._tell, 0.0 if league.scheduler else START_SECONDS)
        words = f"the scheduler at {league.scheduler}" if league.scheduler else "its own scheduler"
        return Workers(connection, self._id, self._tell, self._enter, wait, words)

    def _here_at_once(self) -> int:
        return self._league.at_once or matches_at_once(1)

    async def _scheduler(self, stack: AsyncExitStack, log: Path) -> tuple[str, Tls | None]:
        """Return the address of the scheduler; start one with its workers where none is named."""
        league = self._league
        if league.scheduler is not None:
            return league.scheduler, league.tls
        jobs = league.jobs or 1
        slots = league.at_once or matches_at_once(jobs)
        return await stack.enter_async_context(open_local(jobs, slots, log, self._tell))

    async def linked(self, stack: AsyncExitStack, address: str, tls: Tls | None) -> SchedulerLink:
        """Connect; wait for a scheduler that is not there yet, and longer for one that was there
        before. Raises LeagueStopped."""
        was_connected = self._was_connected
        patience = RETURN_SECONDS if was_connected else CONNECT_SECONDS
        until = trio.current_time() + patience
        is_told = False
        while True:
            found = await try_scheduler(address, tls, KEYS) if self._league.scheduler else None
            if found is None:
                try:
                    opening = connected(address, security_of(tls))
                    connection = await stack.enter_async_context(opening)
                except SchedulerGone as gone:
                    found = Unreached(_unreachable(address, str(gone)), may_heal=True)
                else:
                    if was_connected:
                        self._tell("connected to the scheduler again")
                    self._was_connected = True
                    return connection
            # A scheduler that starts or stops may answer anything; a connection worked before, so
            # retry.
            if not (found.may_heal or was_connected):
                raise LeagueStopped(found.why)
            if trio.current_time() >= until:
                raise LeagueStopped(f"{found.sentence} It was waited for {patience:.0f} s")
            if not is_told:
                is_told = True
                self._tell(
                    f"waiting for the scheduler at {address}, up to {patience:.0f} s: {found.why}"
                )
            await trio.sleep(AGAIN_SECONDS)

    def _terms(self, setup: Setup) -> SiteTerms:
        league = self._league
        return SiteTerms(
            self._id,
            version(),
            processes_for(league.matches_of_a_set, 1),
            setup.start_ms,
            league.confine.by,
            league.confine.read,
            league.confine.build_network,
            self._before,
            setup.pieces is not None,
        )


def _unreachable(address: str, why: str) -> str:
    """Tell an operator that no connection came about. `why`: the words of Dask or OpenSSL."""
    if any(sign in why.upper() for sign in ENCRYPTION_SIGNS):
        return (
            f"the scheduler at {address} and this machine do not accept each other's certificates:"
            f" {why}; the files of [tls] have to be of one authority (docs/cluster.md)"
        )
    return (
        f"no scheduler answers at {address}: {why}; start one with `dask scheduler`"
        " (docs/cluster.md), or look at the address"
    )
