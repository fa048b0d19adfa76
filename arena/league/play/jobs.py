"""The runner's side of a job: start the process, give it orders, end it."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import trio

from arena.children import end_child, start_child
from arena.league.play.lanes.lanes import Lanes, keep_pace
from arena.league.play.lanes.machine import Machine
from arena.league.play.lanes.pace import LaneBounds
from arena.league.play.orders import (
    Channel,
    EnterBots,
    LeagueOver,
    MatchOver,
    News,
    Order,
    PlaySet,
    Said,
    SetAside,
    SetOver,
    Setup,
)
from arena.referee.door.socket_line import SocketLine
from arena.referee.wire.packed import LendLink

log = logging.getLogger(__name__)


class JobEnded(Exception):
    """A job ended by itself; the text says how.

    `what`: what ended. `then`: what happens next. Both in words for the operator.
    """

    def __init__(
        self, why: str, what: str = "a referee process", then: str = "another goes on"
    ) -> None:
        super().__init__(why)
        self.what = what
        self.then = then


class RemoteJob:
    """A job in a process of its own, spoken to by pipes."""

    def __init__(
        self, channel: Channel[News], line: SocketLine, process: int, cores: Sequence[int]
    ):
        """`process`: its number. `cores`: those that it runs on; none means all."""
        self._channel = channel
        self._line = line
        self._process = process
        self._cores = cores or sorted(os.sched_getaffinity(0))
        self._lending = trio.Lock()
        self._waiting: dict[int, trio.MemorySendChannel[News]] = {}

    def __repr__(self) -> str:
        return f"<RemoteJob playing {sorted(self._waiting)}>"

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        """Send an order, and yield its news until the set is over."""
        send, receive = trio.open_memory_channel[News](0)
        self._waiting[order.number] = send
        try:
            await self._send(order)
            async for news in receive:
                yield news
                if isinstance(news, SetOver) and news.lease == order.lease:
                    return
        finally:
            self._waiting.pop(order.number, None)
            receive.close()

    async def lend(self, lent: LendLink, sock: socket.socket) -> None:
        """Hand a connection of a bot that dials in to the order of a set; the socket is closed
        here."""
        # If only the socket or only the message were sent, later sockets would go to other bots.
        with sock, trio.CancelScope(shield=True):
            async with self._lending:
                try:
                    await self._line.send(sock)
                except trio.BrokenResourceError:
                    raise JobEnded("it takes no connections") from None
                except OSError as error:
                    log.warning("%s cannot play set %d: %s", lent.name, lent.set, error)
                    return
                await self._send(lent)

    async def enter(self, bots: EnterBots) -> None:
        """Have further bots started for the sets to come."""
        await self._send(bots)

    async def pace(self, lanes: Lanes, most: int) -> None:
        """Have as many lanes as are fair and keep its cores busy, `most` of them at most."""
        bounds = LaneBounds(lanes.wanted, most, len(self._cores), lanes.later_us)
        await keep_pace(lanes, Machine(self._process, self._cores), bounds)

    async def finish(self) -> None:
        """Say that the league is over; a job that has ended meanwhile took its bots along."""
        with suppress(JobEnded):
            await self._send(LeagueOver())

    async def _send(self, order: Order) -> None:
        try:
            await self._channel.send(order)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise JobEnded("it takes no orders") from None

    async def read(self) -> None:
        """Hand news to the lanes that wait for it; raises JobEnded when the pipe closes."""
        async for news in self._channel:
            # News of no set, or of one that no lane waits for, goes to an arbitrary lane: there is
            # always one while a job runs, and the runner looks at the lease of each match.
            number = _set_of(news)
            lane = self._waiting.get(number) or next(iter(self._waiting.values()), None)
            if lane is not None:
                try:
                    await lane.send(news)
                except trio.BrokenResourceError:
                    continue
        raise JobEnded("its end of the pipe closed")


def _set_of(news: News) -> int:
    """Return the number of a set; 0 for news of no set."""
    match news:
        case MatchOver(_, played):
            return played.set
        case SetOver(number) | SetAside(number):
            return number
        case Said():
            return 0


@asynccontextmanager
async def open_job(setup: Setup, cores: Sequence[int], log: Path) -> AsyncIterator[RemoteJob]:
    """Start a job on these cores. Its standard error, tracebacks among it, is appended to the
    log."""
    ours, theirs = socket.socketpair()
    line = SocketLine(ours)
    try:
        with theirs, log.open("ab") as stderr:
            command = [sys.executable, "-m", "arena.league.play.job"]
            command += [str(os.getpid()), str(theirs.fileno()), ",".join(map(str, cores))]
            child = await start_child(command, stderr, (theirs.fileno(),))
        assert child.stdin is not None
        assert child.stdout is not None
        channel: Channel[News] = Channel(child.stdout, child.stdin, News)
        try:
            try:
                await channel.send(setup)
            except trio.BrokenResourceError:
                raise JobEnded(f"it did not start, exit code {await child.wait()}") from None
            yield RemoteJob(channel, line, child.pid, cores)
        finally:
            # The job's bots get their `bye` and a moment to leave; if the job is killed, its warden
            # ends them.
            await end_child(child)
    finally:
        line.close()
