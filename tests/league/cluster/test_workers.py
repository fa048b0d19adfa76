"""Workers that come and go, as the scheduler tells of them look by look."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
import trio
from trio.testing import MockClock

from arena.league.cluster.placing import SeenWorker
from arena.league.cluster.waiting import SlotWait
from arena.league.cluster.workers import LOOK_SECONDS, Workers
from arena.league.store.events import Event
from arena.league.worker.facts import own_facts
from arena.league.worker.messages import sealed
from arena.league.worker.sealed import Sealed

EAST = SeenWorker("tls://east", "east", 1)


class LeavesAsItAnswers:
    """A scheduler whose worker answers in the moment of the look that no longer has it."""

    def __init__(self) -> None:
        self.looks = 0
        self.answers = trio.Event()

    async def workers(self) -> Mapping[str, SeenWorker]:
        self.looks += 1
        if self.looks == 1:
            return {EAST.address: EAST}
        self.answers.set()
        return {}

    async def why_unreachable(self, address: str) -> str | None:
        return None

    async def run(
        self,
        function: Callable[..., Sealed],
        *args: Sealed,
        key: str,
        address: str,
        takes_slot: bool = False,
    ) -> Sealed:
        await self.answers.wait()
        return sealed(msgspec.structs.replace(own_facts(), machine="east"))


async def test_a_worker_that_is_gone_when_its_answer_comes_is_not_used(
    autojump_clock: MockClock,
) -> None:
    told: list[str] = []

    async def enter(event: Event) -> None:
        raise AssertionError("no worker has joined")

    scheduler = LeavesAsItAnswers()
    wait = SlotWait("start one", told.append)
    workers = Workers(scheduler, "cup", told.append, enter, wait)
    with trio.move_on_after(5 * LOOK_SECONDS):
        await workers.keep_looking()
    assert scheduler.looks > 2
    assert EAST.address not in workers.placing
    assert not [line for line in told if "east" in line]
