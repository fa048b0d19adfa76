"""The cores of this machine, shared by the jobs of a league."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

# More matches than this for each core of a job would keep no core busier, but each needs processes
# of its bots.
MOST_FOR_A_CORE = 4


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
