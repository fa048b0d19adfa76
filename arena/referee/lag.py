"""How slow this machine was, so that no bot pays for it.

Trio tells an instrument when the loop goes to wait for sockets and when it comes back. From
that two things follow:

- *When an answer arrived.* A Unix socket has no receive stamp. What is found when the loop
  comes back came while it waited, if it waited; if it did not, it may have come at any time
  since the loop last looked: then the bot is given that time. After a wait that came back
  much too late, as when this process was stopped, the kernel may have looked at no socket at
  all: what is found at the next look may have waited since before.
- *How much this machine lagged, and when.* A wait that lasted longer than asked for, or work on
  the loop that took longer than `SLOW_US` in one piece, is time in which nobody was served: the
  process was stopped, or starved, or too busy. The watchdog's sweeps bound the waits that are
  asked for, so a stop hides in no wait by more than one of its intervals.
"""

from __future__ import annotations

from collections import deque

import trio

from arena.referee.clock import Now
from arena.referee.core_waits import CoreWaits

# A wait this short found its sockets ready at once.
INSTANT_US = 30
# After a wait this short it is not asked how much of it was for a processor.
BRIEF_US = 200
# Work in one piece, or an overdue wake-up, below this is everyday.
SLOW_US = 2_000
# So many lags are remembered: each is SLOW_US or more, so they reach back two seconds.
MOST_LAGS = 1_000


class LagMeter(trio.abc.Instrument):
    """Install it with `trio.lowlevel.add_instrument`, and close it afterwards."""

    def __init__(self, now: Now, core_waits: CoreWaits | None = None):
        self._now = now
        self._core_waits = core_waits if core_waits is not None else CoreWaits()
        self._core_waits_before = 0
        self._began_waiting = self._came_back = now()
        self._instant_us = INSTANT_US
        # When the loop last looked at its sockets for certain.
        self._looked = self._came_back
        self.arrived = self._came_back  # the earliest time at which what it found then came
        self.lag_us = 0  # in all, so far
        self._lags: deque[tuple[int, int]] = deque(maxlen=MOST_LAGS)  # when they ended, how long

    def __repr__(self) -> str:
        return f"<LagMeter {self.lag_us} us so far>"

    def close(self) -> None:
        """When it is not installed any more: it holds a descriptor."""
        self._core_waits.close()

    def since(self, moment: int) -> int:
        """How much of the time since then, which is not long ago, was lag."""
        return sum(min(us, ended - moment) for ended, us in self._lags if ended > moment)

    def _lagged(self, ended: int, us: int) -> None:
        self.lag_us += us
        self._lags.append((ended, us))

    def before_io_wait(self, timeout: float) -> None:
        """The loop has done its work and goes to wait, at most `timeout` seconds."""
        now = self._began_waiting = self._now()
        worked = now - self._came_back
        self._instant_us = INSTANT_US
        if worked > SLOW_US:
            self._lagged(now, worked)
            # Much may have come in that time, and who goes on after a stop is slow at first.
            self._instant_us = SLOW_US
        if timeout:
            self._core_waits_before = self._core_waits()

    def after_io_wait(self, timeout: float) -> None:
        """The loop comes back with what it found."""
        self._came_back = now = self._now()
        waited = now - self._began_waiting
        starved = 0
        if timeout and waited > BRIEF_US:
            starved = min(waited, self._core_waits() - self._core_waits_before)
        overdue = waited - int(timeout * 1_000_000) - starved
        if overdue > SLOW_US:
            self._lagged(now, overdue + starved)
            self.arrived = self._looked
        elif timeout and waited > self._instant_us:
            if starved > SLOW_US:
                self._lagged(now, starved)
            self.arrived = now - starved
            self._looked = now
        else:
            self.arrived = self._looked
            self._looked = now

    def looks(self, now: int) -> None:
        """In the middle of the loop's work somebody looks at the sockets, now."""
        worked = now - self._came_back
        if worked > SLOW_US:
            self._lagged(now, worked)
        self._came_back = now
        self.arrived = self._looked
        self._looked = now
