"""The workers of a cluster, as the runner knows them: met, given sets, left out, lost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Protocol

import trio

from arena.bots.parcel import Parcel
from arena.league.cluster.lost import SchedulerGone, TaskFailed, TaskLost
from arena.league.cluster.placing import PlacedWorker, Placing, SeenWorker
from arena.league.play.entering import LeagueStopped
from arena.league.play.jobs import JobEnded
from arena.league.worker import tasks
from arena.league.worker.facts import clock_warning, own_facts, why_unfit
from arena.league.worker.messages import Delivery, Received, Reply, WorkerFacts, opened, sealed
from arena.league.worker.sealed import Sealed

# The scheduler is asked so often which workers there are.
LOOK_SECONDS = 1.0
# So long a league waits for its first slot, and for another when it has lost all.
FIRST_SLOT_SECONDS = 60.0
NO_SLOT_SECONDS = 600.0

# A set of which so many workers died is set aside. For the last time it is played alone.
MOST_DEATHS = 3

# Large messages hold up Dask's small ones.
PART_BYTES = 4_194_304


class Calls(Protocol):
    """A connection to a scheduler, or a test's script."""

    async def workers(self) -> Mapping[str, SeenWorker]:
        """Return the workers that offer slots, by address. Raises SchedulerGone."""

    async def run(
        self,
        function: Callable[..., Sealed],
        *args: Sealed,
        key: str,
        address: str,
        takes_slot: bool = False,
    ) -> Sealed:
        """Call a function on a worker. Raises TaskLost or TaskFailed."""


class Workers:
    """The workers that play for one league. `tell`: takes lines for people."""

    def __init__(self, connection: Calls, league: str, tell: Callable[[str], None]) -> None:
        """`league`: its name in the keys of tasks."""
        self.placing = Placing()
        self.changed = trio.lowlevel.ParkingLot()  # unparked when there may be room
        # By set, how many workers ended that had begun it. One that plays alone is to blame; before
        # that each that was in play may be.
        self.deaths: Counter[int] = Counter()
        self._connection = connection
        self._league = league
        self._tell = tell
        self._known: dict[str, set[trio.CancelScope]] = {}  # by address: the calls that wait
        self._machines: dict[str, str] = {}  # by address
        self._unfit: dict[str, str] = {}  # by address, why
        self._delivering: dict[str, trio.Lock] = {}  # by machine
        self._numbers = count(1)
        self._had_slots = False
        self._slots_at = trio.current_time()  # when there was a slot last

    def __repr__(self) -> str:
        return f"<Workers {self.placing!r}>"

    # Workers that are there.

    async def keep_looking(self) -> None:
        """Keep asking for the workers. Raises JobEnded when the scheduler is gone, and
        LeagueStopped when there is no slot for too long."""
        async with trio.open_nursery() as nursery:
            while True:
                try:
                    seen = await self._connection.workers()
                except SchedulerGone as gone:
                    raise JobEnded(f"the scheduler is gone: {gone}") from None
                for address in self._known.keys() - seen.keys():
                    self._forget(address)
                for worker in seen.values():
                    if worker.address not in self._known:
                        self._known[worker.address] = set()
                        nursery.start_soon(self._meet, worker)
                self._check_slots()
                self.changed.unpark_all()  # also for those that have rested
                await trio.sleep(LOOK_SECONDS)

    async def _meet(self, seen: SeenWorker) -> None:
        """Ask a new worker for its facts, and use it if it will do."""
        try:
            answer = await self.call(seen.address, f"facts-{next(self._numbers)}", tasks.describe)
        except TaskLost:
            return
        except TaskFailed as failed:
            self.leave_out(seen, f"it cannot run arena: {failed}")
            return
        facts: WorkerFacts = opened(answer, WorkerFacts)
        ours = own_facts()
        if (warning := clock_warning(facts, ours)) is not None:
            self._tell(f"worker {seen.name}: {warning}")
        if (why := why_unfit(facts, ours)) is not None:
            self.leave_out(seen, why)
            return
        self._machines[seen.address] = facts.machine
        self.placing.add(seen)
        self._had_slots = True
        slots = f"{seen.slots} slot{'s' if seen.slots > 1 else ''}"
        self._tell(f"worker {seen.name} plays on {facts.machine}, with {slots}")
        self.changed.unpark_all()

    def _forget(self, address: str) -> None:
        """Forget a worker that is gone; the sets it was to play are placed anew."""
        worker = self.placing.remove(address)
        self._unfit.pop(address, None)
        self._machines.pop(address, None)
        for scope in self._known.pop(address):
            scope.cancel()
        if worker is not None:
            self.deaths.update(worker.begun)
            lost = f"; sets to be played again: {len(worker.sets)}" if worker.sets else ""
            self._tell(f"worker {worker.seen.name} is gone{lost}")

    def _check_slots(self) -> None:
        """End the run where there is no slot, and none comes."""
        now = trio.current_time()
        if self.placing.slots:
            self._slots_at = now
            return
        patience = NO_SLOT_SECONDS if self._had_slots else FIRST_SLOT_SECONDS
        if now - self._slots_at < patience:
            return
        left_out = "".join(f"; a worker was left out: {why}" for why in {*self._unfit.values()})
        raise LeagueStopped(
            f"no worker had a slot for this league in {patience:.0f} s{left_out}; start workers"
            " with `arena worker ADDRESS` (docs/cluster.md)"
        )

    # Sets at workers.

    async def placed(self, number: int) -> PlacedWorker:
        """Wait for room at a worker, and place a set there; alone if workers died of it before."""
        alone = self.deaths[number] >= MOST_DEATHS - 1
        while (worker := self.placing.best(trio.current_time(), alone=alone)) is None:
            await self.changed.park()
        worker.sets.append(number)
        worker.is_taken = alone
        return worker

    def taken_back(self, worker: PlacedWorker, number: int) -> None:
        """Note that a worker has nothing more to do with a set."""
        worker.sets.remove(number)
        worker.is_taken = False
        self.changed.unpark_all()

    def let_rest(self, worker: PlacedWorker, why: str) -> None:
        """Give a worker no sets for a while."""
        seconds = worker.failed(trio.current_time())
        self._tell(f"worker {worker.seen.name} {why}; it rests for {seconds:.0f} s")

    def leave_out(self, seen: SeenWorker, why: str) -> None:
        """Give a worker no sets any more."""
        if seen.address in self._known and seen.address not in self._unfit:
            self.placing.remove(seen.address)
            self._unfit[seen.address] = why
            self._tell(f"worker {seen.name} is left out: {why}")

    async def call(
        self,
        address: str,
        what: str,
        function: Callable[..., Sealed],
        *messages: Sealed,
        takes_slot: bool = False,
    ) -> Sealed:
        """Call a function of `tasks` at a worker. Raises TaskLost when the worker is gone, and
        TaskFailed.

        `what`: a word for the key of the task, which everyone who sees the cluster can read.
        """
        key = f"arena-{self._league}-{what}-{next(self._numbers)}"
        calls = self._known.get(address)
        if calls is None:
            raise TaskLost("the worker is gone")
        with trio.CancelScope() as scope:
            calls.add(scope)
            try:
                return await self._connection.run(
                    function, *messages, key=key, address=address, takes_slot=takes_slot
                )
            finally:
                calls.discard(scope)
        raise TaskLost("the worker is gone")

    async def deliver(self, worker: PlacedWorker, parcels: Sequence[Parcel]) -> Reply:
        """Send parcels to a worker's machine; return its answer to the last. Raises TaskLost or
        TaskFailed."""
        address = worker.seen.address
        lock = self._delivering.setdefault(self._machines[address], trio.Lock())
        is_under_way = lock.locked()
        reply: Reply = Received()
        async with lock:
            for parcel in () if is_under_way else parcels:
                parts = math.ceil(len(parcel.data) / PART_BYTES)
                for number in range(parts):
                    part = parcel.data[number * PART_BYTES :][:PART_BYTES]
                    delivery = sealed(Delivery(parcel.hash, number, parts, part))
                    what = f"parcel-{parcel.hash[:12]}"
                    answer = await self.call(address, what, tasks.receive, delivery)
                    reply = opened(answer, Reply)
                    if not isinstance(reply, Received):
                        return reply
        return reply
