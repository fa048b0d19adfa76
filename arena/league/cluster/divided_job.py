"""A job that divides sets: those of bots that dial in are played here, all others by workers.

The sockets of bots that dial in are on the runner's machine, and so are the referees that play
with them: an ordinary referee process, beside the cluster.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncGenerator
from contextlib import aclosing

import trio

from arena.league.cluster.cluster_job import ClusterJob
from arena.league.play.job_keeper import Job
from arena.league.play.lanes.lanes import Lanes
from arena.league.play.orders import EnterBots, News, PlaySet
from arena.referee.wire.packed import LendLink


class DividedJob:
    """A cluster and a referee process of this machine. `at_once`: sets that are played here."""

    def __init__(self, cluster: ClusterJob, here: Job, at_once: int) -> None:
        self._cluster = cluster
        self._here = here
        self._at_once = at_once
        self._places = trio.CapacityLimiter(at_once)

    def __repr__(self) -> str:
        return f"<DividedJob of {self._cluster!r} and {self._here!r}>"

    async def pace(self, lanes: Lanes, most: int) -> None:
        """Have as many lanes as workers take sets, and those for the sets that are played here."""
        await self._cluster.pace(lanes, most, self._at_once)

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        """Have a set played here if a bot in it dials in, else by a worker."""
        if not (order.guests or order.absent):
            async with aclosing(self._cluster.play(order)) as comes:
                async for news in comes:
                    yield news
            return
        async with self._places, aclosing(self._here.play(order)) as comes:
            async for news in comes:
                yield news

    async def lend(self, lent: LendLink, sock: socket.socket) -> None:
        """Hand a connection to the referee process."""
        await self._here.lend(lent, sock)

    async def enter(self, bots: EnterBots) -> None:
        """Have further bots started here too."""
        await self._here.enter(bots)

    async def finish(self) -> None:
        """Say that the league is over."""
        await self._here.finish()

    async def read(self) -> None:
        """Read what both have to say."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._cluster.read)
            nursery.start_soon(self._here.read)
