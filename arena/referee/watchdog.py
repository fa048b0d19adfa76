"""One task that wakes whoever waits past his deadline, instead of a scope for each decision.

A scope for each decision would cost a fifth of it. A waiter sets its `deadline_us`, waits
for its socket, and takes the deadline away; the watchdog sweeps the few waiters there are.
It only wakes: the one woken reads once more and judges by times of arrival, so how often the
sweep comes decides nothing but how soon a silence is noticed.
"""

from __future__ import annotations

import socket
from typing import NoReturn, Protocol

import trio

from arena.referee.clock import Now

# A wait with a nearer deadline costs more: the kernel must set its clock anew for each.
SWEEP_SECONDS = 0.01


class Waiter(Protocol):
    """Someone who waits for a socket."""

    deadline_us: int
    sock: socket.socket


class Watchdog:
    """`waiters` are those who wait now; they enter and leave by themselves."""

    def __init__(self, now: Now):
        self._now = now
        self.waiters: set[Waiter] = set()

    def __repr__(self) -> str:
        return f"<Watchdog over {len(self.waiters)}>"

    async def run(self) -> NoReturn:
        """Sweep for ever; start it in the nursery that the matches live in."""
        while True:
            await trio.sleep(SWEEP_SECONDS)
            now = self._now()
            for waiter in [one for one in self.waiters if one.deadline_us <= now]:
                # Wakes those who wait for it; the socket itself stays as it is.
                trio.lowlevel.notify_closing(waiter.sock)
