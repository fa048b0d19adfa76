"""Find the descendants of a process in /proc, and signal them, never a reused number.

This module looks and signals; which process is killed when is decided in children.py.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Collection, Iterable

# The variable in the environment of every process of a bot: its value is the warden's secret, a dot
# and the bot's number.
MARK_VARIABLE = "ARENA_STARTED_BY"

# Looks at an environment that is empty, five milliseconds in all. A process in the middle of exec
# shows an empty one, for microseconds, or on a busy machine for the time slice of another process.
LOOKS = 26
LOOK_AGAIN_SECONDS = 0.0002


class Process:
    """One process as /proc showed it.

    `started`: its start time in clock ticks, which tells it from a later process of the same pid.
    """

    __slots__ = ("parent", "pid", "session", "started", "state")

    def __init__(self, pid: int, state: str, parent: int, session: int, started: int) -> None:
        self.pid = pid
        self.state = state
        self.parent = parent
        self.session = session
        self.started = started

    def __repr__(self) -> str:
        return f"<Process {self.pid} {self.state} of {self.parent}, session {self.session}>"

    @property
    def is_zombie(self) -> bool:
        return self.state in "ZX"


def look_up(pid: int) -> Process | None:
    """Read the process with this number from /proc, None if there is none now."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            line = file.read(2048)
    except OSError:
        return None
    # The name in parentheses may contain anything, also parentheses and blanks.
    fields = line[line.rfind(b")") + 2 :].split()
    if len(fields) < 20:
        return None
    return Process(pid, fields[0].decode(), int(fields[1]), int(fields[3]), int(fields[19]))


def all_processes() -> dict[int, Process]:
    """Read all visible processes, by number."""
    found = (look_up(int(name)) for name in os.listdir("/proc") if name.isdecimal())
    return {process.pid: process for process in found if process is not None}


def children_of(processes: Iterable[Process]) -> dict[int, list[Process]]:
    """Group processes by the number of their parent."""
    children: dict[int, list[Process]] = {}
    for process in processes:
        children.setdefault(process.parent, []).append(process)
    return children


def below(pid: int, children: dict[int, list[Process]]) -> list[Process]:
    """List all descendants of a process, parents before their children."""
    found: list[Process] = []
    numbers = [pid]
    while numbers:
        for child in children.get(numbers.pop(), ()):
            found.append(child)
            numbers.append(child.pid)
    return found


def mark_of(pid: int, looks: int = 1) -> str | None:
    """Return the mark in the environment that a process was started with, None without one.

    A process in the middle of exec shows an empty environment for a moment. `looks`: the number of
    times that an empty one is read, LOOKS for a caller that must not miss the mark.
    """
    start = f"{MARK_VARIABLE}=".encode()
    for look in range(looks):
        if look:
            time.sleep(LOOK_AGAIN_SECONDS)
        try:
            with open(f"/proc/{pid}/environ", "rb", buffering=0) as file:
                environment = file.readall()
        except OSError:
            return None
        for entry in environment.split(b"\0"):
            if entry.startswith(start):
                return entry[len(start) :].decode("ascii", "replace")
        if environment:
            return None
    return None


def send_signal(process: Process, number: int) -> None:
    """Send a signal to this process; do nothing if it is gone or may not be signalled.

    A pidfd is opened first, and the number looked up again after that: if the start time still
    agrees, the pidfd is of this process, and not of a later one with the same number.
    """
    try:
        descriptor = os.pidfd_open(process.pid)
    except OSError:
        return
    try:
        now = look_up(process.pid)
        if now is not None and now.started == process.started:
            signal.pidfd_send_signal(descriptor, number)
    except OSError:
        return
    finally:
        os.close(descriptor)


def kill_remains(secret: str, sessions: Collection[int], numbers: Collection[int]) -> int:
    """Kill all processes that are of a bot by one sign, and return the number found.

    The signs: a mark of this secret, one of these sessions, or one of these numbers.
    """
    found = [
        process
        for process in all_processes().values()
        if not process.is_zombie
        and (
            process.session in sessions
            or process.pid in numbers
            or (mark_of(process.pid) or "").startswith(f"{secret}.")
        )
    ]
    for process in found:
        send_signal(process, signal.SIGKILL)
    return len(found)
