"""The cores of this machine, shared by the jobs of a league."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

# More matches than this for each core of a job would keep no core busier, but each needs processes
# of its bots.
MOST_FOR_A_CORE = 4
# More referee processes than this are started only if the file says so: each has bots of its own,
# and one runner enters the matches of all.
MOST_JOBS = 8


@dataclass(frozen=True)
class JobLayout:
    """The jobs of a league, and the matches that each plays at once."""

    jobs: int
    fewest: int  # at the start
    most: int

    @classmethod
    def of(cls, jobs: int, at_once: int | None = None) -> JobLayout:
        """`at_once`: fixes the number of matches of a job; None: as many as are fair."""
        return cls(jobs, at_once or matches_at_once(jobs), at_once or most_at_once(jobs))


def most_jobs() -> int:
    """Return the number of jobs for quick bots, unless the file says it."""
    return min(MOST_JOBS, len(os.sched_getaffinity(0)))


def matches_at_once(jobs: int) -> int:
    """Return the number of matches that one job plays at once whatever its bots do.

    One less than its cores: each match has one thinking bot, and the referee needs a core too.
    """
    cores = len(os.sched_getaffinity(0))
    return max(1, math.floor(cores / jobs) - 1)


def most_at_once(jobs: int) -> int:
    """Return the most matches that one job plays at once, unless the file says it."""
    cores = len(os.sched_getaffinity(0))
    return max(matches_at_once(jobs), math.floor(MOST_FOR_A_CORE * cores / jobs))


def cores_of(job: int, jobs: int) -> Sequence[int]:
    """Return the cores that a job and its bots run on; none means all."""
    cores = sorted(os.sched_getaffinity(0))
    if jobs == 1 or len(cores) < jobs:
        return ()
    return cores[job::jobs]
