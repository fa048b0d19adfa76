"""Reading /proc, and signals that only hit who is meant."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from arena.bots.warden.tree import (
    LOOKS,
    MARK_VARIABLE,
    Process,
    all_processes,
    below,
    children_of,
    look_up,
    mark_of,
    send_signal,
)

ODD_NAME = """
open("/proc/self/comm", "w").write(") R 1 (x")
print("ready", flush=True)
input()
"""


def test_a_process_finds_itself() -> None:
    me = look_up(os.getpid())
    assert me is not None
    assert (me.parent, me.session, me.state) == (os.getppid(), os.getsid(0), "R")
    assert repr(me) == f"<Process {me.pid} R of {me.parent}, session {me.session}>"
    assert os.getpid() in all_processes()


def test_a_name_full_of_parentheses_is_only_a_name() -> None:
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", ODD_NAME],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        seen = look_up(child.pid)
        child.kill()
    assert seen is not None
    assert (seen.parent, seen.is_zombie) == (os.getpid(), False)


def test_descendants_are_found_at_every_depth_and_nobody_else() -> None:
    family = [Process(pid, "S", parent, 0, 0) for pid, parent in ((2, 1), (3, 2), (4, 3), (9, 8))]
    assert [process.pid for process in below(1, children_of(family))] == [2, 3, 4]


def test_a_number_that_has_changed_hands_is_not_signalled() -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        seen = look_up(child.pid)
        assert seen is not None
        before = Process(seen.pid, seen.state, seen.parent, seen.session, seen.started - 1)
        send_signal(before, signal.SIGKILL)
        spared = child.poll() is None
        send_signal(seen, signal.SIGTERM)
        assert child.wait() == -signal.SIGTERM
    assert spared
    send_signal(seen, signal.SIGKILL)  # and who is gone is nobody's business
    assert look_up(seen.pid) is None


@pytest.mark.parametrize(
    ("environment", "mark"), [({MARK_VARIABLE: "secret.1"}, "secret.1"), ({"OTHER": "x"}, None)]
)
def test_the_mark_is_read_from_the_environment(
    environment: dict[str, str], mark: str | None
) -> None:
    with subprocess.Popen(["/bin/sleep", "60"], env=environment) as child:
        # It may be on its way from our program to its own, and have no environment yet.
        found = mark_of(child.pid, LOOKS)
        child.kill()
    assert found == mark
    assert mark_of(child.pid, LOOKS) is None


def test_an_environment_that_stays_empty_is_read_again_for_five_milliseconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    with subprocess.Popen(["/bin/sleep", "60"], env={}) as child:
        with monkeypatch.context() as patched:
            patched.setattr(time, "sleep", pauses.append)
            found = mark_of(child.pid, LOOKS)
        child.kill()
    assert found is None
    assert sum(pauses) == pytest.approx(0.005)
