"""Who descends from whom, by /proc, and signals that cannot hit a stranger."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable

# What every process of a bot finds in its environment: the warden's secret, a dot, and the
# bot's number there.
MARK_VARIABLE = "ARENA_STARTED_BY"

# Where an environment is empty, five milliseconds in all: the moment is one of microseconds,
# but on a busy machine it may last for somebody else's turn.
LOOKS = 26
LOOK_AGAIN_SECONDS = 0.0002


class Process:
    """One line of /proc as it was when we looked; `started` tells a pid's owners apart."""

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
    """The process with this number, None if there is none now."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            line = file.read(2048)
    except OSError:
        return None
    # The name in parentheses may hold anything, parentheses and blanks too.
    fields = line[line.rfind(b")") + 2 :].split()
    if len(fields) < 20:
        return None
    return Process(pid, fields[0].decode(), int(fields[1]), int(fields[3]), int(fields[19]))


def all_processes() -> dict[int, Process]:
    """Every process that we may see, by its number."""
    found = (look_up(int(name)) for name in os.listdir("/proc") if name.isdecimal())
    return {process.pid: process for process in found if process is not None}


def children_of(processes: Iterable[Process]) -> dict[int, list[Process]]:
    """The processes by their parent's number."""
    children: dict[int, list[Process]] = {}
    for process in processes:
        children.setdefault(process.parent, []).append(process)
    return children


def below(pid: int, children: dict[int, list[Process]]) -> list[Process]:
    """All descendants of a process, parents before their children."""
    found: list[Process] = []
    numbers = [pid]
    while numbers:
        for child in children.get(numbers.pop(), ()):
            found.append(child)
            numbers.append(child.pid)
    return found


def mark_of(pid: int, looks: int = 1) -> str | None:
    """The mark in the environment that a process was started with, None if it has none.

    A process that is just becoming another program shows an empty environment for a moment,
    so whoever must not miss it looks again where there is nothing.
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
    """Signal this very process; nothing happens if it is gone or may not be signalled.

    The descriptor is opened first and the number looked up again after that: if the start time
    still agrees, the descriptor is the process we mean, and no later owner of its number.
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


def kill_marked(secret: str) -> int:
    """Kill all that carry a mark of this secret, wherever they are now; how many there were."""
    found = [
        process
        for process in all_processes().values()
        if not process.is_zombie and (mark_of(process.pid) or "").startswith(f"{secret}.")
    ]
    for process in found:
        send_signal(process, signal.SIGKILL)
    return len(found)
