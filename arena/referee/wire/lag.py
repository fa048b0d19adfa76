"""Measure the delays of this machine, so that no bot is charged for them.

Trio calls an instrument before the event loop waits for sockets and after it comes back. Two
things are worked out from these calls:

- *The earliest time at which an answer arrived.* A Unix socket has no receive stamp. If the loop
  waited, input that it finds afterwards came at the end of the wait. If it did not wait, the input
  may have come at any time since the loop last looked at its sockets: the bot is then credited
  with all that time. A wait may return much too late, as when this process was stopped. Then the
  kernel may not have looked at any socket, and input found by the next look may have waited since
  before the stop.
- *The lag of this machine, and its time.* A wait that lasts longer than asked for, or work of the
  loop that takes longer than `SLOW_US` in one piece, is time in which no bot was served: the
  process was stopped, starved or too busy. Each wait is asked to end with the next sweep of
  deadlines at the latest, so a stop can hide inside a wait for one interval of the sweep at most.
"""

from __future__ import annotations

from collections import deque

import trio

from arena.referee.clock import Now
from arena.referee.wire.core_waits import CoreWaits

# A wait no longer than this found sockets that were ready already.
INSTANT_US = 30
# After a wait no longer than this the time spent waiting for a processor is not read: reading
# costs more than could be found.
BRIEF_US = 200
# Work in one piece, or a wake-up that is late, counts as lag only above this.
SLOW_US = 2_000
# Number of lags kept. Each is SLOW_US or more, so they cover the last two seconds at least.
MOST_LAGS = 1_000


class LagMeter(trio.abc.Instrument):
    """An instrument of Trio: install with `trio.lowlevel.add_instrument`, and close after removal.

    `now` gives whole microseconds; `core_waits` those spent waiting for a processor.
    """

    def __init__(self, now: Now, core_waits: CoreWaits | None = None):
        self._now = now
        self._core_waits = core_waits if core_waits is not None else CoreWaits()
        self._core_waits_before = 0
        self._began_waiting = self._came_back = now()
        self._instant_us = INSTANT_US
        # The time of the last look at the sockets that certainly took place.
        self._looked = self._came_back
        self.arrived = self._came_back  # input found by the last look came at this time or later
        self.lag_us = 0  # the sum since the start
        self._lags: deque[tuple[int, int]] = deque(maxlen=MOST_LAGS)  # end and length of each

    def __repr__(self) -> str:
        return f"<LagMeter {self.lag_us} us so far>"

    def close(self) -> None:
        """Close the file of the core waits; the instrument must be removed from Trio before."""
        self._core_waits.close()

    def since(self, moment: int) -> int:
        """Sum the lag since a moment not long ago, in microseconds (see MOST_LAGS)."""
        return sum(min(us, ended - moment) for ended, us in self._lags if ended > moment)

    def _lagged(self, ended: int, us: int) -> None:
        self.lag_us += us
        self._lags.append((ended, us))

    def before_io_wait(self, timeout: float) -> None:
        """Note that the loop has done its work and will wait for at most `timeout` seconds."""
        now = self._began_waiting = self._now()
        worked = now - self._came_back
        self._instant_us = INSTANT_US
        if worked > SLOW_US:
            self._lagged(now, worked)
            # Much input may have come meanwhile, and a process is slow at first after a stop: so a
            # wait of up to SLOW_US may still have found its sockets ready at once.
            self._instant_us = SLOW_US
        if timeout:
            self._core_waits_before = self._core_waits()

    def after_io_wait(self, timeout: float) -> None:
        """Note that the loop is back from its wait, with the sockets that it found ready."""
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
        """Note a look at the sockets at this time in the middle of the loop's work."""
        worked = now - self._came_back
        if worked > SLOW_US:
            self._lagged(now, worked)
        self._came_back = now
        self.arrived = self._looked
        self._looked = now
