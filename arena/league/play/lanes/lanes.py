"""The lanes of one job: tasks that each play one set after another, as many as are wanted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import trio

from arena.league.play.lanes.looks import LATER, JobTally, Look
from arena.league.play.lanes.machine import Machine
from arena.league.play.lanes.pace import LaneBounds, LaneCount

LOOK_SECONDS = 0.5

PlayNext: TypeAlias = Callable[["Lanes"], Awaitable[bool]]
"""Plays the next set in a lane; returns False if nothing is left to play."""


class Lanes:
    """As many lanes as are wanted. A surplus lane ends after its set."""

    def __init__(
        self,
        play_next: PlayNext,
        wanted: int,
        decision_ms: int,
        on_look: Callable[[Look], None] = lambda look: None,
    ) -> None:
        """`wanted`: at the start, 1 or more. `decision_ms`: the shortest of all bots. `on_look`: is
        told of each look at the job."""
        self.wanted = wanted
        self.later_us = 1000 * LATER * decision_ms
        self.tally = JobTally(int(self.later_us))
        self.on_look = on_look
        self.is_closed = False
        self._play_next = play_next
        self._open = 0
        self._is_over = False
        self._nursery: trio.Nursery | None = None

    def __repr__(self) -> str:
        return f"<Lanes: {self._open} open, {self.wanted} wanted>"

    async def run(self) -> None:
        """Play until nothing is left."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            self._fill()

    def want(self, number: int) -> None:
        """Have so many lanes from now on, 1 or more."""
        self.wanted = number
        self._fill()

    def close(self) -> None:
        """Take no more sets; those in play are played to their end. A lane that waits for a set has
        to be woken (`SetsToPlay.changed`)."""
        self.is_closed = self._is_over = True

    def _fill(self) -> None:
        if self._nursery is None or self._is_over:
            return
        while self._open < self.wanted:
            self._open += 1
            self._nursery.start_soon(self._lane)

    async def _lane(self) -> None:
        try:
            while self._open <= self.wanted and not self._is_over:
                if not await self._play_next(self):
                    self._is_over = True  # the nursery may close from now on
                    return
        finally:
            self._open -= 1


async def keep_pace(lanes: Lanes, machine: Machine, bounds: LaneBounds) -> None:
    """Want as many lanes as are fair and keep the cores busy, until cancelled."""
    pace = LaneCount(bounds)
    machine.used()
    while True:
        await trio.sleep(LOOK_SECONDS)
        used = machine.used()
        if used is None:
            return  # this system counts no CPU time: keep the fewest
        look = Look(used, lanes.tally.taken(), lanes.tally.playing)
        if pace.after(look) != lanes.wanted:
            lanes.want(pace.lanes)
        lanes.on_look(look)
