"""Facts that runner and worker must have in common, and the reasons why a worker will not do."""

from __future__ import annotations

import hashlib
import os
import platform
import socket
import time
from functools import cache
from pathlib import Path

import arena
import protocol
from arena.league.worker.messages import Unfit, WorkerFacts

# The name of this machine in records and tables, where it is not that of the host.
MACHINE = "ARENA_MACHINE"
# As many hexadecimal digits of the hash of the program's files tell two versions apart.
DIGITS = 10
# A clock that is wrong by more shows in the times of matches, and in certificates.
MOST_CLOCK_SECONDS = 60.0


@cache
def version() -> str:
    """Return the version of this program, with a hash of its files.

    Between two releases the number alone says too little.
    """
    digest = hashlib.sha256()
    for package in (arena, protocol):
        assert package.__file__ is not None
        root = Path(package.__file__).parent
        for file in sorted(root.rglob("*.py")):
            digest.update(f"{file.relative_to(root)}\0".encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return f"{arena.__version__} ({digest.hexdigest()[:DIGITS]})"


def machine_name() -> str:
    """Return the name that matches played here are recorded under."""
    return os.environ.get(MACHINE) or socket.gethostname()


def python_version() -> str:
    """Return the version of Python without its last number: 3.11."""
    return ".".join(platform.python_version_tuple()[:2])


def own_facts() -> WorkerFacts:
    """Return the facts of this process."""
    cores = len(os.sched_getaffinity(0))
    return WorkerFacts(machine_name(), version(), python_version(), cores, time.time())


def why_unfit(worker: WorkerFacts, ours: WorkerFacts) -> Unfit | None:
    """Return why a worker cannot play for a runner with these facts; None if it can."""
    if worker.version != ours.version:
        return Unfit(
            f"it has arena {worker.version}, and the runner {ours.version}:"
            " install the same there, and start it again",
            "version",
        )
    if worker.python != ours.python:
        return Unfit(
            f"it has Python {worker.python}, and the runner {ours.python}: use the same there",
            "python",
        )
    return None


def clock_warning(worker: WorkerFacts, ours: WorkerFacts) -> str | None:
    """Return a warning about a clock that differs; None without one."""
    behind = ours.clock - worker.clock
    if abs(behind) <= MOST_CLOCK_SECONDS:
        return None
    direction = "behind" if behind > 0 else "ahead"
    return f"its clock is {abs(behind):,.0f} s {direction}; times of its matches will be, too"
