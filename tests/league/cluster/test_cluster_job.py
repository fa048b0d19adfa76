"""What becomes of sets at workers that die, fail, differ or lack bots: no Dask, no process.

The scheduler is a script that calls no function of a worker: it answers as a worker would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import MockClock

from arena.bots.botfile import Bot
from arena.bots.confine.confinement import Wish
from arena.bots.confine.limits import Limits
from arena.groups import leaves
from arena.league.cluster.cluster_job import ClusterJob
from arena.league.cluster.lost import SchedulerGone, TaskLost
from arena.league.cluster.placing import SeenWorker
from arena.league.cluster.shop import Shop
from arena.league.cluster.workers import FIRST_SLOT_SECONDS, MOST_DEATHS, Workers
from arena.league.play.entering import MOST_SETS_ASIDE, LeagueStopped
from arena.league.play.orders import MatchOver, Setup
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
    SetPlayed,
    SetTask,
    SiteTerms,
    Unfit,
    opened,
    sealed,
)
from arena.league.worker.sealed import Sealed
from tests.league.leagues import Simulated, played_match
from tests.league.play.test_runner import InMemory, Seen, begun, runner_of

SIMULATED = Simulated(sets=6)

Answer = Callable[["FakeWorker", SetTask], Reply | None]
"""What a worker makes of a set; None: it dies of it."""


def plays(worker: FakeWorker, task: SetTask) -> Reply:
    """Play a set as it should be."""
    order = task.order
    matches = []
    for turn in order.turns:
        played = played_match(SIMULATED, order.planned, turn, order.seed)
        machine = worker.seen.name
        played = msgspec.structs.replace(played, attempt=order.attempt, machine=machine)
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
    played: list[int] = field(default_factory=list)


@dataclass
class Scheduler:
    """Answers for all workers. `parcels`: by machine, what it has; None: everything."""

    fakes: dict[str, FakeWorker]
    parcels: dict[str, Counter[str]] | None = None
    is_gone: bool = False
    # Workers that must all have been given a set before any of them plays.
    waits_for: frozenset[str] = frozenset()
    asked: set[str] = field(default_factory=set)
    described: set[str] = field(default_factory=set)
    keys: list[str] = field(default_factory=list)

    async def workers(self) -> Mapping[str, SeenWorker]:
        await trio.lowlevel.checkpoint()
        if self.is_gone:
            raise SchedulerGone("as the test wants")
        return {address: fake.seen for address, fake in self.fakes.items()}

    async def run(
        self,
        function: Callable[..., Sealed],
        *args: Sealed,
        key: str,
        address: str,
        takes_slot: bool = False,
    ) -> Sealed:
        self.keys.append(key)
        await trio.sleep(0.1)
        worker = self.fakes.get(address)
        if worker is None:
            await trio.sleep_forever()
            raise TaskLost("not reached")
        if function is tasks.describe:
            self.described.add(address)
            facts = msgspec.structs.replace(
                own_facts(), machine=worker.machine or worker.seen.name, version=worker.version
            )
            return sealed(facts)
        if function is tasks.receive:
            assert self.parcels is not None
            delivery: Delivery = opened(args[0], Delivery)
            self.parcels[worker.machine][delivery.parcel] += 1
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
            here = self.parcels[worker.machine]
            if lacking := {bot.parcel for bot in task.bots} - here.keys():
                return sealed(Lacks(tuple(sorted(lacking))))
        reply = worker.answer(worker, task)
        if reply is None:
            self.fakes.pop(address, None)
            await trio.sleep_forever()
        assert reply is not None
        return sealed(reply)


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


async def run_league(
    folder: Path, store: Store, scheduler: Scheduler, told: list[str] | None = None
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
        yield ClusterJob(Workers(scheduler, "cup", said.append), terms, shop, pieces)

    runner = runner_of(store, InMemory(SIMULATED))
    runner.play_by(open_job)
    view = Seen()
    try:
        await runner.run((), view)
    finally:
        said += view.said
    return runner


async def test_sets_are_played_by_all_workers_and_kept_with_their_machine(
    tmp_path: Path, autojump_clock: MockClock
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
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    scheduler = workers_of(fake("east"))
    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, scheduler)
    assert len({*scheduler.keys}) == len(scheduler.keys)
    assert scheduler.keys[1].startswith("arena-cup-set-1-0-1-")


async def test_the_sets_of_a_worker_that_dies_are_played_by_others(
    tmp_path: Path, autojump_clock: MockClock
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
    tmp_path: Path, autojump_clock: MockClock
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
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    began = trio.current_time()
    with begun(tmp_path, SIMULATED) as store, pytest.raises(ExceptionGroup) as raised:
        await run_league(tmp_path, store, workers_of(old("east")))
    (error,) = leaves(raised.value)
    assert isinstance(error, LeagueStopped)
    assert str(error).startswith("no worker had a slot for this league in 60 s; a worker was left")
    assert "it has arena 0.0.1 (0123456789), and the runner" in str(error)
    assert trio.current_time() - began < FIRST_SLOT_SECONDS + 5


async def test_each_machine_gets_each_bot_once(tmp_path: Path, autojump_clock: MockClock) -> None:
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
    tmp_path: Path, autojump_clock: MockClock
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
    tmp_path: Path, autojump_clock: MockClock
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
            fresh = fake(next(names), answer)
            scheduler.fakes[fresh.seen.address] = fresh
            return None
        return plays(worker, task)

    return answer


async def test_a_set_that_kills_its_workers_is_set_aside_and_the_league_goes_on(
    tmp_path: Path, autojump_clock: MockClock
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
    tmp_path: Path, autojump_clock: MockClock
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


async def test_a_league_in_which_every_set_kills_ends_in_words(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    scheduler = workers_of()
    worker = fake("east", deadly(*range(1, 1000), scheduler=scheduler))
    scheduler.fakes[worker.seen.address] = worker
    with begun(tmp_path, SIMULATED) as store, pytest.raises(ExceptionGroup) as raised:
        await run_league(tmp_path, store, scheduler)
    (error,) = leaves(raised.value)
    assert str(error).startswith(f"{MOST_SETS_ASIDE} sets were set aside in this run, the last of")


async def test_what_bots_printed_comes_back(tmp_path: Path, autojump_clock: MockClock) -> None:
    def prints(worker: FakeWorker, task: SetTask) -> Reply:
        reply = plays(worker, task)
        assert isinstance(reply, SetPlayed)
        name = f"{task.order.number:020}~{task.order.number}.1.0~fox.stderr"
        return msgspec.structs.replace(reply, pieces=(PrintedPiece(name, b"moo"),))

    with begun(tmp_path, SIMULATED) as store:
        await run_league(tmp_path, store, workers_of(fake("east", prints)))
    files = sorted((tmp_path / "pieces").iterdir())
    assert len(files) == 6
    assert {file.read_bytes() for file in files} == {b"moo"}
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


async def test_a_league_goes_on_when_the_scheduler_has_come_back(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    scheduler = workers_of()

    def is_the_last(worker: FakeWorker, task: SetTask) -> Reply:
        scheduler.is_gone = (task.order.number, task.order.lease) == (3, 1)
        return plays(worker, task)

    scheduler.fakes["tls://east"] = fake("east", is_the_last)
    told: list[str] = []
    with begun(tmp_path, SIMULATED) as store:
        runner = await run_league(tmp_path, store, scheduler, told)
    assert runner.ledger.sets == 6
    assert any("the scheduler is gone: as the test wants" in line for line in told)
