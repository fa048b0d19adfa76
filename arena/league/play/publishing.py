"""The child that keeps a running league's pages new, so that no referee waits for a page."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from arena.children import end_child, start_child
from arena.league.model.publisher_pipe import AT, DONE, FAILED, RUNNING, STOPPED

# The pages are made anew at most this often.
EVERY_SECONDS = 5.0
# If the last publishing takes longer than the first, people are told that they wait; then how far
# it is, whenever that has changed after the second.
SLOW_SECONDS = 1.0
AGAIN_SECONDS = 10.0


class Publishing:
    """A publisher, started when it is needed and anew if it ends; `wanted` makes it publish
    when it next may."""

    def __init__(self, command: list[str], tell: Callable[[str], None]):
        """`command` starts a publisher; `tell` takes a line for people."""
        self._command = command
        self._tell = tell
        self._told = ""  # the reason why the pages were not made, the last time
        self._wanted = trio.Event()
        self._is_alone = trio.Lock()
        self._child: trio.Process | None = None
        self._answers = b""
        self._asked = 0  # requests not answered yet: a caller may have given up waiting
        self._at = ""  # the last it said about its progress

    def __repr__(self) -> str:
        return f"<Publishing by {self._child!r}>"

    def wanted(self) -> None:
        """Note that there is something new."""
        self._wanted.set()

    async def run(self) -> None:
        """Publish whenever there is something new, but not too often."""
        while True:
            await self._wanted.wait()
            self._wanted = trio.Event()
            await self.publish()
            await trio.sleep(EVERY_SECONDS)

    async def publish(self, state: str = RUNNING) -> bool:
        """Publish now; returns when it is done, or has failed; the same reason is shown once only.

        `state` is a request of `publisher_pipe`: pages say whether the league goes on.
        """
        async with self._is_alone:
            try:
                answer = await self._answer(state)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                answer = ""
            except OSError as error:
                # Of starting it. A publisher that was killed for its memory is to be started again
                # just when there is none; the next publishing tries it, and the league goes on.
                answer = f"the publisher cannot be started: {error.strerror}"
            if not answer:
                answer = "the publisher has ended"
                await self.end()
            is_done = answer.startswith(DONE)
            if not is_done and answer != self._told:
                self._tell(f"the pages were not made: {answer.removeprefix(FAILED)}")
            self._told = "" if is_done else answer
            return is_done

    async def publish_last(self) -> bool:
        """Publish a league that is not played on, and tell people if it takes long."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._tell_slow)
            is_done = await self.publish(STOPPED)
            nursery.cancel_scope.cancel()
        return is_done

    async def _tell_slow(self) -> None:
        await trio.sleep(SLOW_SECONDS)
        self._tell("writing the pages; Ctrl-C leaves them as they are")
        told = ""
        while True:
            await trio.sleep(AGAIN_SECONDS)
            if self._at != told:
                self._tell(told := self._at)

    async def _answer(self, request: str) -> str:
        """Send a request and wait for its answer; "" if the publisher has ended."""
        if self._child is None:
            self._child = await start_child(self._command)
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        await self._child.stdin.send_all(f"{request}\n".encode())
        self._asked += 1
        while line := await self._line(self._child.stdout):
            if line.startswith(AT):
                self._at = line.removeprefix(AT)
                continue
            self._asked, self._at = self._asked - 1, ""
            if not self._asked:
                return line
        return ""

    async def _line(self, stdout: trio.abc.ReceiveStream) -> str:
        """Read the next line; "" if the publisher has ended."""
        while b"\n" not in self._answers:
            data = await stdout.receive_some()
            if not data:
                return ""
            self._answers += data
        line, _, self._answers = self._answers.partition(b"\n")
        return line.decode("utf-8", "replace")

    async def end(self) -> None:
        """End the publisher if it runs: a page that it is writing may still be finished."""
        child, self._child = self._child, None
        self._answers, self._asked, self._at = b"", 0, ""
        if child is not None:
            await end_child(child)


@asynccontextmanager
async def open_publisher(
    league: Path, to: Path, tell: Callable[[str], None]
) -> AsyncIterator[Publishing]:
    """A publisher of the league in the first folder, into the second."""
    command = [sys.executable, "-m", "arena.outputs.publish", str(league), str(to)]
    command.append(str(os.getpid()))
    publishing = Publishing(command, tell)
    try:
        yield publishing
    finally:
        await publishing.end()
