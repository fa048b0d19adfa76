"""The child that keeps a running league's pages new, so that no referee waits for a page."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from arena.outputs.progress import AT

# The pages are made anew at most this often.
EVERY_SECONDS = 5.0
# What it answers where it could not, before why (arena.outputs.publish).
FAILED = "failed: "
# Told to end, it has so long: what it has not written by then, it makes the next time.
END_SECONDS = 5.0
# If the last publishing takes longer, somebody who waits for it is told; and then again and again
# how far it is.
SLOW_SECONDS = 1.0
AGAIN_SECONDS = 10.0


class Publishing:
    """A publisher, started when it is needed and anew if it ends; `wanted` makes it publish
    when it next may."""

    def __init__(self, command: list[str], tell: Callable[[str], None]):
        self._command = command
        self._tell = tell
        self._told = ""  # why the pages were not made, the last time
        self._wanted = trio.Event()
        self._is_alone = trio.Lock()
        self._process: trio.Process | None = None
        self._answers = b""
        self._asked = 0  # what is not answered yet: a caller may have given up
        self._at = ""  # how far it said it is

    def __repr__(self) -> str:
        return f"<Publishing by {self._process!r}>"

    def wanted(self) -> None:
        """There is something new."""
        self._wanted.set()

    async def run(self) -> None:
        """Publish whenever there is something new, but not too often."""
        while True:
            await self._wanted.wait()
            self._wanted = trio.Event()
            await self.publish()
            await trio.sleep(EVERY_SECONDS)

    async def publish(self) -> bool:
        """Publish now; returns when it is done, or has failed, which is told once."""
        async with self._is_alone:
            try:
                answer = await self._answer()
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                answer = ""
            if not answer:
                answer = "the publisher has ended"
                await self.end()
            is_done = answer.startswith("done")
            if not is_done and answer != self._told:
                self._tell(f"the pages were not made: {answer.removeprefix(FAILED)}")
            self._told = "" if is_done else answer
            return is_done

    async def publish_last(self) -> bool:
        """The same, with a word when it takes long."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._tell_slow)
            is_done = await self.publish()
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

    async def _answer(self) -> str:
        """What it says to a request that it gets now; nothing if it has ended."""
        if self._process is None:
            self._process = await trio.lowlevel.open_process(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # Ctrl-C is for the runner, which then publishes once more.
                start_new_session=True,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        await self._process.stdin.send_all(b"\n")
        self._asked += 1
        while line := await self._line(self._process.stdout):
            if line.startswith(AT):
                self._at = line.removeprefix(AT)
                continue
            self._asked, self._at = self._asked - 1, ""
            if not self._asked:
                return line
        return ""

    async def _line(self, stdout: trio.abc.ReceiveStream) -> str:
        """The next it says; nothing if it has ended."""
        while b"\n" not in self._answers:
            data = await stdout.receive_some()
            if not data:
                return ""
            self._answers += data
        line, _, self._answers = self._answers.partition(b"\n")
        return line.decode("utf-8", "replace")

    async def end(self) -> None:
        """It ends what it is at, or is ended."""
        process, self._process = self._process, None
        self._answers, self._asked, self._at = b"", 0, ""
        if process is None:
            return
        with trio.CancelScope(shield=True):
            assert process.stdin is not None
            assert process.stdout is not None
            await process.stdin.aclose()
            with trio.move_on_after(END_SECONDS):
                await process.wait()
            if process.returncode is None:
                process.kill()
                await process.wait()
            await process.stdout.aclose()


@asynccontextmanager
async def open_publisher(
    league: Path, to: Path, tell: Callable[[str], None]
) -> AsyncIterator[Publishing]:
    """A publisher for the league in this folder."""
    command = [sys.executable, "-m", "arena.outputs.publish", str(league), str(to)]
    publishing = Publishing(command, tell)
    try:
        yield publishing
    finally:
        await publishing.end()
