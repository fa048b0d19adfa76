"""How a child of a runner ends: by the end of its input, or killed."""

from __future__ import annotations

import os
import signal
import sys

import trio.testing

from arena.children import end_child, start_child


async def test_a_child_ends_with_its_input() -> None:
    child = await start_child([sys.executable, "-c", "import sys; sys.stdin.read(); sys.exit(7)"])
    assert os.getsid(child.pid) == child.pid
    await end_child(child)
    assert child.returncode == 7


async def test_a_child_that_goes_on_is_killed(autojump_clock: trio.testing.MockClock) -> None:
    child = await start_child([sys.executable, "-c", "import time; time.sleep(1000)"])
    with trio.CancelScope() as scope:
        scope.cancel()  # nor does a cancelled caller leave it behind
        await end_child(child)
    assert child.returncode == -signal.SIGKILL
