"""A referee that is killed with -9 leaves nothing for longer than a second."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from arena.bots.warden.tree import look_up
from tests.bots.programs import SAFETY_SECONDS, Family, until

pytestmark = [pytest.mark.slow, pytest.mark.alone]

ROOT = Path(__file__).parent.parent.parent

LINES = (
    "ignores_sigterm.py",
    "forks_children.py",
    "double_forked_daemon.py stay",
    "floods_stdout.py",
    "floods_stderr.py",
    "closes_stdout.py",
    "spins.py",
)


@asynccontextmanager
async def a_small_referee(family: Family, **env: str) -> AsyncIterator[tuple[trio.Process, int]]:
    """Its process, and the number of its warden; all bots are at work."""
    process = await trio.lowlevel.open_process(
        [sys.executable, "-m", "tests.referee.small_referee", family.name, *LINES],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, **env},
        start_new_session=True,
    )
    assert process.stdout is not None
    async with process.stdout:
        with trio.fail_after(SAFETY_SECONDS):
            try:
                warden = int(await process.stdout.receive_some())
                assert len(family.alive()) == 7 + 12 + 1
                yield process, warden
            finally:
                if process.returncode is None:
                    process.kill()
                await process.wait()


async def test_after_kill_9_of_the_referee_nothing_is_left_within_a_second() -> None:
    family = Family()
    async with a_small_referee(family) as (process, warden):
        process.kill()
        seconds = await until(lambda: not family.alive() and not exists(warden))
    assert seconds < 1


async def test_a_copy_of_the_link_in_another_process_does_not_keep_bots_alive(
    tmp_path: Path,
) -> None:
    """As a fork of the referee has it, if somebody makes one."""
    family = Family()
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    async with a_small_referee(family, LEAVE_A_COPY=str(fifo)) as (process, warden):
        process.kill()
        seconds = await until(lambda: not family.alive() and not exists(warden))
        # It is waiting there still, which is what was to be shown; this lets it go.
        os.close(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK))
    assert seconds < 1


async def test_ctrl_c_ends_the_referee_in_order_and_leaves_nothing() -> None:
    family = Family()
    async with a_small_referee(family) as (process, warden):
        process.send_signal(signal.SIGINT)
        await process.wait()
        assert not family.alive()
        assert not exists(warden)


async def test_killing_both_at_once_ends_every_first_process() -> None:
    """What is left then are daemons of bots, and nobody is there any more to end them."""
    family = Family()
    async with a_small_referee(family) as (process, warden):
        os.kill(process.pid, signal.SIGSTOP)
        os.kill(warden, signal.SIGKILL)
        process.kill()
        await process.wait()
        await until(lambda: len(family.alive()) <= 12 + 1)
    for pid in family.alive():
        os.kill(pid, signal.SIGKILL)
    await until(lambda: not family.alive())


def exists(pid: int) -> bool:
    """Not when it has only to be reaped yet, which is init's business."""
    process = look_up(pid)
    return process is not None and not process.is_zombie
