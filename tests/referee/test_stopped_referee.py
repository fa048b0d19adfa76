"""A referee that is stopped for two seconds and goes on: nobody may pay for it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from protocol import run

STOP_SECONDS = 2

Decide: TypeAlias = Callable[[Mapping[str, Any]], str]


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """It does nothing inside, and goes on at the end."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def be_a_bot(decide: Decide, path: str) -> None:
    # Who still thinks when the referee hangs up loses the connection: no matter here.
    with suppress(SystemExit):
        run(decide, connect=f"unix:{path}", token="t")


def played_with(make: Callable[[int], Decide], folder: Path) -> Mapping[str, Any]:
    """What came of a match of the bot made for this referee, and one that answers at once."""
    path = str(folder / "door")
    command = [sys.executable, "-m", "tests.referee.stopped_referee", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as referee:
        assert referee.stdout is not None
        assert referee.stdout.readline() == b"listening\n"
        deciding: list[Decide] = [make(referee.pid), lambda request: str(request["legal"][0])]
        bots = [threading.Thread(target=be_a_bot, args=(decide, path)) for decide in deciding]
        for bot in bots:
            bot.start()
        report: Mapping[str, Any] = json.loads(referee.stdout.readline())
        for bot in bots:
            bot.join()
    return report


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.parametrize("before_it_answers", [True, False])
def test_an_answer_that_waited_for_a_stopped_referee_is_punctual(
    tmp_path: Path, before_it_answers: bool
) -> None:
    """It was given before the stop, or while it lasted: it took the bot no two seconds."""

    def make(pid: int) -> Decide:
        def decide(request: Mapping[str, Any]) -> str:
            action: str = request["legal"][0]
            if request["id"] == 5:
                os.kill(pid, signal.SIGSTOP)
                time.sleep(0 if before_it_answers else 0.1)
                threading.Timer(STOP_SECONDS, os.kill, (pid, signal.SIGCONT)).start()
            return action

        return decide

    report = played_with(make, tmp_path)
    assert report["faults"] == []
    assert report["ending"] == "rounds"
    assert not report["is_void"]
    assert report["slowest_us"] < 600_000
    assert report["lag_us"] > 1_500_000


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.parametrize(
    ("seconds_after", "ending", "faults"), [(0.3, "void", []), (0.9, "rounds", ["out-of-time"])]
)
def test_a_decision_late_by_less_than_the_stop_makes_the_match_void_and_by_more_is_late(
    tmp_path: Path, seconds_after: float, ending: str, faults: list[str]
) -> None:
    """In the first nobody can say what it would have been: a new match in its place."""

    def make(pid: int) -> Decide:
        def decide(request: Mapping[str, Any]) -> str:
            if request["id"] == 5:
                with stopped(pid):
                    time.sleep(STOP_SECONDS)
                time.sleep(seconds_after)
            action: str = request["legal"][0]
            return action

        return decide

    report = played_with(make, tmp_path)
    assert report["faults"] == faults
    assert report["ending"] == ending
    assert report["is_void"] == (ending == "void")
