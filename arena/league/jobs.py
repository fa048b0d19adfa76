"""The runner's side of a job: a process that is started, given orders, and ended."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from arena.league.orders import Awaited, Channel, MatchOver, News, PlaySet, Said, SetOver, Setup

# Its bots are told to go and have a moment; then it is killed, and its warden ends them.
END_SECONDS = 5.0


class JobEnded(Exception):
    """A job ended though it was not told to."""


class RemoteJob:
    """A job in a process of its own."""

    def __init__(self, channel: Channel[News]):
        self._channel = channel
        self._waiting: dict[int, trio.MemorySendChannel[News]] = {}

    def __repr__(self) -> str:
        return f"<RemoteJob playing {sorted(self._waiting)}>"

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        """What comes of a set."""
        send, receive = trio.open_memory_channel[News](0)
        self._waiting[order.number] = send
        try:
            try:
                await self._channel.send(order)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise JobEnded("it takes no orders") from None
            async for news in receive:
                yield news
                if isinstance(news, SetOver):
                    return
        finally:
            self._waiting.pop(order.number, None)
            receive.close()

    async def read(self) -> None:
        """Hand what comes to whoever waits for it; raises JobEnded when nothing comes any more."""
        async for news in self._channel:
            number = _set_of(news)
            # What is of no set goes to any lane: there is one whenever a job speaks.
            lane = self._waiting.get(number) if number else next(iter(self._waiting.values()), None)
            if lane is not None:
                try:
                    await lane.send(news)
                except trio.BrokenResourceError:
                    continue
        raise JobEnded("its end of the pipe closed")


def _set_of(news: News) -> int:
    match news:
        case MatchOver(played):
            return played.set
        case SetOver(number):
            return number
        case Said() | Awaited():
            return 0


@asynccontextmanager
async def open_job(setup: Setup, cores: Sequence[int], log: Path) -> AsyncIterator[RemoteJob]:
    """A job on these cores; what it has to say of itself is appended to the log."""
    command = [sys.executable, "-m", "arena.league.job"]
    if cores:
        command.append(",".join(map(str, cores)))
    with log.open("ab") as stderr:
        # A session of its own: Ctrl-C is for the runner, which then ends its jobs in order.
        process = await trio.lowlevel.open_process(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
    assert process.stdin is not None
    assert process.stdout is not None
    channel: Channel[News] = Channel(process.stdout, process.stdin, News)
    try:
        try:
            await channel.send(setup)
        except trio.BrokenResourceError:
            raise JobEnded(f"it did not start, exit code {await process.wait()}") from None
        yield RemoteJob(channel)
    finally:
        with trio.CancelScope(shield=True):
            await channel.close_sending()
            with trio.move_on_after(END_SECONDS):
                await process.wait()
            if process.returncode is None:
                process.kill()
                await process.wait()
            await process.stdout.aclose()
