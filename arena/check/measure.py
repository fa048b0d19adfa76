"""Measures of a bot: time to start, time for each decision, memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from arena.bots.warden.tree import all_processes, below, children_of

LEAST_PATIENCE_US = 2_000_000


@dataclass
class Measures:
    """Everything measured in a check; times in whole microseconds."""

    starts_us: list[int] = field(default_factory=list)
    decisions_us: list[int] = field(default_factory=list)
    most_memory_kb: int = 0
    memory_kb: int = 0
    processes: int = 0

    def plenty_us(self) -> int:
        """Return a time in which a bot as quick as this one so far has surely answered."""
        return max(LEAST_PATIENCE_US, 10 * max(self.decisions_us, default=0))

    def weigh(self, pid: int) -> None:
        """Read the memory of a process and of all processes below it."""
        pids = [pid, *(each.pid for each in below(pid, children_of(all_processes().values())))]
        weights = [
            weight
            for each in pids
            if not is_our_own(each) and (weight := memory_of(each)) is not None
        ]
        self.memory_kb = sum(now for now, _ in weights)
        self.most_memory_kb = max(self.most_memory_kb, sum(most for _, most in weights))
        self.processes = max(self.processes, len(weights))


def is_our_own(pid: int) -> bool:
    """Return True for a process that confines the bot and is no part of it."""
    try:
        return Path(f"/proc/{pid}/comm").read_text() == "bwrap\n"
    except (FileNotFoundError, ProcessLookupError):
        return False


def memory_of(pid: int) -> tuple[int, int] | None:
    """Return the resident memory of one process in kibibytes, now and at most; None if it is
    gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return None
    found = dict(line.split(":", 1) for line in lines if line.startswith(("VmRSS", "VmHWM")))
    if len(found) < 2:  # a zombie: its parent has not waited for it yet
        return None
    return int(found["VmRSS"].split()[0]), int(found["VmHWM"].split()[0])


def middle(times: Sequence[int]) -> int:
    """Return the median; 0 of nothing."""
    return round(median(times)) if times else 0


def nearly_most(times: Sequence[int]) -> int:
    """Return the 99th percentile; 0 of nothing."""
    return sorted(times)[min(len(times) - 1, len(times) * 99 // 100)] if times else 0
