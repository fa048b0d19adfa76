"""The workers of a cluster, as the runner knows them: met, given sets, doubted, left out, lost."""

from __future__ import annotations

import math
import secrets
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from itertools import count
from typing import Any, Protocol

import trio

from arena.bots.parcel import Parcel
from arena.league.cluster.checking import BadReply, answer_in
from arena.league.cluster.lost import SchedulerGone, TaskFailed, TaskLost
from arena.league.cluster.placing import PlacedWorker, Placing, SeenWorker
from arena.league.cluster.waiting import SlotWait
from arena.league.play.jobs import JobEnded
from arena.league.store import events
from arena.league.worker import tasks
from arena.league.worker.facts import clock_warning, own_facts, why_unfit
from arena.league.worker.messages import (
    Broke,
    Delivery,
    Received,
    Reply,
    Unfit,
    WorkerDoing,
    WorkerFacts,
    sealed,
)
from arena.league.worker.sealed import Sealed
from arena.text import listed, plain

# The scheduler is asked so often which workers there are.
LOOK_SECONDS = 1.0
# More than this between two looks is time in which this process was stopped: it counts for no
# worker's silence.
MOST_LOOK_SECONDS = 25.0

# A worker's heartbeat comes every half a second, in a large cluster every few. One without for so
# long is stopped, suspended or cut off.
SILENT_SECONDS = 60.0

# A worker answers a question about itself at once; after so long it is asked whether the scheduler
# can reach it at all.
ANSWER_SECONDS = 10.0

# Set a set aside after this many worker deaths. The last attempt runs alone on its worker.
MOST_DEATHS = 3

# A worker that lacks a bot gets it, so many times.
MOST_DELIVERIES = 3

# Large messages hold up Dask's small ones.
PART_BYTES = 4_194_304


class Calls(Protocol):
    """A connection to a scheduler, or a test's script."""

    async def workers(self) -> Mapping[str, SeenWorker]:
        """Return the workers that offer slots, by address. Raises SchedulerGone."""

    async def why_unreachable(self, address: str) -> str | None:
        """Return why the scheduler cannot connect to a worker; None if it can."""

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
    """The workers that play for one league."""

    def __init__(
        self,
        connection: Calls,
        league: str,
        tell: Callable[[str], None],
        enter: Callable[[events.Event], Awaitable[None]],
        wait: SlotWait,
        scheduler: str = "the scheduler",
    ) -> None:
        """`league`: its name in the keys of tasks. `tell`: takes lines for people. `enter`: enters
        events into the store. `wait`: says what is waited for, while there is no slot.
        `scheduler`: in words, for people."""
        self.league = league
        self.placing = Placing()
        self.changed = trio.lowlevel.ParkingLot()  # unparked when there may be room
        # By set, how many workers ended that had begun it. A set that ran alone is to blame;
        # otherwise any set in play on that worker may be.
        self.deaths: Counter[int] = Counter()
        self.nursery: trio.Nursery  # for calls that outlive the lane that made them
        self._connection = connection
        self._scheduler = scheduler
        self.tell = tell
        self._enter = enter
        self._wait = wait
        self._happened: deque[events.Event] = deque()  # to be entered
        self._has_news = trio.lowlevel.ParkingLot()
        self._looks = trio.lowlevel.ParkingLot()  # unparked after each look at the workers
        self._entering = trio.Lock()
        self._known: dict[str, set[trio.CancelScope]] = {}  # by address: the calls that wait
        self._words: dict[str, str] = {}  # by address, the name in events
        self._unfit: dict[str, str] = {}  # by address, why
        self.sent = 0  # parcels, to all workers together
        self._sent_as: dict[tuple[str, str], int] = {}  # by machine and parcel: `sent` at its end
        self._delivering: dict[str, trio.Lock] = {}  # by machine
        self._numbers = count(1)
        self._is_over = False  # nothing is placed any more
        self._looked = 0.0  # time in which this process looked at the workers, in seconds
        self._look_at = trio.current_time()
        # By address: the last heartbeat by the scheduler's clock, and when it was new by `_looked`.
        self._heard: dict[str, tuple[float, float]] = {}

    def __repr__(self) -> str:
        return f"<Workers {self.placing!r}>"

    # Workers that are there.

    async def keep_looking(self) -> None:
        """Keep asking for the workers. Raises JobEnded when the scheduler is gone, and
        LeagueStopped when there is no slot for too long."""
        async with trio.open_nursery() as nursery:
            self.nursery = nursery
            nursery.start_soon(self._keep_entering)
            try:
                while True:
                    self._look(await self._connection.workers())
                    await trio.sleep(LOOK_SECONDS)
            except SchedulerGone as gone:
                self._have_all_left()
                await self._enter_events()
                what = f"the connection to {self._scheduler}"
                raise JobEnded(str(gone), what, "it is waited for") from None
            finally:
                self._is_over = True

    def _look(self, seen: Mapping[str, SeenWorker]) -> None:
        """Take in what the scheduler tells of its workers."""
        now = trio.current_time()
        self._looked += min(now - self._look_at, MOST_LOOK_SECONDS)
        self._look_at = now
        for address in self._known.keys() - seen.keys():
            self._forget(address)
        for worker in seen.values():
            if worker.address not in self._known:
                self._known[worker.address] = set()
                self._words[worker.address] = secrets.token_hex(3)
                self.nursery.start_soon(self._meet, worker)
        for placed in self.placing:
            self._listen(placed, seen[placed.seen.address].heard)
        self._wait.look(
            now,
            slots=self.placing.slots,
            met=len(self._known),
            left_out=self._unfit.values(),
        )
        self.changed.unpark_all()  # also for those that have rested
        self._looks.unpark_all()

    async def _keep_entering(self) -> None:
        while True:
            await self._enter_events()
            await self._has_news.park()

    async def _enter_events(self) -> None:
        async with self._entering:
            while self._happened:
                await self._enter(self._happened.popleft())

    def _is_news(self, event: events.Event) -> None:
        self._happened.append(event)
        self._has_news.unpark_all()

    async def _meet(self, seen: SeenWorker) -> None:
        """Ask a new worker for its facts, and use it if it will do."""
        known = self._known.get(seen.address)
        naming = trio.CancelScope()
        self.nursery.start_soon(self._name_unreachable, seen, naming)
        try:
            what = f"facts-{next(self._numbers)}"
            facts: WorkerFacts = await self.call(seen.address, what, tasks.describe, WorkerFacts)
        except TaskLost:
            return
        except TaskFailed as failed:
            self.leave_out(seen, Unfit(f"it cannot run arena: {failed}", "cannot-run"))
            return
        except BadReply:
            why = "its answer cannot be read: install the same arena there, and start it again"
            self.leave_out(seen, Unfit(why, "version"))
            return
        finally:
            naming.cancel()
        # The answer and a look without the worker may come in one tick; the call, which has its
        # answer, is not cancelled then.
        if self._known.get(seen.address) is not known:
            return
        if self._unfit.pop(seen.address, None) is not None:
            self.tell(f"worker {seen.name} can be reached now")
        ours = own_facts()
        if (unfit := why_unfit(facts, ours)) is not None:
            self.leave_out(seen, unfit, facts.machine)
            return
        if (warning := clock_warning(facts, ours)) is not None:
            self.tell(f"worker {seen.name}: {warning}")
        worker = self.placing.add(seen, facts.machine, self._words[seen.address])
        slots = f"{seen.slots} slot{'s' if seen.slots > 1 else ''}"
        self.tell(f"worker {seen.name} plays on {plain(facts.machine)}, with {slots}")
        self._joined(worker)

    async def _name_unreachable(self, seen: SeenWorker, naming: trio.CancelScope) -> None:
        """Say what is wrong with a worker that does not answer, until it does."""
        with naming:
            while True:
                await trio.sleep(ANSWER_SECONDS)
                why = await self._connection.why_unreachable(seen.address)
                if why is not None:
                    place = seen.address.partition("://")[2]
                    unreachable = (
                        f"it has registered, but the scheduler cannot connect to it at {place}"
                        f" ({why}): let the scheduler in there; behind a firewall choose the port"
                        " and open it: `arena worker ... -- --worker-port 9000`"
                    )
                    self.leave_out(seen, Unfit(unreachable, "unreachable"))

    def _forget(self, address: str) -> None:
        """Forget a worker that is gone; the sets it was to play are placed anew."""
        worker = self.placing.remove(address)
        self._unfit.pop(address, None)
        self._words.pop(address, None)
        self._heard.pop(address, None)
        for scope in self._known.pop(address):
            scope.cancel()
        if worker is not None:
            self.deaths.update({*worker.begun} - {*worker.given_up})
            again = f"; sets to be played again: {len(worker.owed)}" if worker.owed else ""
            self.tell(f"worker {worker.seen.name} is gone{again}")
            self._has_left(worker, "gone", worker.owed)

    def _have_all_left(self) -> None:
        """Say which sets are played again, now that the scheduler is gone with all workers."""
        again = [number for worker in self.placing for number in worker.owed]
        if again:
            self.tell(f"the scheduler is gone; played again: {_sets_in_words(again)}")
        for worker in self.placing:
            self._has_left(worker, "scheduler", worker.owed)

    async def tell_apart(self, worker: PlacedWorker) -> None:
        """Wait for the next look at the workers, after a task was lost.

        It tells whether the worker is gone, or the scheduler with all workers. Until then the set
        counts as the worker's, so that it is told with the others that are played again.
        """
        if worker.seen.address in self.placing:
            await self._looks.park()

    def _listen(self, worker: PlacedWorker, heard: float) -> None:
        """Give up the sets of a worker whose heartbeats have ceased, until there are any again."""
        last, since = self._heard.get(worker.seen.address, (None, 0.0))
        if heard != last:
            self._heard[worker.seen.address] = (heard, self._looked)
            if worker.is_silent:
                worker.is_silent = False
                self._may_be_usable(worker)
        elif self._looked - since >= SILENT_SECONDS and not worker.is_silent:
            worker.is_silent = True
            why = f"has given no sign of life for {SILENT_SECONDS:.0f} s"
            self.doubt(worker, worker.begun, worker.begun, why, "silent")

    # Sets at workers.

    async def placed(self, number: int) -> PlacedWorker:
        """Wait for room at a worker, and place a set there; alone if workers died of it before."""
        if self.deaths[number] >= MOST_DEATHS - 1:
            worker = await self._emptied(number)
        else:
            # Once this is over, the lanes will be cancelled in a moment.
            while self._is_over or (found := self.placing.best(trio.current_time())) is None:
                await self.changed.park()
            worker = found
        worker.sets.append(number)
        return worker

    async def _emptied(self, number: int) -> PlacedWorker:
        """Reserve a worker for a set, and wait until it has no other.

        Without that the other lanes would give each worker its next set as soon as there is room,
        and one with several slots would never be empty.
        """
        try:
            while True:
                worker = self.placing.reserve(trio.current_time(), number)
                if worker is not None and not worker.sets and not self._is_over:
                    return worker
                await self.changed.park()
        except BaseException:  # cancelled: no set will come
            self.placing.release(number)
            raise

    def taken_back(self, worker: PlacedWorker, number: int) -> None:
        """Note that a worker has nothing more to do with a set."""
        was_usable = worker.is_usable
        worker.sets.remove(number)
        worker.given.pop(number, None)
        if worker.reserved_for == number:
            worker.reserved_for = None
        if not was_usable:
            self._may_be_usable(worker)
        self.changed.unpark_all()

    def doubt(
        self,
        worker: PlacedWorker,
        sets: Collection[int],
        begun: Collection[int],
        why: str,
        reason: str,
    ) -> None:
        """Have sets of a worker played by others; it gets none until it has brought them.

        `begun`: the sets that it plays; those that wait there go elsewhere too. `why`: words for
        people, after the worker's name. `reason`: as in the event `worker_left`.
        """
        given_up = [each for each in sets if each not in worker.given_up]
        waiting = [each for each in worker.sets if each not in {*begun, *sets}]
        self.deaths.update(given_up)
        for number in waiting:
            worker.given[number].scope.cancel()
        for number in given_up:
            worker.given[number].is_given_up = True
            worker.given[number].settled.set()
        again = sorted([*given_up, *waiting])
        words = f"; played again: {_sets_in_words(again)}" if again else ""
        self.tell(f"worker {worker.seen.name} {why}; it gets no sets for now{words}")
        self._has_left(worker, reason, again)

    def _may_be_usable(self, worker: PlacedWorker) -> None:
        """Say that a worker plays again, if it is heard of and has brought all that it had."""
        if worker.is_usable and worker.seen.address in self.placing:
            self.tell(f"worker {worker.seen.name} is back, and plays on")
            self._joined(worker)

    def let_rest(self, worker: PlacedWorker, number: int, why: str) -> None:
        """Give a worker no sets for a while. `number`: of the set that it did not play."""
        seconds = worker.failed(trio.current_time())
        words = f"did not play set {number}: {plain(why)}; it rests for {seconds:.0f} s"
        self.tell(f"worker {worker.seen.name} {words}")
        self._is_news(events.worker_rests(worker.word, worker.machine, number, seconds))

    def leave_out(self, seen: SeenWorker, unfit: Unfit, machine: str | None = None) -> None:
        """Give a worker no sets any more. `machine`: the name of its machine, where it is known."""
        if seen.address not in self._known or seen.address in self._unfit:
            return
        worker = self.placing.remove(seen.address)
        self._unfit[seen.address] = unfit.why
        name = worker.machine if worker is not None else machine
        word = self._words[seen.address]
        # An event without a machine has nothing else that it could be matched by.
        matched = f" ({word} in events)" if name is None else ""
        self.tell(f"worker {seen.name}{matched} is left out: {plain(unfit.why)}")
        self._is_news(events.worker_left_out(word, name, unfit.reason))

    def _joined(self, worker: PlacedWorker) -> None:
        self._is_news(events.worker_joined(worker.word, worker.machine, worker.seen.slots))
        self.changed.unpark_all()

    def _has_left(self, worker: PlacedWorker, reason: str, sets: Collection[int]) -> None:
        self._is_news(events.worker_left(worker.word, worker.machine, reason, sorted(sets)))

    # Calls.

    async def call(
        self,
        address: str,
        what: str,
        function: Callable[..., Sealed],
        answers: Any,
        *messages: Sealed,
        takes_slot: bool = False,
    ) -> Any:
        """Call a function of `tasks` at a worker, and return its answer decoded. Raises TaskLost
        when the worker is gone, TaskFailed, and BadReply for an answer that cannot be decoded.

        `what`: a word for the key of the task, which everyone who sees the cluster can read.
        `answers`: the type of the answer.
        """
        key = f"arena-{self.league}-{what}-{next(self._numbers)}"
        calls = self._known.get(address)
        if calls is None:
            raise TaskLost("the worker is gone")
        with trio.CancelScope() as scope:
            calls.add(scope)
            try:
                answer = await self._connection.run(
                    function, *messages, key=key, address=address, takes_slot=takes_slot
                )
                return answer_in(answer, answers)
            finally:
                calls.discard(scope)
        raise TaskLost("the worker is gone")

    async def doing(self, worker: PlacedWorker) -> WorkerDoing:
        """Ask a worker which sets are in its slots. Raises TaskLost, TaskFailed or BadReply."""
        told: WorkerDoing = await self.call(worker.seen.address, "doing", tasks.doing, WorkerDoing)
        return told

    async def deliver(
        self, worker: PlacedWorker, parcels: Sequence[Parcel], before: int
    ) -> Received | Broke | Unfit:
        """Send a worker's machine the parcels that it lacks; return its answer to the last. Raises
        TaskLost, TaskFailed or BadReply.

        Several sets lack the same bots at once, and one delivery goes to a machine at a time. What
        another delivery has brought since is not sent again, and does not count as sent for this
        set: it is placed anew, and the worker looks again what it lacks.
        `before`: what `sent` was when the worker was asked.
        """
        machine = worker.machine
        reply: Received | Broke | Unfit = Received()
        async with self._delivering.setdefault(machine, trio.Lock()):
            lacking = [
                parcel
                for parcel in parcels
                if self._sent_as.get((machine, parcel.hash), 0) <= before
            ]
            if any(worker.deliveries[each.hash] >= MOST_DELIVERIES for each in lacking):
                for parcel in lacking:
                    del worker.deliveries[parcel.hash]
                why = f"it had bots sent {MOST_DELIVERIES} times and lacks them"
                return Broke(why, began=False)
            for parcel in lacking:
                worker.deliveries[parcel.hash] += 1
                reply = await self._send(worker.seen.address, parcel)
                if not isinstance(reply, Received):
                    break
                self.sent += 1
                self._sent_as[machine, parcel.hash] = self.sent
        return reply

    async def _send(self, address: str, parcel: Parcel) -> Received | Broke | Unfit:
        """Send a parcel in parts; return the answer to the last that was sent."""
        parts = math.ceil(len(parcel.data) / PART_BYTES)
        for number in range(parts):
            part = parcel.data[number * PART_BYTES :][:PART_BYTES]
            delivery = sealed(Delivery(parcel.hash, number, parts, part))
            what = f"parcel-{parcel.hash[:12]}"
            match await self.call(address, what, tasks.receive, Reply, delivery):
                case Received():
                    continue
                case Broke() | Unfit() as refused:
                    return refused
                # Matches in such an answer would be entered unchecked if it were passed on.
                case other:
                    raise BadReply(f"an answer {type(other).__name__} to a part of a parcel")
        return Received()


def _sets_in_words(numbers: Sequence[int]) -> str:
    return f"set{'s' if len(numbers) > 1 else ''} {listed(sorted(numbers))}"
