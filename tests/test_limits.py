"""A test that hangs fails with the stacks of what it waits for, and those after it pass."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.programs import SAFETY_SECONDS, processes_called
from tests.limits import LARGER_SECONDS

ROOT = Path(__file__).parent.parent

# A duration that no other process here sleeps for.
SLEEP = f"sleep 3600.{os.getpid()}"

HEAD = f"""
import gc, signal, subprocess, sys, threading, time
import pytest, trio
from arena.bots.processes import open_warden
from tests.bots.programs import Family

SLEEP = "{SLEEP}".split()
"""

# After each of these, garbage is collected, so that what it left open is noticed.
NEXT = """
def test_next() -> None:
    gc.collect()
"""

TRIO = """
async def test_hangs() -> None:
    async with open_warden() as warden, trio.open_nursery() as nursery:
        nursery.start_soon(trio.sleep_forever, name="a waiting task")
        await (await warden.start(Family().command(*SLEEP))).exited()
"""
VIRTUAL = """
async def test_hangs(autojump_clock) -> None:
    async with open_warden() as warden:
        await (await warden.start(Family().command(*SLEEP))).exited()
"""
SPINS = """
async def spin() -> None:
    while True:
        pass

async def test_hangs() -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(spin)
"""
SHIELDED = """
async def test_hangs() -> None:
    with trio.CancelScope(shield=True):
        await trio.to_thread.run_sync(subprocess.run, SLEEP)
"""
CHILD = """
def test_hangs() -> None:
    with subprocess.Popen(SLEEP, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
"""
DEAF_CHILD = """
def test_hangs() -> None:
    deaf = ["sh", "-c", "trap '' TERM; exec " + " ".join(SLEEP)]
    with subprocess.Popen(deaf, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
"""
THREAD = """
def test_hangs() -> None:
    threading.Thread(target=time.sleep, args=(3600,), name="a sleepy thread", daemon=True).start()
    threading.Event().wait()
"""
TEARDOWN = """
@pytest.fixture
def hanging():
    yield
    time.sleep(3600)

def test_hangs(hanging) -> None:
    raise ValueError
"""


# By what hangs: the test, and the words that its failure tells besides the limit.
CASES = {
    "Trio": (TRIO, "--- task a waiting task ---"),
    "Trio with a virtual clock": (VIRTUAL, "--- task <test 'test_hangs'> ---"),
    "a task that never yields": (SPINS, "--- task test_it.spin ---"),
    "a shielded task": (SHIELDED, "run_sync(subprocess.run, SLEEP)"),
    "a child": (CHILD, "child.stdout.readline()"),
    "a child that ignores SIGTERM": (DEAF_CHILD, "child.stdout.readline()"),
    "a thread": (THREAD, "--- thread a sleepy thread ---"),
    "a teardown after a failure": (TEARDOWN, "time.sleep(3600)"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "workers"),
    [*((case, 0) for case in CASES), ("Trio", 1), ("a child", 1)],
)
def test_a_test_that_hangs_fails_with_all_stacks_and_the_next_one_passes(
    case: str, workers: int, tmp_path: Path
) -> None:
    hanging, words = CASES[case]
    (tmp_path / "test_it.py").write_text(HEAD + hanging + NEXT)
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml")),
            *("-p", "tests.limits", "-o", "addopts=", "-o", "timeout=1", "-n", str(workers)),
            *(f"--rootdir={tmp_path}", str(tmp_path / "test_it.py")),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=3 * SAFETY_SECONDS,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert "not ended at its limit of 1 s" in run.stdout
    assert words in run.stdout, run.stdout
    assert "1 failed, 1 passed" in run.stdout, run.stdout
    assert not processes_called(SLEEP)


@pytest.mark.slow
def test_what_may_take_longer_has_the_larger_limit(request: pytest.FixtureRequest) -> None:
    quick = float(request.config.getini("timeout"))
    whole_run = float(request.config.getini("faulthandler_timeout"))
    assert quick < LARGER_SECONDS < 2 * LARGER_SECONDS < whole_run
    limit = request.node.get_closest_marker("timeout")
    assert limit is not None
    assert limit.args == (LARGER_SECONDS,)


def test_all_others_have_the_limit_of_the_configuration(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("timeout") is None
