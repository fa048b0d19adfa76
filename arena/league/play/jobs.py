"""The runner's side of a job: start the process, give it orders, end it."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import trio

from arena.league.play.children import end_child, start_child
from arena.league.play.orders import (
    Awaited,
    Channel,
    EvidenceAsked,
    EvidenceGiven,
    LeagueOver,
    MatchOver,
    News,
    PlaySet,
    Said,
    SetOver,
    Setup,
    StrangersTold,
)

# A job takes some 100 KB at once; one that takes longer has stopped reading.
GIVING_SECONDS = 2.0


class JobEnded(Exception):
    """A job ended by itself; the text says how."""


class RemoteJob:
    """A job in a process of its own, spoken to by pipes."""

    def __init__(self, channel: Channel[News | EvidenceAsked]):
        self._channel = channel
        self._waiting: dict[int, trio.MemorySendChannel[News]] = {}

    def __repr__(self) -> str:
        return f"<RemoteJob playing {sorted(self._waiting)}>"

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        """Send an order, and yield its news until the set is over."""
        send, receive = trio.open_memory_channel[News](0)
        self._waiting[order.number] = send
        try:
            try:
                await self._channel.send(order)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise JobEnded("it takes no orders") from None
            async for news in receive:
                yield news
                if news == SetOver(order.number, order.lease):
                    return
        finally:
            self._waiting.pop(order.number, None)
            receive.close()

    async def finish(self) -> None:
        """Say that the league is over; a job that has ended meanwhile took its bots along."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._channel.send(LeagueOver())

    async def give(self, evidence: EvidenceGiven) -> None:
        """Send evidence that a bot asked for; a job that has ended meanwhile needs none.

        It is sent to its end also where the league is over or stopped meanwhile: the job could not
        read what comes after half of it. A job that takes no orders any more is not waited for.
        """
        with (
            suppress(trio.BrokenResourceError, trio.ClosedResourceError),
            trio.move_on_after(GIVING_SECONDS, shield=True),
        ):
            await self._channel.send(evidence)

    async def read(self, answer: Callable[[EvidenceAsked], object]) -> None:
        """Hand news to the lanes that wait for it; raises JobEnded when the pipe closes.

        `answer` is called with what bots ask for, whether a lane waits or not, and returns at once.
        """
        async for news in self._channel:
            if isinstance(news, EvidenceAsked):
                answer(news)
                continue
            number = _set_of(news)
            # News of no set, or of one that no lane waits for, goes to an arbitrary lane: there is
            # always one while a job runs, and the runner looks at the lease of each match.
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
        case SetOver(number, _):
            return number
        case Said() | Awaited() | StrangersTold():
            return 0


@asynccontextmanager
async def open_job(setup: Setup, cores: Sequence[int], log: Path) -> AsyncIterator[RemoteJob]:
    """Start a job on these cores. Its standard error, tracebacks among it, is appended to the
    log."""
    command = [sys.executable, "-m", "arena.league.play.job", str(os.getpid())]
    if cores:
        command.append(",".join(map(str, cores)))
    with log.open("ab") as stderr:
        child = await start_child(command, stderr)
    assert child.stdin is not None
    assert child.stdout is not None
    channel: Channel[News | EvidenceAsked] = Channel(
        child.stdout, child.stdin, News | EvidenceAsked
    )
    try:
        try:
            await channel.send(setup)
        except trio.BrokenResourceError:
            raise JobEnded(f"it did not start, exit code {await child.wait()}") from None
        yield RemoteJob(channel)
    finally:
        # The job's bots get their `bye` and a moment to leave; if the job is killed, its warden
        # ends them.
        await end_child(child)
