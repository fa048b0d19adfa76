"""All workers of a cluster as one job of the runner.

A set is placed at a worker, and played there by one task of Dask, which brings back all its
matches. A failure there costs time only: the set is placed anew, and the worker named.

A set that a worker does not bring is given up there, and ordered anew with another lease; whatever
still comes of it has the old one, and the runner counts it and leaves it out.
"""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import trio

from arena.bots.build import BUILD_SECONDS
from arena.league.cluster.checking import BadReply, check_played
from arena.league.cluster.lost import TaskFailed, TaskLost
from arena.league.cluster.placing import PlacedWorker, SetAtWorker
from arena.league.cluster.shop import Shop
from arena.league.cluster.workers import MOST_DEATHS, Workers
from arena.league.model.settings import Settings
from arena.league.play.jobs import JobEnded
from arena.league.play.lanes.lanes import Lanes
from arena.league.play.orders import EnterBots, MatchOver, News, PlaySet, SetAside, SetOver
from arena.league.store.folder import LOGS
from arena.league.worker import tasks
from arena.league.worker.messages import (
    Broke,
    Lacks,
    PrintedPiece,
    Received,
    Reply,
    SetPlayed,
    SetTask,
    SiteTerms,
    Unfit,
    sealed,
)
from arena.league.worker.patience import most_seconds
from arena.referee.wire.packed import LendLink

# A set that waits for a slot of its worker is asked for again after so long.
ASK_SECONDS = 60.0
# A worker answers at once what it does, or something is wrong with it.
ANSWER_SECONDS = 30.0
# Answers in a row that know nothing of a set, or do not come, after which it is played elsewhere.
MOST_ODD_ANSWERS = 2


class ClusterJob:
    """A job of the runner that plays on workers."""

    def __init__(
        self,
        workers: Workers,
        terms: SiteTerms,
        shop: Shop,
        settings: Settings,
        pieces: Path | None,
    ) -> None:
        """`settings`: of the league, to check matches by. `pieces`: the folder for the output of
        bots; None: nowhere."""
        self._workers = workers
        self._terms = terms
        self._shop = shop
        self._settings = settings
        self._pieces = pieces
        self._late: deque[MatchOver] = deque()  # of sets that were given up, to be counted

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
        deaths = self._workers.deaths
        while True:
            while self._late:
                yield self._late.popleft()
            at = await self._try(order)
            reply = at.reply
            if isinstance(reply, SetPlayed) and not at.is_given_up:
                break
            if deaths[order.number] >= MOST_DEATHS:
                times = deaths.pop(order.number)
                why = f"{times} workers ended over it, the last while it was alone"
                yield SetAside(order.number, order.lease, why)
                return
            if at.is_given_up:
                yield SetOver(order.number, order.lease)
                return
        deaths.pop(order.number, None)
        await self._keep_output(reply.pieces)
        for news in reply.news:
            yield news
        yield SetOver(order.number, order.lease)

    async def _keep_output(self, pieces: Sequence[PrintedPiece]) -> None:
        """Write the output of bots, or tell why not: the matches of the set are entered anyway."""
        if self._pieces is None:
            return
        try:
            await trio.to_thread.run_sync(_write, self._pieces, pieces)
        except OSError as error:
            # An error of writing, such as a full disk, names no file.
            why = f"{self._pieces}: {error.strerror}; what bots print is not in {LOGS}/"
            self._workers.tell(why)

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

    # A set at a worker.

    async def _try(self, order: PlaySet) -> SetAtWorker:
        """Have a set played by the best worker; it is settled when this returns."""
        workers = self._workers
        worker = await workers.placed(order.number)
        at = worker.given[order.number] = SetAtWorker(order)
        workers.nursery.start_soon(self._bring, worker, at)
        limit = self._patience_seconds(order)
        patience, odd = limit, 0
        while not at.settled.is_set():
            with trio.move_on_after(patience):
                await at.settled.wait()
                break
            more = await self._ask(worker, at, limit)
            odd = odd + 1 if more is None else 0
            patience = ANSWER_SECONDS if more is None else more
            if odd >= MOST_ODD_ANSWERS and not at.settled.is_set():
                workers.tell(f"worker {worker.seen.name} knows nothing of set {order.number}")
                at.scope.cancel()
        return at

    async def _bring(self, worker: PlacedWorker, at: SetAtWorker) -> None:
        """Wait until a worker has brought a set, or is gone; do what its reply asks for."""
        number = at.order.number
        # A worker begins with sets in the order in which they are sent.
        worker.sets.remove(number)
        worker.sets.append(number)
        try:
            with at.scope:
                at.reply = await self._reply(worker, at)
        finally:
            self._workers.taken_back(worker, number)
        match at.reply:
            case SetPlayed(news):
                worker.did_well()
                if at.is_given_up:
                    matches = [each for each in news if isinstance(each, MatchOver)]
                    self._late += matches
                    self._workers.tell(
                        f"worker {worker.seen.name} has brought set {number} after it was given"
                        f" up; its matches are left out: {len(matches)}"
                    )
            case Broke(why, began):
                if began and not at.is_given_up:
                    self._workers.deaths[number] += 1
                self._workers.let_rest(worker, number, why)
            case Unfit():
                self._workers.leave_out(worker.seen, at.reply)
        at.settled.set()

    async def _reply(self, worker: PlacedWorker, at: SetAtWorker) -> Reply | None:
        """Have a worker play a set, and check what it brings; None if it is gone."""
        order = at.order
        task = SetTask(self._terms, self._shop.bots(order.line_up), order)
        what = f"set-{order.number}-{order.attempt}-{order.lease}"
        before = self._workers.sent
        try:
            reply: Reply = await self._workers.call(
                worker.seen.address, what, tasks.play, Reply, sealed(task), takes_slot=True
            )
            at.has_come = True
            match reply:
                case SetPlayed():
                    # Each match is played again by the rules. The thread keeps the loop answering
                    # between two switches of the interpreter; the processor time is the same.
                    check = partial(check_played, order, self._settings, worker.machine, reply)
                    await trio.to_thread.run_sync(check)
                case Lacks(parcels):
                    return await self._deliver(worker, at, parcels, before)
                case Received():
                    # The set would be placed there again at once, for ever.
                    raise BadReply("an answer to a part of a parcel, and it was given a set")
                case Broke() | Unfit():
                    pass
        except BadReply as bad:
            return Unfit(f"it brought what is not of set {order.number}: {bad}", "bad-matches")
        except TaskFailed as failed:
            return Broke(str(failed), began=True)
        except TaskLost:
            await self._workers.tell_apart(worker)
            return None
        return reply

    async def _deliver(
        self, worker: PlacedWorker, at: SetAtWorker, parcels: Sequence[str], before: int
    ) -> Reply:
        """Send a worker the bots that it lacks. Raises BadReply, TaskFailed or TaskLost.

        `before`: as in `Workers.deliver`.
        """
        if not parcels:
            raise BadReply("it lacks bots, and names none")
        wanted = {bot.parcel for bot in self._shop.bots(at.order.line_up)}
        if odd := {*parcels} - wanted:
            raise BadReply(f"it asks for {len(odd)} bots that are not of the set")
        at.has_come = False
        at.is_delivering = True
        lacking = [self._shop.parcel(each) for each in sorted({*parcels})]
        return await self._workers.deliver(worker, lacking, before)

    def _patience_seconds(self, order: PlaySet) -> float:
        """Return the time after which a worker is asked about a set that it was given.

        It gives up by itself what takes longer than a set can, so twice that has room for all that
        it does before and after; builds come on top, one after the other, and their limit is one of
        the worker, too.
        """
        builds = 2 * BUILD_SECONDS * self._shop.builds
        return builds + 2 * most_seconds(order, self._terms.start_ms)

    async def _ask(self, worker: PlacedWorker, at: SetAtWorker, limit: float) -> float | None:
        """Ask a worker what became of a set; give it up where no set can take so long.

        Returns the seconds until the next question, and None if the answer makes no sense.
        """
        number, told = at.order.number, None
        if at.has_come:
            return ASK_SECONDS
        with trio.move_on_after(ANSWER_SECONDS), suppress(TaskLost, TaskFailed):
            try:
                told = await self._workers.doing(worker)
            except BadReply as bad:
                # Unless it is left out, the set would be placed there again and again.
                unfit = Unfit(f"asked what it does it brought {bad}", "bad-matches")
                self._workers.leave_out(worker.seen, unfit)
                at.scope.cancel()
        if at.has_come:
            return ASK_SECONDS
        if told is None:
            return None
        key = (self._terms.league, number, at.order.lease)
        for each in told.sets:
            if (each.league, each.number, each.lease) == key:
                if each.seconds < limit:
                    return limit - each.seconds
                why = f"has had set {number} for {each.seconds:,.0f} s, and no set can take so long"
                begun = {each.number for each in told.sets if each.league == self._terms.league}
                self._workers.doubt(worker, [number], begun, why, "too-long")
                return limit
        # A slot of its own is free for it: then it would have been begun.
        waits = at.is_delivering or len(told.sets) >= worker.seen.slots
        return ASK_SECONDS if waits else None


def _write(folder: Path, pieces: Sequence[PrintedPiece]) -> None:
    """Write the output of bots, each file as a whole or not at all."""
    for piece in pieces:
        new = folder / f".{piece.name}"
        with open(new, "wb", opener=_private) as file:
            file.write(piece.data)
        new.rename(folder / piece.name)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
