"""A referee that is killed in the middle of its matches leaves nothing, files included."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from tests.bots.programs import SAFETY_SECONDS, Family, until
from tests.referee.real_match import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.alone]

LINES = (
    "never_answers",
    "floods_stdout_and_plays",
    "hard_to_end",
    "leaves_a_daemon",
    "plays_with_children",
    "spins_after_its_move",
    "stops_itself",
)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
async def test_nothing_is_left_within_a_second_of_the_end_of_the_referee(
    tmp_path: Path, how: signal.Signals
) -> None:
    family = Family()
    process = await trio.lowlevel.open_process(
        [sys.executable, "-m", "tests.referee.small_house", family.name, *LINES],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        start_new_session=True,
    )
    assert process.stdout is not None
    async with process.stdout:
        try:
            with trio.fail_after(SAFETY_SECONDS):
                assert b"playing" in await process.stdout.receive_some()
            assert len(family.alive()) >= 2 * len(LINES) + 4
            (folder,) = tmp_path.iterdir()
            assert (folder / "door").is_socket()
            process.send_signal(how)
            seconds = await until(lambda: not family.alive() and not [*tmp_path.iterdir()])
            assert seconds < (1 if how == signal.SIGKILL else 2)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
