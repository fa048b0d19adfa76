"""The number of jobs of a league: one on all cores, or one on each core while bots are quick.

A job is one process with one thread, so with quick bots it is the first to be busy, and cores stay
idle beside it. Then one job on each core, with its bots on the same core, plays more matches: a
decision stays in one cache. With bots that think it would cost them time, because the referee of
one match and a bot of another want the same core; so these have one job on all cores.

A change costs a moment: all sets in play are finished, and bots are started anew. So it is made
after several looks that say the same, and after each way back the next attempt waits longer.
"""

from __future__ import annotations

from collections import deque

from arena.league.play.lanes.looks import Look
from arena.league.play.lanes.pace import RECENT, SPARE, is_brief

# The thread of a job is busy with this part of a core in use: the rest goes to moments in which it
# waits for the runner, which enters matches.
BUSY = 0.85
# Looks in a row that show a busy job beside idle cores, before there are more jobs.
FULL_LOOKS = 4
# After each return to fewer jobs, so many times as many looks are needed.
PATIENCE = 8


class JobCount:
    """Works out how many jobs a league has, from one look at one of them to the next. Pure."""

    def __init__(self, most: int, cores: int, later_us: float) -> None:
        """`most`: jobs while bots are quick. `cores`: of all jobs together. `later_us`: the most by
        which a decision may become later because matches share the cores."""
        self.jobs = 1
        self._most = most
        self._cores = cores
        self._later_us = later_us
        self._needed = FULL_LOOKS
        self._full = 0
        self._looks: deque[Look] = deque(maxlen=RECENT)

    def __repr__(self) -> str:
        return f"<JobCount of {self.jobs} jobs, at most {self._most}>"

    def after(self, look: Look) -> int:
        """Return the number of jobs from now on. `look`: at any of the jobs."""
        if self._most == 1:
            return 1
        if self.jobs > 1 and not self._looks and not look.charged.decisions:
            return self.jobs  # they have only just been started
        self._looks.append(look)
        if self.jobs == 1:
            self._full = self._full + 1 if self._is_full(look) else 0
            if self._full >= self._needed and self._is_brief():
                self._change(self._most)
        elif len(self._looks) == self._looks.maxlen and not self._is_brief():
            self._needed *= PATIENCE
            self._change(1)
        return self.jobs

    def _change(self, jobs: int) -> None:
        self.jobs = jobs
        self._full = 0
        self._looks = deque(maxlen=RECENT * jobs)

    def _is_full(self, look: Look) -> bool:
        return look.used.refereeing >= BUSY and look.used.idle >= SPARE * self._cores

    def _is_brief(self) -> bool:
        """Tell whether all bots of the last looks were quick, and no match was void."""
        looks = [each for each in self._looks if each.playing]
        if not looks:
            return True  # nothing was played that could tell
        if any(each.charged.voids for each in looks):
            return False
        queue = max(each.playing for each in looks) * self.jobs / self._cores
        return is_brief(looks, queue, self._later_us)
