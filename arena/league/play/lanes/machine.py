"""Measure the use of a job's cores, by the counters of the kernel (`/proc`)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from arena.league.play.lanes.looks import Used

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK")

# Columns of /proc/stat after the name: user nice system idle iowait irq softirq steal. Programs of
# low priority ("nice") give way, so their time is as good as idle.
_IDLE = (1, 3, 4)
_BUSY = (0, 2, 5, 6, 7)
# Columns of /proc/PID/stat after the name: user and system time of all threads.
_USER, _SYSTEM = 11, 12


@dataclass(frozen=True)
class _Counters:
    at: float
    idle: float  # seconds, of all cores together
    busy: float
    refereeing: float


class Machine:
    """The cores of one job, looked at again and again."""

    def __init__(
        self,
        job: int,
        cores: Collection[int],
        proc: Path = PROC,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`job`: number of its process."""
        self._job = job
        self._cores = frozenset(f"cpu{core}" for core in cores)
        self._proc = proc
        self._clock = clock
        self._before: _Counters | None = None

    def __repr__(self) -> str:
        return f"<Machine of job {self._job}, {len(self._cores)} cores>"

    def used(self) -> Used | None:
        """Return the use since the last call; None the first time, or if the system has no such
        counters."""
        before, self._before = self._before, self._read()
        now = self._before
        if before is None or now is None or now.at <= before.at:
            return None
        seconds = now.at - before.at
        refereeing = (now.refereeing - before.refereeing) / seconds
        busy = (now.busy - before.busy) / seconds
        return Used(
            seconds,
            (now.idle - before.idle) / seconds,
            refereeing,
            max(0.0, busy - refereeing),
        )

    def _read(self) -> _Counters | None:
        try:
            total = (self._proc / "stat").read_text()
            own = (self._proc / str(self._job) / "stat").read_text()
        except OSError:
            return None
        idle = busy = 0
        for line in total.splitlines():
            name, *columns = line.split()
            if name in self._cores:
                counts = [int(each) for each in columns]
                idle += sum(counts[each] for each in _IDLE)
                busy += sum(counts[each] for each in _BUSY)
        # The name of a program, in parentheses, may hold blanks.
        columns = own.rpartition(")")[2].split()
        refereeing = int(columns[_USER]) + int(columns[_SYSTEM])
        return _Counters(self._clock(), idle / TICKS, busy / TICKS, refereeing / TICKS)
