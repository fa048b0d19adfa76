"""Ending a test that hangs: the alarm of pytest-timeout, with the stack of all that waits.

The limit of a test is `timeout` in pyproject.toml, and LARGER_SECONDS where it bears one of
LARGER; its teardown has as much again. The alarm rings at the limit, and every AGAIN_SECONDS until
the test has ended:

1. A Trio test is cancelled, so that its scopes close as after any failure: an exception from the
   signal handler would break Trio's own loop, and leave sockets and coroutines to the next test,
   which fails because of them. Any other test fails where it stands, and its children get
   SIGTERM, because `with Popen(...)` waits for the child on the way out.
2. Its children are killed.
3. It fails where it stands, Trio or not.

A signal handler cannot interrupt a loop in C; then `faulthandler_timeout` in pyproject.toml ends
the whole run.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest
import pytest_timeout
import trio

LARGER = ("slow", "languages", "browser", "cluster", "soak", "rl")
LARGER_SECONDS = 900.0
AGAIN_SECONDS = 5.0

MOST_FRAMES = 20  # the innermost: those above are pytest's


class Alarm:
    """The alarm of one test. `seconds`: its limit."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.rung = 0
        self.message = ""  # which the test fails with, once the alarm has rung

    def start(self) -> None:
        """Give the test, or its teardown, all of its time."""
        self.rung = 0
        signal.signal(signal.SIGALRM, self.ring)
        signal.setitimer(signal.ITIMER_REAL, self.seconds, AGAIN_SECONDS)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def ring(self, _: int, interrupted: FrameType | None) -> None:
        __tracebackhide__ = True
        if pytest_timeout.is_debugging():
            return
        self.rung += 1
        if self.rung == 1:
            stacks = "\n".join(all_stacks(interrupted))
            self.message = f"not ended at its limit of {self.seconds:g} s\n{stacks}"
            if trio.lowlevel.in_trio_run():
                trio.lowlevel.current_trio_token().run_sync_soon(cancel_run)
                return
            end_children(signal.SIGTERM)
        elif self.rung == 2:
            end_children(signal.SIGKILL)
            return
        pytest.fail(self.message)


ALARM = pytest.StashKey[Alarm]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the larger limit to the tests that may take longer."""
    for item in items:
        if any(item.get_closest_marker(mark) for mark in LARGER):
            item.add_marker(pytest.mark.timeout(LARGER_SECONDS))


def pytest_timeout_set_timer(item: pytest.Item, settings: pytest_timeout.Settings) -> bool:
    """Set our alarm in the place of pytest-timeout's own, which rings once."""
    item.stash[ALARM] = Alarm(settings.timeout)
    item.stash[ALARM].start()
    return True


def pytest_timeout_cancel_timer(item: pytest.Item) -> bool:
    """Stop it: the test has ended, or has failed and may now be looked at with --pdb."""
    if ALARM in item.stash:
        item.stash[ALARM].stop()
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that was cancelled at its limit, whatever came of that."""
    try:
        result = yield
    except pytest.fail.Exception:
        raise
    except BaseException:
        if message := said(item):
            raise pytest.fail.Exception(message, pytrace=False) from None
        raise
    if message := said(item):
        raise pytest.fail.Exception(message, pytrace=False)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Start the alarm again: pytest-timeout stops it when a test fails, before the teardown."""
    if ALARM in item.stash:
        item.stash[ALARM].start()
    return (yield)


def said(item: pytest.Item) -> str:
    """What the alarm of a test has said; empty if it has not rung."""
    return item.stash[ALARM].message if ALARM in item.stash else ""


def cancel_run() -> None:
    """Cancel the main task of the Trio run of this thread, and all that it has started."""
    root = trio.lowlevel.current_root_task()
    assert root is not None
    # The nurseries of Trio's first task; the innermost, the last one, holds the main task alone.
    root.child_nurseries[-1].cancel_scope.cancel()


def all_stacks(interrupted: FrameType | None) -> Iterator[str]:
    """The stack of every thread, and of every task if Trio runs in this one.

    `interrupted`: the frame of this thread in which the signal came.
    """
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    for ident, frame in sys._current_frames().items():
        here = interrupted if ident == threading.get_ident() else frame
        yield f"--- thread {names.get(ident, ident)} ---"
        yield "".join(traceback.format_stack(here, MOST_FRAMES))
    if trio.lowlevel.in_trio_run():
        root = trio.lowlevel.current_root_task()
        assert root is not None
        yield from task_stacks(root)


def task_stacks(task: trio.lowlevel.Task) -> Iterator[str]:
    """The stack of a task and of those in its nurseries."""
    yield f"--- task {task.name} ---"
    yield "".join(traceback.StackSummary.extract(task.iter_await_frames()).format())
    for nursery in task.child_nurseries:
        for child in nursery.child_tasks:
            yield from task_stacks(child)


def end_children(number: signal.Signals) -> None:
    """Signal the processes that any thread here has started and nothing has waited for yet."""
    for file in Path("/proc/self/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread or child that just ended
            for pid in file.read_text().split():
                os.kill(int(pid), number)
