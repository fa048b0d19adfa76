"""Memory and open descriptors of a league's runner and jobs, looked at while it plays."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

RUNNER, JOBS = "runner", "jobs"
JOB = b"arena.league.play.job"
PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024


@dataclass(frozen=True)
class Sample:
    """One look. `at`: seconds since the soak began."""

    at: float
    role: str  # RUNNER or JOBS: all of them together
    memory_kib: int
    descriptors: int


def children(pid: int, word: bytes) -> Iterator[int]:
    """Yield the children of a process with this in their command lines."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in map(int, task.read_text().split()):
                if word in Path(f"/proc/{child}/cmdline").read_bytes():
                    yield child
        except OSError:
            continue


def look(at: float, runner: int) -> list[Sample]:
    """Look at the runner and its jobs; those that end meanwhile are left out."""
    found = []
    for role, pids in ((RUNNER, [runner]), (JOBS, [*children(runner, JOB)])):
        try:
            memory = sum(_memory_kib(pid) for pid in pids)
            descriptors = sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in pids)
        except OSError:
            continue
        if pids:
            found.append(Sample(at, role, memory, descriptors))
    return found


def _memory_kib(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_KIB


@dataclass(frozen=True)
class Growth:
    """Medians of one part of the soak, and of a later one."""

    role: str
    memory_kib: tuple[float, float]
    descriptors: tuple[float, float]

    def __str__(self) -> str:
        (kib, later_kib), (descriptors, later) = self.memory_kib, self.descriptors
        return (
            f"{self.role}: {kib / 1024:.1f} then {later_kib / 1024:.1f} MiB, {descriptors:g} then"
            f" {later:g} descriptors"
        )


def growth(
    samples: Sequence[Sample], role: str, early: tuple[float, float], late: tuple[float, float]
) -> Growth:
    """Compare the medians of two spans of time, each from its first second to its last."""
    parts = [
        [each for each in samples if each.role == role and begin <= each.at <= end]
        for begin, end in (early, late)
    ]
    memory = [statistics.median(each.memory_kib for each in part) for part in parts]
    descriptors = [statistics.median(each.descriptors for each in part) for part in parts]
    return Growth(role, (memory[0], memory[1]), (descriptors[0], descriptors[1]))
