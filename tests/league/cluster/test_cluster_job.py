"""What becomes of sets at workers that die, fail, differ or lack bots: no Dask, no process.

The scheduler is a script that calls no function of a worker: it answers as a worker would.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import (
    MockClock,
    active_thread_count,
    wait_all_tasks_blocked,
    wait_all_threads_completed,
)

from arena.bots.botfile import Bot
from arena.bots.confine.confinement import Wish
from arena.bots.confine.limits import Limits
from arena.groups import leaves
from arena.league.cluster.checking import MOST_REPLY_BYTES, WORDS_CHARS
from arena.league.cluster.cluster_job import ClusterJob
from arena.league.cluster.lost import SchedulerGone, TaskLost
from arena.league.cluster.placing import SeenWorker
from arena.league.cluster.shop import Shop
from arena.league.cluster.waiting import FIRST_SLOT_SECONDS, SlotWait, advice_for
from arena.league.cluster.workers import LOOK_SECONDS, MOST_DEATHS, SILENT_SECONDS, Workers
from arena.league.model.played import LeagueMatch
from arena.league.play.entering import MOST_SETS_ASIDE, LeagueStopped
from arena.league.play.orders import MatchOver, PlaySet, Said, Setup
from arena.league.play.runner import Runner
from arena.league.store.store import Store
from arena.league.worker import tasks
from arena.league.worker.facts import own_facts, version
from arena.league.worker.messages import (
    Broke,
    Delivery,
    Lacks,
    PrintedPiece,
    Received,
    Reply,
    SetInSlot,
    SetPlayed,
    SetTask,
    SiteTerms,
    Unfit,
    WorkerDoing,
    opened,
    sealed,
)
from arena.league.worker.patience import most_seconds
from arena.league.worker.sealed import Sealed
from arena.record import FaultEntry, Move, Note
from arena.record.evidence import Evidence
from arena.record.timing import Timing
from protocol.commitment import NONCE_BYTES
from tests.league.leagues import Simulated, played_match, settings_of
from tests.league.play.test_runner import InMemory, Seen, begun, runner_of


async def jump() -> None:
    """Let the clock jump whenever nothing is left to do, in no thread either.

    `autojump_clock` jumps while the store is written to, and then a minute is over in no time.
    """
    clock = trio.lowlevel.current_clock()
    assert isinstance(clock, MockClock)
    while True:
        await wait_all_threads_completed()
        await wait_all_tasks_blocked()
        seconds = trio.lowlevel.current_statistics().seconds_to_next_deadline
        if not active_thread_count() and math.isfinite(seconds):
            clock.jump(max(1e-6, seconds))  # a sum would lose what is below


SIMULATED = Simulated(sets=6)
ORDER = PlaySet(
    number=1,
    lease=1,
    attempt=0,
    line_up=tuple(SIMULATED.bots[:4]),
    turns=(0, 1, 2, 3),
    seed=b"",
    game=SIMULATED.game,
    options=SIMULATED.options,
    timing=Timing(),
    show_names=False,
    may_void=True,
)

Answer = Callable[["FakeWorker", SetTask], Reply | Awaitable[object] | None]
"""What a worker makes of a set, at once or after a while; None: it dies of it."""


def plays(worker: FakeWorker, task: SetTask) -> Reply:
    """Play a set as it should be."""
    order = task.order
    matches = []
    for turn in order.turns:
        played = played_match(SIMULATED, order.planned, turn, order.seed)
        record = msgspec.structs.replace(
            played.record, nonce="00" * NONCE_BYTES, confinement="unconfined"
        )
        played = msgspec.structs.replace(
            played, attempt=order.attempt, machine=worker.called, record=record
        )
        matches.append(MatchOver(order.lease, played))
    worker.played.append(order.number)
    return SetPlayed(tuple(matches))


@dataclass
class FakeWorker:
    """A worker of one slot and, unless told otherwise, a machine of its own."""

    seen: SeenWorker
    answer: Answer = plays
    version: str = field(default_factory=version)
    machine: str = ""
    folder: str = ""
    played: list[int] = field(default_factory=list)
    is_stopped: bool = False  # then no heartbeat comes
    in_slot: dict[tuple[int, int], float] = field(default_factory=dict)  # by set and lease: since
    heard: float = 0.0

    def __post_init__(self) -> None:
        self.slots = trio.CapacityLimiter(self.seen.slots)

    @property
    def called(self) -> str:
        """The name of its machine."""
        return self.machine or self.seen.name

    @property
    def keeps_in(self) -> str:
        """The name of its folder: workers of a machine share one, unless told otherwise."""
        return self.folder or self.called


@dataclass
class Scheduler:
    """Answers for all workers. `parcels`: by folder, what it has; None: everything."""

    fakes: dict[str, FakeWorker]
    parcels: dict[str, Counter[str]] | None = None
    is_gone: bool = False
    unreachable: dict[str, str] = field(default_factory=dict)  # by address, why
    slot_free_at: float = 0.0  # no slot begins before
    loses: set[int] = field(default_factory=set)  # sets that do not reach their worker once
    # Workers that must all have been given a set before any of them plays.
    waits_for: frozenset[str] = frozenset()
    asked: set[str] = field(default_factory=set)
    described: set[str] = field(default_factory=set)
    keys: list[str] = field(default_factory=list)
    # By address, what a worker answers in place of `Received`, and of what its slots are busy with.
    receives: dict[str, object] = field(default_factory=dict)
    does: dict[str, object] = field(default_factory=dict)

    async def workers(self) -> Mapping[str, SeenWorker]:
        await trio.lowlevel.checkpoint()
        if self.is_gone:
            raise SchedulerGone("as the test wants")
        for fake in self.fakes.values():
            fake.heard = fake.heard if fake.is_stopped else trio.current_time()
        return {
            address: replace(fake.seen, heard=fake.heard) for address, fake in self.fakes.items()
        }

    async def why_unreachable(self, address: str) -> str | None:
        await trio.lowlevel.checkpoint()
        return self.unreachable.get(address)

    async def run(
        self,
        function: Callable[..., Sealed],
        *args: Sealed,
        key: str,
        address: str,
        takes_slot: bool = False,
    ) -> Sealed:
        self.keys.append(key)
        await trio.sleep(0.1 + len(self.keys) / 1_000_000)  # what is sent first comes first
        worker = self.fakes.get(address)
        if worker is None:
            await trio.sleep_forever()
            raise TaskLost("not reached")
        if function is tasks.describe:
            self.described.add(address)
            while address in self.unreachable:
                await trio.sleep(1)
            facts = msgspec.structs.replace(
                own_facts(), machine=worker.called, version=worker.version
            )
            return sealed(facts)
        while worker.is_stopped:
            await trio.sleep(1)
        if function is tasks.doing and address in self.does:
            return self.does[address]  # type: ignore[return-value]  # a liar's
        if function is tasks.doing:
            now = trio.current_time()
            sets = [SetInSlot("cup", *key, now - since) for key, since in worker.in_slot.items()]
            return sealed(WorkerDoing(tuple(sets)))
        if function is tasks.receive and address in self.receives:
            return self.receives[address]  # type: ignore[return-value]  # a liar's
        if function is tasks.receive:
            if self.parcels is None:
                return sealed(Received())
            delivery: Delivery = opened(args[0], Delivery)
            self.parcels[worker.keeps_in][delivery.parcel] += 1
            return sealed(Received())
        if self.is_gone:
            await trio.sleep_forever()
        assert function is tasks.play
        self.asked.add(address)
        # Threads run in no time of this clock: nothing is played before everybody was met.
        while not (self.waits_for <= self.asked and self.fakes.keys() <= self.described):
            await trio.sleep(1)
        assert takes_slot
        task: SetTask = opened(args[0], SetTask)
        if self.parcels is not None:
            here = self.parcels[worker.keeps_in]
            if lacking := {bot.parcel for bot in task.bots} - here.keys():
                return sealed(Lacks(tuple(sorted(lacking))))
        if task.order.number in self.loses:
            self.loses.remove(task.order.number)
            await trio.sleep_forever()
        await trio.sleep_until(self.slot_free_at)
        worker.in_slot.pop((99, 1), None)
        async with worker.slots:
            reply = await self._played(worker, address, task)
        return sealed(reply) if isinstance(reply, Reply) else reply  # type: ignore[return-value]  # a liar's

    async def _played(self, worker: FakeWorker, address: str, task: SetTask) -> object:
        """Play a set in a slot; a worker that dies of it is gone."""
        place = (task.order.number, task.order.lease)
        worker.in_slot[place] = trio.current_time()
        try:
            reply = worker.answer(worker, task)
            if reply is None:
                self.fakes.pop(address, None)
                await trio.sleep_forever()
            return await reply if isinstance(reply, Awaitable) else reply
        finally:
            del worker.in_slot[place]


def workers_of(*fakes: FakeWorker, needs_all: bool = False) -> Scheduler:
    found = {fake.seen.address: fake for fake in fakes}
    return Scheduler(found, waits_for=frozenset(found) if needs_all else frozenset())


def fake(name: str, answer: Answer = plays, machine: str = "") -> FakeWorker:
    return FakeWorker(SeenWorker(f"tls://{name}", name, 1), answer, machine=machine)


def old(name: str) -> FakeWorker:
    return FakeWorker(SeenWorker(f"tls://{name}", name, 1), version="0.0.1 (0123456789)")


async def shop_of(folder: Path) -> Shop:
    shop = Shop(None)
    bots = {}
    for name in SIMULATED.bots:
        place = folder / "bots" / name
        place.mkdir(parents=True, exist_ok=True)
        (place / "bot.py").write_text(name)
        bots[name] = (Bot(name, ("python3", "bot.py"), place), Limits())
    await shop.make(bots)
    return shop


def kinds(store: Store, *of: str) -> list[Mapping[str, Any]]:
    """The events of these kinds, in order, without when they happened."""
    found = [event for _, event in store.events() if event["event"] in of]
    return [{key: value for key, value in event.items() if key != "at"} for event in found]


WORKERS = ("worker_joined", "worker_left", "worker_left_out", "worker_rests")


def of_workers(store: Store) -> list[tuple[object, ...]]:
    """The events of workers, without the names that are drawn for them."""
    return [
        tuple(value for key, value in event.items() if key != "worker")
        for event in kinds(store, *WORKERS)
    ]


async def run_league(
    folder: Path,
    store: Store,
    scheduler: Scheduler,
    told: list[str] | None = None,
    simulated: Simulated = SIMULATED,
) -> Runner:
    """Play a league by these workers, to its end; what people are told is appended to `told`."""
    said = [] if told is None else told
    shop = await shop_of(folder)
    terms = SiteTerms("cup", version(), 4, 1000, Wish.AUTO, (), True, "", True)
    pieces = folder / "pieces"
    pieces.mkdir(exist_ok=True)

    @asynccontextmanager
    async def open_job(setup: Setup, cores: Sequence[int], log: Path) -> AsyncIterator[ClusterJob]:
        scheduler.is_gone = False
        advice = advice_for("tls://10.0.0.1:8786", is_encrypted=True)
        workers = Workers(
            scheduler, "cup", said.append, runner.entered.happened, SlotWait(advice, said.append)
        )
        yield ClusterJob(workers, terms, shop, settings_of(simulated), pieces)

    runner = runner_of(store, InMemory(simulated))
    runner.play_by(open_job)
    view = Seen()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(jump)
        try:
            await runner.run((), view)
        finally:
            said += view.said
            nursery.cancel_scope.cancel()
    return runner


async def test_sets_are_played_by_all_workers_and_kept_with_their_machine(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    east, west = fake("east"), fake("west")
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, workers_of(east, west, needs_all=True))
        machines = {played.set: machine for machine, played in store.played_on()}
    assert sorted(east.played + west.played) == [1, 2, 3, 4, 5, 6]
    assert machines == {
        number: worker.seen.name for worker in (east, west) for number in worker.played
    }
    assert east.played
    assert west.played


async def test_the_key_of_each_task_is_its_own_and_tells_no_seed(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    scheduler = workers_of(fake("east"))
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, scheduler)
    assert len({*scheduler.keys}) == len(scheduler.keys)
    assert scheduler.keys[1].startswith("arena-cup-set-1-0-1-")


async def test_the_sets_of_a_worker_that_dies_are_played_by_others(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    def dies(worker: FakeWorker, task: SetTask) -> None:
        return None

    told: list[str] = []
    scheduler = workers_of(fake("east", dies), fake("west"), needs_all=True)
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
        assert {machine for machine, _ in store.played_on()} == {"west"}
    assert runner.ledger.sets == 6
    assert any(line.startswith("worker east is gone; sets to be played again: ") for line in told)


async def test_a_worker_of_another_version_is_left_out_and_named(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    told: list[str] = []
    east = old("east")
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, workers_of(east, fake("west")), told)
    assert east.played == []
    assert any(
        line.startswith("worker east is left out: it has arena 0.0.1 (0123456789), and the runner")
        for line in told
    )


async def test_without_a_slot_the_league_says_so_and_ends(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    began = trio.current_time()
    with begun(tmp_path, SIMULATED) as store, pytest.raises(ExceptionGroup) as raised:
        await run_league(tmp_path, store, workers_of(old("east")))
    (error,) = leaves(raised.value)
    assert isinstance(error, LeagueStopped)
    assert str(error).startswith("no worker had a slot for this league in 60 s; a worker was left")
    assert "it has arena 0.0.1 (0123456789), and the runner" in str(error)
    assert trio.current_time() - began < FIRST_SLOT_SECONDS + 5


async def test_each_machine_gets_each_bot_once(tmp_path: Path, mock_clock: MockClock) -> None:
    scheduler = workers_of(
        fake("east-1", machine="east"),
        fake("east-2", machine="east"),
        fake("west", machine="west"),
        needs_all=True,
    )
    scheduler.parcels = {"east": Counter(), "west": Counter()}
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, scheduler)
    for machine in ("east", "west"):
        assert {*scheduler.parcels[machine].values()} == {1}, machine


async def test_a_worker_that_cannot_play_a_set_rests_and_is_named(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    failures = iter([Broke("/var: No space left on device", began=False)] * 2)

    def full(worker: FakeWorker, task: SetTask) -> Reply:
        return next(failures, None) or plays(worker, task)

    told: list[str] = []
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, workers_of(fake("east", full)), told)
    assert runner.ledger.sets == 6
    why = "did not play set 1: /var: No space left on device; it rests for 5 s"
    assert f"worker east {why}" in told


async def test_a_worker_that_cannot_build_a_bot_is_left_out_and_others_go_on(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    told: list[str] = []
    unfit = fake("east", lambda worker, task: Unfit("the build of 'fox' failed: no cargo"))
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, workers_of(unfit, fake("west"), needs_all=True), told)
    lines = [line for line in told if "the build of 'fox' failed: no cargo" in line]
    assert lines == ["worker east is left out: the build of 'fox' failed: no cargo"]


def deadly(*numbers: int, scheduler: Scheduler) -> Answer:
    """Workers that die of these sets; each time another takes the place of the dead."""
    names = iter(f"worker-{number}" for number in range(1000))

    def answer(worker: FakeWorker, task: SetTask) -> Reply | None:
        if task.order.number in numbers:
            name = next(names)
            fresh = FakeWorker(SeenWorker(f"tls://{name}", name, worker.seen.slots), answer)
            scheduler.fakes[fresh.seen.address] = fresh
            return None
        return plays(worker, task)

    return answer


async def test_a_set_that_kills_its_workers_is_set_aside_and_the_league_goes_on(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    scheduler = workers_of()
    for name in ("east", "west"):
        worker = fake(name, deadly(3, scheduler=scheduler))
        scheduler.fakes[worker.seen.address] = worker
    told: list[str] = []
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
        happened = [event for _, event in store.events()]
    aside = [event for event in happened if event["event"] == "set_aside"]
    assert [(each["sets"], each["reason"]) for each in aside] == [
        ([3], f"{MOST_DEATHS} workers ended over it, the last while it was alone")
    ]
    assert 3 not in {each["set"] for each in happened if each["event"] == "set"}
    assert runner.is_over
    assert runner.ledger.sets == 6  # another was planned in its place
    assert any(line.startswith("set 3 of ") and "is set aside" in line for line in told)


async def test_sets_that_share_a_worker_with_a_deadly_one_are_played(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """Two slots: each set in play is under suspicion until it is played alone."""
    scheduler = workers_of()
    answer = deadly(2, scheduler=scheduler)
    worker = FakeWorker(SeenWorker("tls://east", "east", 2), answer)
    scheduler.fakes["tls://east"] = worker
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, scheduler)
        complete = {one.number for one in store.complete_sets()}
    assert complete >= {1, 3, 4, 5, 6}
    assert 2 not in complete


async def test_a_set_that_must_be_played_alone_does_not_wait_for_the_end_of_the_league(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """Three slots each: the other lanes would fill a worker again before it is empty."""
    scheduler = workers_of()
    answer = deadly(2, scheduler=scheduler)
    for name in ("east", "west"):
        seen = SeenWorker(f"tls://{name}", name, 3)
        scheduler.fakes[seen.address] = FakeWorker(seen, answer)
    simulated = Simulated(sets=60)
    with begun(tmp_path, simulated) as store:
        runner = await run_league(tmp_path, store, scheduler, simulated=simulated)
        happened = [event["event"] for event in kinds(store, "set", "set_aside")]
    assert runner.ledger.sets == 60
    assert happened.index("set_aside") < 40


async def test_a_league_in_which_every_set_kills_ends_in_words(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    scheduler = workers_of()
    worker = fake("east", deadly(*range(1, 1000), scheduler=scheduler))
    scheduler.fakes[worker.seen.address] = worker
    with begun(tmp_path, SIMULATED) as store, pytest.raises(ExceptionGroup) as raised:
        await run_league(tmp_path, store, scheduler)
    (error,) = leaves(raised.value)
    assert str(error).startswith(f"{MOST_SETS_ASIDE} sets were set aside in this run, the last of")


def prints(worker: FakeWorker, task: SetTask) -> Reply:
    reply = plays(worker, task)
    assert isinstance(reply, SetPlayed)
    name = f"{task.order.number:020}~{task.order.number}.1.0~{task.order.line_up[0]}.stderr"
    return msgspec.structs.replace(reply, pieces=(PrintedPiece(name, b"moo"),))


async def test_a_set_counts_though_what_its_bots_printed_cannot_be_written(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """A disk that is full, or here a folder that somebody has removed."""
    pieces = tmp_path / "pieces"

    def removes(worker: FakeWorker, task: SetTask) -> Reply:
        if task.order.number == 3:
            shutil.rmtree(pieces)
        return prints(worker, task)

    told: list[str] = []
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, workers_of(fake("east", removes)), told)
    assert runner.ledger.sets == 6
    assert f"{pieces}: No such file or directory; what bots print is not in logs/" in told


async def test_what_bots_printed_comes_back(tmp_path: Path, mock_clock: MockClock) -> None:
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, workers_of(fake("east", prints)))
    files = sorted((tmp_path / "pieces").iterdir())
    assert len(files) == 6
    assert {file.read_bytes() for file in files} == {b"moo"}
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


async def test_a_league_goes_on_when_the_scheduler_has_come_back(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    scheduler = workers_of()

    def is_the_last(worker: FakeWorker, task: SetTask) -> Reply:
        scheduler.is_gone |= (task.order.number, task.order.lease) == (3, 1)
        return plays(worker, task)

    scheduler.fakes["tls://east"] = fake("east", is_the_last)
    told: list[str] = []
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
    assert runner.ledger.sets == 6
    assert "the connection to the scheduler ended (as the test wants); it is waited for" in told
    assert not any("referee process" in line for line in told)


async def test_the_sets_that_are_lost_with_the_scheduler_are_told_and_played_again(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """Dask cancels all tasks first; that the scheduler is gone is seen at the next look."""
    scheduler = workers_of()
    asked: list[int] = []

    def loses_the_scheduler(worker: FakeWorker, task: SetTask) -> Awaitable[Reply]:
        async def late() -> Reply:
            asked.append(task.order.number)
            scheduler.is_gone |= (task.order.number, task.order.lease) == (3, 1)
            if scheduler.is_gone:
                raise TaskLost("cancelled")
            return plays(worker, task)

        return late()

    scheduler.fakes["tls://east"] = fake("east", loses_the_scheduler)
    told: list[str] = []
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
        left = kinds(store, "worker_left")
    assert runner.ledger.sets == 6
    assert [(each["reason"], each["sets"]) for each in left] == [("scheduler", [3, 4])]
    assert told.count("the scheduler is gone; played again: sets 3 and 4") == 1
    assert asked.count(3) == 2  # and not again and again until it is seen


# A worker that does not bring a set.


def after(seconds: float, *numbers: int) -> Callable[[FakeWorker, SetTask], Awaitable[Reply]]:
    """A worker that takes so long for these sets, and plays all others at once."""

    def answer(worker: FakeWorker, task: SetTask) -> Awaitable[Reply]:
        async def late() -> Reply:
            await trio.sleep(seconds if task.order.number in numbers else 0.0)
            return plays(worker, task)

        return late()

    return answer


async def test_a_set_that_never_comes_back_is_played_again_and_its_worker_named(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    told: list[str] = []
    scheduler = workers_of(
        fake("east", after(math.inf, *range(1, 7))), fake("west"), needs_all=True
    )
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
        assert {machine for machine, _ in store.played_on()} == {"west"}
        left = [each for each in of_workers(store) if each[0] == "worker_left"]
    assert runner.ledger.sets == 6
    (line,) = [line for line in told if "no set can take so long" in line]
    assert line.startswith("worker east has had set ")
    # By the clocks of the set, and not by a number that somebody chose.
    found = re.search(r" for ([0-9,]+) s, and", line)
    assert found is not None
    limit = 2 * most_seconds(ORDER, 1000)
    assert limit - 1 <= int(found[1].replace(",", "")) <= limit + 5
    assert [each[:3] for each in left] == [("worker_left", "east", "too-long")]


async def test_a_set_that_takes_as_long_as_it_may_is_never_given_up(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """Every set takes all the time that its bots can take, and each worker has two."""
    told: list[str] = []
    slow = fake("east", after(most_seconds(ORDER, 1000), *range(1, 7)))
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, workers_of(slow), told)
        assert {event[0] for event in of_workers(store)} == {"worker_joined"}
    assert sorted(slow.played) == [1, 2, 3, 4, 5, 6]
    assert runner.entered.dropped == 0
    assert not [line for line in told if "given up" in line or "played again" in line]


async def test_a_set_that_waits_for_sets_of_another_league_is_not_given_up(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """The slot is busy with another league for two hours; nothing tells when that began."""
    free_at = 7_200.0
    east = fake("east", after(0.0))
    scheduler = workers_of(east)
    scheduler.slot_free_at = free_at
    east.in_slot[99, 1] = 0.0
    told: list[str] = []
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, scheduler, told)
    assert trio.current_time() >= free_at
    assert len(east.played) == 6
    assert not [line for line in told if "played again" in line or "knows nothing" in line]


async def test_a_set_that_gets_lost_on_its_way_to_a_worker_is_placed_again(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """The worker has a free slot, and says that it has no such set."""
    told: list[str] = []
    scheduler = workers_of(fake("east"))
    scheduler.loses = {2}
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
    assert runner.ledger.sets == 6
    assert told.count("worker east knows nothing of set 2") == 1


async def test_what_comes_after_it_was_given_up_is_counted_and_left_out(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """The worker is stopped for ten minutes over its first set, and then brings it."""
    told: list[str] = []
    east = fake("east")

    def stops(worker: FakeWorker, task: SetTask) -> Awaitable[Reply]:
        async def late() -> Reply:
            if not worker.played:
                worker.is_stopped = True
                await trio.sleep(600)
                worker.is_stopped = False
            await trio.sleep(20)
            return plays(worker, task)

        return late()

    east.answer = stops
    west = fake("west", after(200, *range(1, 7)))
    scheduler = workers_of(east, west, needs_all=True)
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
        machines = [machine for machine, _ in store.played_on()]
        happened = [each[:3] for each in of_workers(store) if each[1] == "east"]
        counted = len(machines)
    first = east.played[0]
    assert first in west.played  # given up after a minute, and played again there
    assert counted == 6 * 4
    assert runner.entered.dropped == 4
    assert f"worker east has brought set {first} after it was given up; its matches are left" in (
        "\n".join(told)
    )
    assert happened == [
        ("worker_joined", "east", 1),
        ("worker_left", "east", "silent"),
        ("worker_joined", "east", 1),
    ]
    assert len(east.played) > 1  # it is back


async def test_silence_is_told_after_a_minute_and_not_before(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    times: list[float] = []

    def stops(worker: FakeWorker, task: SetTask) -> Awaitable[Reply]:
        worker.is_stopped = True
        times.append(worker.heard)
        return after(math.inf, task.order.number)(worker, task)

    class Noting(list[str]):
        def append(self, line: str) -> None:
            if "has given no sign of life for 60 s" in line:
                times.append(trio.current_time())
            super().append(line)

    scheduler = workers_of(fake("east", stops), fake("west"), needs_all=True)
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, scheduler, Noting())
    stopped, told = times
    assert SILENT_SECONDS <= told - stopped <= SILENT_SECONDS + 2 * LOOK_SECONDS


async def test_a_set_that_stops_each_worker_is_set_aside(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """A set that hangs what plays it must not take all workers with it, one after the other."""
    told: list[str] = []
    fakes = [fake(name, after(math.inf, 3)) for name in ("a", "b", "c", "d")]
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, workers_of(*fakes), told)
        aside = kinds(store, "set_aside")
    assert [each["sets"] for each in aside] == [[3]]
    assert runner.ledger.sets == 6
    assert sum("has had set 3 for" in line for line in told) == MOST_DEATHS


# Workers that cannot be reached, and those that bring what they were not asked for.


async def test_a_worker_that_nobody_can_dial_is_named_with_the_remedy_and_comes_back(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    told: list[str] = []
    scheduler = workers_of(fake("east"), fake("west", after(100, *range(1, 7))))
    scheduler.unreachable["tls://east"] = "Connection refused"

    class Mending(list[str]):
        def append(self, line: str) -> None:
            if "is left out" in line:
                scheduler.unreachable.clear()
            told.append(line)

    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, scheduler, Mending())
        happened = [event for event in of_workers(store) if event[1] in ("east", None)]
        (word,) = [event["worker"] for event in kinds(store, "worker_left_out")]
    (line,) = [line for line in told if "is left out" in line]
    assert line.startswith(f"worker east ({word} in events) is left out: it has registered")
    assert "the scheduler cannot connect to it at east (Connection refused)" in line
    assert "`arena worker ... -- --worker-port 9000`" in line
    assert told.index("worker east can be reached now") > told.index(line)
    assert happened == [
        ("worker_left_out", None, "unreachable"),
        ("worker_joined", "east", 1),
    ]


Altered = Callable[[SetPlayed], object]
"""What a worker brings in the place of an honest reply."""


def of_another_set(reply: SetPlayed) -> SetPlayed:
    return changed(reply, lambda played: msgspec.structs.replace(played, set=played.set + 1))


def of_another_order(reply: SetPlayed) -> SetPlayed:
    news = tuple(MatchOver(each.lease + 1, each.played) for each in matches_in(reply))
    return SetPlayed(news)


def doubled(reply: SetPlayed) -> SetPlayed:
    return SetPlayed((*reply.news, *reply.news))


def one_short(reply: SetPlayed) -> SetPlayed:
    return SetPlayed(reply.news[:-1])


def with_another_winner(reply: SetPlayed) -> SetPlayed:
    def turned(played: LeagueMatch) -> LeagueMatch:
        scores = tuple(score + 1 for score in played.record.scores)
        record = msgspec.structs.replace(played.record, scores=scores)
        return msgspec.structs.replace(played, record=record)

    return changed(reply, turned)


def with_another_move(reply: SetPlayed) -> SetPlayed:
    def moved(played: LeagueMatch) -> LeagueMatch:
        moves = (msgspec.structs.replace(played.record.moves[0], action="no-such"),)
        record = msgspec.structs.replace(played.record, moves=moves + played.record.moves[1:])
        return msgspec.structs.replace(played, record=record)

    return changed(reply, moved)


def with_other_seats(reply: SetPlayed) -> SetPlayed:
    def seated(played: LeagueMatch) -> LeagueMatch:
        record = msgspec.structs.replace(played.record, names=played.record.names[::-1])
        return msgspec.structs.replace(played, record=record)

    return changed(reply, seated)


def of_another_machine(reply: SetPlayed) -> SetPlayed:
    return changed(reply, lambda played: msgspec.structs.replace(played, machine="west"))


def with_a_file_elsewhere(reply: SetPlayed) -> SetPlayed:
    return SetPlayed(reply.news, (PrintedPiece("/../../1~1.1.0~fox.stderr", b"moo"),))


def record_with(**values: object) -> Altered:
    """Alter each record of a reply."""

    def alter(reply: SetPlayed) -> SetPlayed:
        return changed(
            reply,
            lambda played: msgspec.structs.replace(
                played, record=msgspec.structs.replace(played.record, **values)
            ),
        )

    return alter


def void_with(**values: object) -> Altered:
    """Make the first match of a reply void, and its record another; the others are left out."""

    def alter(reply: SetPlayed) -> SetPlayed:
        first = matches_in(reply)[0]
        values_of_void = {"ending": "void", "scores": (), "places": (), **values}
        record = msgspec.structs.replace(first.played.record, **values_of_void)
        played = msgspec.structs.replace(first.played, record=record)
        return SetPlayed((MatchOver(first.lease, played),))

    return alter


def match_with(**values: object) -> Altered:
    """Alter each match of a reply."""
    return lambda reply: changed(reply, lambda played: msgspec.structs.replace(played, **values))


def file_called(name: str) -> Altered:
    """Add a file with this name; the placeholders are its set and a bot of it."""

    def alter(reply: SetPlayed) -> SetPlayed:
        played = matches_in(reply)[0].played
        called = name.format(set=played.set, bot=played.record.names[0])
        return SetPlayed(reply.news, (PrintedPiece(called, b"moo"),))

    return alter


def with_words(reply: SetPlayed) -> SetPlayed:
    name = matches_in(reply)[0].played.record.names[0]
    return SetPlayed((*reply.news, Said(name, "1", "moo" * 100_000, "moo")))


def slower(time_us: int) -> Altered:
    """The first move of each match took so long."""

    def alter(reply: SetPlayed) -> SetPlayed:
        def slow(played: LeagueMatch) -> LeagueMatch:
            first, *others = played.record.moves
            moves = (msgspec.structs.replace(first, time_us=time_us), *others)
            record = msgspec.structs.replace(played.record, moves=moves)
            return msgspec.structs.replace(played, record=record)

        return changed(reply, slow)

    return alter


FAULT = FaultEntry(0, 0, "late", "out-of-time", "it was late")
EVIDENCE = Evidence(0, 0, "late", "", "", "", "", b"", b"moo" * 400_000, (), "", 0, 0)


def too_large(reply: SetPlayed) -> Sealed:
    return Sealed(bytes(MOST_REPLY_BYTES + 1))


def unreadable(reply: SetPlayed) -> Sealed:
    return Sealed(b"\xc1 moo")


def not_sealed(reply: SetPlayed) -> object:
    return {"moo": 1}


def matches_in(reply: SetPlayed) -> list[MatchOver]:
    return [each for each in reply.news if isinstance(each, MatchOver)]


def changed(reply: SetPlayed, change: Callable[[LeagueMatch], LeagueMatch]) -> SetPlayed:
    return SetPlayed(
        tuple(MatchOver(each.lease, change(each.played)) for each in matches_in(reply))
    )


@pytest.mark.parametrize(
    ("alter", "words"),
    [
        (of_another_set, "a match of set "),
        (of_another_order, "a match of order 2, and it was given order 1"),
        (doubled, "its matches are (0, 1, 2, 3, 0, 1, 2, 3), and (0, 1, 2, 3) were asked for"),
        (one_short, "its matches are (0, 1, 2), and (0, 1, 2, 3) were asked for"),
        (with_another_winner, "its moves lead to "),
        (with_another_move, "move 0 (seat "),
        (with_other_seats, "its seating: "),
        (of_another_machine, "a match of machine 'west', and it is 'east'"),
        (with_a_file_elsewhere, "which is no output of its bots"),
        (record_with(version=2), "this record is of version 2"),
        (record_with(format="moo"), "this is no record: it begins with 'moo'"),
        (record_with(nonce="x" * 2 * NONCE_BYTES), "seed or nonce is not hexadecimal"),
        (record_with(seed="a", nonce="a" * 63), "seed or nonce is not hexadecimal"),
        (void_with(version=2), "this record is of version 2"),
        (void_with(clocks=(None,)), "this record has 1 clocks for 4 seats"),
        (void_with(nonce="moo"), "seed or nonce is not hexadecimal"),
        (record_with(clocks=(None,)), "this record has 1 clocks for 4 seats"),
        (record_with(names=("moo",) * 100_000), "it has 100,000 names, and can have 4 at most"),
        (record_with(faults=(FAULT,) * 2_000), "it has 2,000 faults, and can have "),
        (
            record_with(faults=(msgspec.structs.replace(FAULT, text="moo" * 30_000),)),
            "the fault's text has more than 65,536 characters",
        ),
        (record_with(notes=(Note(0, "moo"),) * 2_000), "it has 2,000 notes, and can have "),
        (record_with(notes=(Note(0, "moo" * 100),)), "the note has more than 200 characters"),
        (record_with(moves=(Move(0, "R1"),) * 2_000), "it has 2,000 moves, and can have "),
        (record_with(confinement="by a moat"), "its bots were confined by 'by a moat'"),
        (record_with(confinement="dialled-in"), "its bots were confined by 'dialled-in'"),
        (match_with(evidence=(EVIDENCE,)), "it has 1 pieces of evidence, and can have 0"),
        (
            lambda reply: match_with(evidence=(EVIDENCE,))(record_with(faults=(FAULT,))(reply)),  # type: ignore[arg-type]
            "the evidence of a fault has more than 1,048,576 bytes",
        ),
        (match_with(processes=(2**63,) * 4), "the number of a process is out of bounds"),
        (match_with(stood=True), "a late ruling stood, and by its order the match had to be void"),
        (match_with(ended="2026-1-1T0:0:0Z"), "it ended at '2026-1-1T0:0:0Z', which is no time"),
        (slower(-1), "the time of a move is out of bounds"),
        (slower(2**63), "the time of a move is out of bounds"),
        (with_words, "words of a bot of more than 64 characters"),
        (file_called("9" * 5_000 + "~{set}.1.0~{bot}.stderr"), "which is no output of its bots"),
        (file_called("9" * 40 + "~{set}.1.0~{bot}.stderr"), "which is no output of its bots"),
        (file_called("0" * 20 + "~{set}.1.\0~{bot}.stderr"), "which is no output of its bots"),
        (file_called("0" * 20 + "~{set}.1.moo~{bot}.stderr"), "which is no output of its bots"),
        (file_called("0" * 20 + "~{set}.5.0~{bot}.stderr"), "which is no output of its bots"),
        (file_called("0" * 20 + "~{set}.1.0~moo.stderr"), "which is no output of its bots"),
        (too_large, "an answer of 67,108,865 bytes, where 67,108,864 are the most"),
        (unreadable, "an answer that cannot be read"),
        (not_sealed, "an answer of type dict"),
    ],
)
async def test_what_is_not_of_its_set_is_not_entered_and_its_worker_left_out(
    tmp_path: Path, mock_clock: MockClock, alter: Altered, words: str
) -> None:
    def lies(worker: FakeWorker, task: SetTask) -> Awaitable[object]:
        async def lie() -> object:
            reply = plays(worker, task)
            assert isinstance(reply, SetPlayed)
            return alter(reply)

        return lie()

    told: list[str] = []
    scheduler = workers_of(fake("east", lies), fake("west"), needs_all=True)
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
        assert {machine for machine, _ in store.played_on()} == {"west"}
        assert ("worker_left_out", "east", "bad-matches") in of_workers(store)
        assert len([*store.played_on()]) == 6 * 4
    assert runner.ledger.sets == 6
    (line,) = [line for line in told if "worker east is left out" in line]
    assert line.startswith("worker east is left out: it brought what is not of set ")
    assert words in line
    assert not [*tmp_path.parent.glob("*~*")]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (SetPlayed(()), "an answer SetPlayed to a part of a parcel"),
        (Lacks(("moo",)), "an answer Lacks to a part of a parcel"),
        (Sealed(b"\xc1 moo"), "an answer that cannot be read"),
        ({"moo": 1}, "an answer of type dict"),
    ],
)
async def test_an_answer_to_a_delivery_that_is_none_is_not_taken_for_the_set(
    tmp_path: Path, mock_clock: MockClock, answer: object, words: str
) -> None:
    """Matches in it would be entered without a check."""
    told: list[str] = []
    lacking = fake("east", lambda worker, task: Lacks(tuple(bot.parcel for bot in task.bots)))
    scheduler = workers_of(lacking, fake("west"), needs_all=True)
    told_so = sealed(answer) if isinstance(answer, SetPlayed | Lacks) else answer
    scheduler.receives["tls://east"] = told_so
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
        assert {machine for machine, _ in store.played_on()} == {"west"}
    assert runner.ledger.sets == 6
    (line,) = [line for line in told if "worker east is left out" in line]
    assert words in line


async def test_a_worker_that_refuses_a_bot_is_sent_no_other_of_the_set(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    told: list[str] = []
    asked: list[int] = []

    def lacks(worker: FakeWorker, task: SetTask) -> Reply:
        asked.append(task.order.number)
        return Lacks(tuple(bot.parcel for bot in task.bots))

    scheduler = workers_of(fake("east", lacks), fake("west"), needs_all=True)
    scheduler.receives["tls://east"] = sealed(Unfit("no bots are taken here"))
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
    assert runner.ledger.sets == 6
    assert len([key for key in scheduler.keys if "-parcel-" in key]) == len(asked)
    assert any("no bots are taken here" in line for line in told)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Received(), "an answer to a part of a parcel, and it was given a set"),
        (Lacks(()), "it lacks bots, and names none"),
    ],
)
async def test_an_answer_after_which_a_set_would_be_placed_again_at_once_leaves_the_worker_out(
    tmp_path: Path, mock_clock: MockClock, answer: Reply, words: str
) -> None:
    told: list[str] = []
    scheduler = workers_of(fake("east", lambda *_: answer), fake("west"), needs_all=True)
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
    assert runner.ledger.sets == 6
    (line,) = [line for line in told if "worker east is left out" in line]
    assert words in line


async def test_a_worker_is_left_out_when_what_it_does_cannot_be_read(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """It hangs over its first set, and is asked about it."""
    told: list[str] = []
    scheduler = workers_of(fake("east", after(math.inf, *range(1, 7))), fake("west"))
    scheduler.waits_for = frozenset(scheduler.fakes)
    scheduler.does["tls://east"] = Sealed(b"\xc1 moo")
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
    assert runner.ledger.sets == 6
    (line,) = [line for line in told if "worker east is left out" in line]
    assert "asked what it does it brought an answer that cannot be read" in line


async def test_a_worker_that_asks_for_bots_again_and_again_rests(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """Its folder loses what it gets."""
    told: list[str] = []
    lacking = fake("east", lambda worker, task: Lacks(tuple(bot.parcel for bot in task.bots)))
    scheduler = workers_of(lacking, fake("west", after(60, *range(1, 7))), needs_all=True)
    scheduler.parcels = None
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
    assert runner.ledger.sets == 6
    assert any("it had bots sent 3 times and lacks them; it rests for 5 s" in line for line in told)


@pytest.mark.parametrize("slots", [1, 2, 3, 8])
async def test_an_empty_worker_gets_all_bots_once_and_never_rests(
    tmp_path: Path, mock_clock: MockClock, slots: int
) -> None:
    """All its slots lack bots at once, and each set others: one delivery is made at a time."""
    told: list[str] = []
    empty = FakeWorker(SeenWorker("tls://east", "east", slots))
    scheduler = workers_of(empty)
    scheduler.parcels = {"east": Counter()}
    simulated = Simulated(sets=20)
    with begun(tmp_path, simulated) as store:
        runner = await run_league(tmp_path, store, scheduler, told, simulated)
        assert [event[0] for event in of_workers(store)] == ["worker_joined"]
    assert runner.ledger.sets == 20
    assert {*scheduler.parcels["east"].values()} == {1}
    assert not [line for line in told if "rests" in line]


async def test_workers_of_one_machine_with_folders_of_their_own_get_all_bots_each(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    told: list[str] = []
    fakes = [
        FakeWorker(SeenWorker(f"tls://{name}", name, 3), machine="east", folder=name)
        for name in ("one", "two", "three")
    ]
    scheduler = workers_of(*fakes, needs_all=True)
    scheduler.parcels = {each.folder: Counter() for each in fakes}
    simulated = Simulated(sets=20)
    with begun(tmp_path, simulated) as store:
        await run_league(tmp_path, store, scheduler, told, simulated)
        assert {event[0] for event in of_workers(store)} == {"worker_joined"}
    for each in fakes:
        assert {*scheduler.parcels[each.folder].values()} == {1}, each.folder
        assert each.played


async def test_long_words_of_a_worker_are_cut_before_they_are_told(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    long = "moo" * 1_000_000
    failures: Iterator[Reply] = iter((Broke(long, began=False), Unfit(long)))

    def fails(worker: FakeWorker, task: SetTask) -> Reply:
        return next(failures)

    told: list[str] = []
    scheduler = workers_of(fake("east", fails), fake("west"), needs_all=True)
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, scheduler, told)
        assert [each[0] for each in of_workers(store) if "east" in each] == [
            "worker_joined",
            "worker_rests",
            "worker_left_out",
        ]
    assert sum("characters are left out here] " in line for line in told) == 2
    assert max(map(len, told)) < sum(WORDS_CHARS) + 1_000


@pytest.mark.parametrize(("machine", "reason"), [("m" * 65, "version"), ("east", "bad-matches")])
async def test_no_word_of_a_worker_that_is_not_ours_is_kept_in_events(
    tmp_path: Path, mock_clock: MockClock, machine: str, reason: str
) -> None:
    def lies(worker: FakeWorker, task: SetTask) -> Reply:
        return Unfit("", "moo" * 1_000)  # type: ignore[arg-type]  # a liar's

    scheduler = workers_of(fake("east", lies, machine), fake("west"))
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, scheduler)
        events = kinds(store, *WORKERS)
        assert {machine for machine, _ in store.played_on()} == {"west"}
    assert [each["reason"] for each in events if each["event"] == "worker_left_out"] == [reason]
    assert max(len(str(word)) for each in events for word in each.values()) <= 64


async def test_events_tell_of_workers_with_nothing_that_is_the_operators(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    def fails(worker: FakeWorker, task: SetTask) -> Reply:
        if worker.played:
            return Unfit("the build of 'fox' failed: /home/op/secret")
        worker.played.append(0)
        return Broke("/home/op/secret: No space left on device", began=False)

    scheduler = workers_of(fake("east", fails), fake("west"), old("north"), needs_all=False)
    for each in scheduler.fakes.values():
        each.machine = f"machine-of-{each.seen.name}"
    scheduler.waits_for = frozenset({"tls://east", "tls://west"})
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, scheduler)
        happened = of_workers(store)
        whole = json.dumps(kinds(store, *WORKERS))
        names = [event["worker"] for event in kinds(store, "worker_joined")]
    assert ("worker_joined", "machine-of-west", 1) in happened
    assert ("worker_left_out", "machine-of-north", "version") in happened
    assert [each[0] for each in happened if each[1] == "machine-of-east"] == [
        "worker_joined",
        "worker_rests",
        "worker_left_out",
    ]
    assert ("worker_left_out", "machine-of-east", "bots") in happened
    assert "secret" not in whole
    assert "tls:" not in whole
    assert len({*names}) == len(names) == 2
