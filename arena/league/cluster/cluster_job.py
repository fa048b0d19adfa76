"""All workers of a cluster as one job of the runner.

A set is placed at a worker, and played there by one task of Dask, which brings back all its
matches. A failure there costs time only: the set is placed anew, and the worker named.
"""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import trio

from arena.league.cluster.lost import TaskFailed, TaskLost
from arena.league.cluster.placing import PlacedWorker
from arena.league.cluster.shop import Shop
from arena.league.cluster.workers import MOST_DEATHS, Workers
from arena.league.play.jobs import JobEnded
from arena.league.play.lanes.lanes import Lanes
from arena.league.play.orders import EnterBots, News, PlaySet, SetAside, SetOver
from arena.league.worker import tasks
from arena.league.worker.messages import (
    Broke,
    Lacks,
    PrintedPiece,
    Reply,
    SetPlayed,
    SetTask,
    SiteTerms,
    Unfit,
    opened,
    sealed,
)
from arena.referee.wire.packed import LendLink

# A set that takes longer is given up at its worker: all seats think for so many decisions, or it
# takes so many seconds.
MOST_DECISIONS = 1_000
LEAST_PATIENCE_SECONDS = 600.0


def patience_seconds(order: PlaySet) -> float:
    """Return the time after which a set that was placed is given up, with its wait there."""
    timing, seats = order.timing, len(order.line_up)
    match_ms = MOST_DECISIONS * timing.decision_ms + seats * (timing.bank_ms + timing.hang_ms)
    return LEAST_PATIENCE_SECONDS + 2 * len(order.turns) * match_ms / 1000


class ClusterJob:
    """A job of the runner that plays on workers.

    `pieces`: the folder for the output of bots; None: nowhere.
    """

    def __init__(self, workers: Workers, terms: SiteTerms, shop: Shop, pieces: Path | None) -> None:
        self._workers = workers
        self._terms = terms
        self._shop = shop
        self._pieces = pieces

    def __repr__(self) -> str:
        return f"<ClusterJob of {self._workers!r}>"

    async def pace(self, lanes: Lanes, most: int, more: int = 0) -> None:
        """Have as many lanes as the workers take sets, regardless of `most` of this machine.
        `more`: for sets that are played elsewhere."""
        workers = self._workers
        while True:
            if (wanted := max(1, workers.placing.capacity + more)) != lanes.wanted:
                lanes.want(wanted)
            await workers.changed.park()

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        """Have a set played, wherever there is room, as often as it takes."""
        played = None
        deaths = self._workers.deaths
        while played is None:
            played = await self._try(order)
            if played is None and deaths[order.number] >= MOST_DEATHS:
                times = deaths.pop(order.number)
                why = f"{times} workers ended over it, the last while it was alone"
                yield SetAside(order.number, order.lease, why)
                return
        deaths.pop(order.number, None)
        if self._pieces is not None:
            await trio.to_thread.run_sync(_write, self._pieces, played.pieces)
        for news in played.news:
            yield news
        yield SetOver(order.number, order.lease)

    async def lend(self, lent: LendLink, sock: socket.socket) -> None:
        """Refuse: bots that dial in play on the runner's machine."""
        sock.close()
        raise JobEnded(f"{lent.name} dials in, and cannot play on another machine")

    async def enter(self, bots: EnterBots) -> None:
        """Do nothing: the shop knows them, and workers get them with the sets they play in."""

    async def finish(self) -> None:
        """Do nothing: workers let go of a league by themselves."""

    async def read(self) -> None:
        """Keep looking which workers there are. Raises JobEnded when the scheduler is gone."""
        await self._workers.keep_looking()

    async def _try(self, order: PlaySet) -> SetPlayed | None:
        """Play a set at the best worker; None if that came to nothing."""
        workers = self._workers
        worker = await workers.placed(order.number)
        try:
            reply = await self._reply(worker, order)
            if isinstance(reply, Lacks):
                parcels = [self._shop.parcel(each) for each in reply.parcels]
                reply = await workers.deliver(worker, parcels)
        except TaskFailed as failed:
            reply = Broke(str(failed), began=True)
        except TaskLost:
            return None
        finally:
            workers.taken_back(worker, order.number)
        match reply:
            case SetPlayed():
                worker.did_well()
                return reply
            case Broke(why, began):
                if began:
                    workers.deaths[order.number] += 1
                workers.let_rest(worker, f"did not play set {order.number}: {why}")
            case Unfit(why):
                workers.leave_out(worker.seen, why)
        return None

    async def _reply(self, worker: PlacedWorker, order: PlaySet) -> Reply:
        """Have a worker play a set. Raises TaskLost or TaskFailed."""
        task = SetTask(self._terms, self._shop.bots(order.line_up), order)
        what = f"set-{order.number}-{order.attempt}-{order.lease}"
        with trio.move_on_after(patience_seconds(order)):
            answer = await self._workers.call(
                worker.seen.address, what, tasks.play, sealed(task), takes_slot=True
            )
            reply: Reply = opened(answer, Reply)
            return reply
        return Unfit(f"set {order.number} has taken longer there than any set can")


def _write(folder: Path, pieces: Sequence[PrintedPiece]) -> None:
    """Write the output of bots, each file as a whole or not at all."""
    for piece in pieces:
        new = folder / f".{piece.name}"
        with open(new, "xb", opener=_private) as file:
            file.write(piece.data)
        new.rename(folder / piece.name)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
