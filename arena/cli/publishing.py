"""The child that keeps a running league's pages new, so that no referee waits for a page."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import trio

# The pages are made anew at most this often.
EVERY_SECONDS = 5.0
# At the end everything is published once more; a large league's pages take a while.
END_SECONDS = 5.0


class Publishing:
    """A running publisher; `wanted` makes it publish when it next may."""

    def __init__(self, process: trio.Process, tell: Callable[[str], None]):
        self._process = process
        self._tell = tell
        self._wanted = trio.Event()
        self._is_alone = trio.Lock()
        self._answers = b""

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

    async def publish(self) -> None:
        """Publish now; returns when it is done, or has failed, which is told."""
        async with self._is_alone:
            try:
                assert self._process.stdin is not None
                await self._process.stdin.send_all(b"\n")
                answer = await self._answer()
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                answer = ""
            if not answer.startswith("done"):
                self._tell(f"the pages were not made: {answer or 'the publisher has ended'}")

    async def _answer(self) -> str:
        assert self._process.stdout is not None
        while b"\n" not in self._answers:
            data = await self._process.stdout.receive_some()
            if not data:
                return ""
            self._answers += data
        line, _, self._answers = self._answers.partition(b"\n")
        return line.decode("utf-8", "replace")


@asynccontextmanager
async def open_publisher(
    league: Path, to: Path, tell: Callable[[str], None]
) -> AsyncIterator[Publishing]:
    """A publisher for the league in this folder."""
    process = await trio.lowlevel.open_process(
        [sys.executable, "-m", "arena.outputs.publish", str(league), str(to)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Ctrl-C is for the runner, which then publishes once more.
        start_new_session=True,
    )
    try:
        yield Publishing(process, tell)
    finally:
        with trio.CancelScope(shield=True):
            assert process.stdin is not None
            await process.stdin.aclose()
            with trio.move_on_after(END_SECONDS):
                await process.wait()
            if process.returncode is None:
                process.kill()
                await process.wait()
