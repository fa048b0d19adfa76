"""The process of the tables as the server holds it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from arena import data
from arena.people.child import MOST_ENDS, TablesChild
from arena.people.options import TablesOptions

SECONDS = 30
BOT = str(data.sample_bots() / "python-random")


def until(is_so: Callable[[], bool], child: TablesChild, now: Callable[[], float]) -> None:
    end = time.monotonic() + SECONDS
    while not is_so():
        child.look(now())
        os.sched_yield()
        assert time.monotonic() < end


def test_it_is_started_anew_when_it_was_killed_and_leaves_no_folder() -> None:
    told: list[str] = []
    child = TablesChild(TablesOptions((BOT,)), told.append)
    path = Path(child.socket)
    try:
        until(path.exists, child, time.monotonic)
        first = child._process
        first.send_signal(signal.SIGKILL)
        first.wait()
        until(lambda: child._process is not first and path.exists(), child, time.monotonic)
        assert told == ["play: the process of the tables has ended, and is started again"]
    finally:
        child.end()
    assert not path.parent.exists()


def test_one_that_never_gets_ready_is_given_up_with_its_reason() -> None:
    told: list[str] = []
    child = TablesChild(TablesOptions(("/nothing",)), told.append)
    try:
        clock = iter(range(10**9))
        until(
            lambda: any("not started any more" in each for each in told), child, lambda: next(clock)
        )
        assert sum("has ended" in each for each in told) == MOST_ENDS
    finally:
        child.end()
