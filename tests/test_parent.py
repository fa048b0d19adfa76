"""A child whose parent is killed ends soon, whatever it does; one whose parent lives does not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from tests.bots.programs import SAFETY_SECONDS, until

# A child that looks at nothing and does not want to be ended.
CHILD = """
import os, signal, sys
from arena.parent import end_after
signal.signal(signal.SIGALRM, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
end_after(int(sys.argv[1]), lambda: print("hurry", flush=True))
print(os.getpid(), flush=True)
while True: pass
"""

# Starts the child in a thread that ends, prints that it has, and waits for its input to end.
PARENT = f"""
import os, subprocess, sys, threading
command = [sys.executable, "-c", {CHILD!r}, str(os.getpid())]
thread = threading.Thread(target=subprocess.Popen, args=(command,))
thread.start()
thread.join()
print("ended", flush=True)
sys.stdin.read()
"""


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_child_that_looks_at_nothing_ends_soon_after_its_parent_was_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        lines = {parent.stdout.readline().strip(), parent.stdout.readline().strip()}
        (child,) = (int(line) for line in lines - {"ended"})
        # The thread that has started it is gone, the process is not.
        assert is_alive(child)
        parent.kill()
        assert parent.stdout.readline() == "hurry\n"
        await until(lambda: not is_alive(child))
        assert parent.stdout.read() == ""


def test_a_child_whose_parent_has_ended_before_it_looked_ends_too() -> None:
    with subprocess.Popen(["true"]) as gone:
        pass
    # Numbers of processes that were never its parent, one of which runs.
    for parent in (gone.pid, 1):
        command = [sys.executable, "-c", CHILD, str(parent)]
        ran = subprocess.run(command, capture_output=True, timeout=SAFETY_SECONDS)
        assert ran.returncode == -signal.SIGALRM


def test_a_child_whose_parent_lives_ends_when_it_likes() -> None:
    code = CHILD.replace("while True: pass", "")
    ran = subprocess.run(
        [sys.executable, "-c", code, str(os.getpid())], capture_output=True, text=True, check=True
    )
    assert "hurry" not in ran.stdout
