"""The publisher's side of the runner, with small programs in its place."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import trio
import trio.testing

from arena.league.model.publisher_pipe import RUNNING
from arena.league.play.publishing import (
    AGAIN_SECONDS,
    EVERY_SECONDS,
    SLOW_SECONDS,
    Publishing,
)
from tests.bots.programs import SAFETY_SECONDS, until

# Each answers with how many it was asked for before.
ANSWERS = "import sys\nfor n, _ in enumerate(sys.stdin): print('done', n, flush=True)"
FAILS = "import sys\nfor n, _ in enumerate(sys.stdin): print('failed: no room', flush=True)"
ENDS = "import sys; sys.stdin.readline()"


def publishing(program: str, told: list[str]) -> Publishing:
    return Publishing([sys.executable, "-c", program], told.append)


async def test_it_publishes_as_often_as_it_is_asked() -> None:
    told: list[str] = []
    one = publishing(ANSWERS, told)
    assert await one.publish()
    assert await one.publish_last()
    await one.end()
    assert told == []


async def test_the_answer_to_what_was_given_up_is_not_taken_for_that_to_the_next(
    tmp_path: Path,
) -> None:
    """Else the last publishing would be thought done when the one before is."""
    asked = tmp_path / "asked"
    told: list[str] = []
    one = publishing(
        f"input(); open({str(asked)!r}, 'w'); input()\n"
        "print('done 1'); print('failed: 2', flush=True); input()",
        told,
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.publish)
        await until(asked.exists)
        nursery.cancel_scope.cancel()
    assert not await one.publish()
    await one.end()
    assert told == ["the pages were not made: 2"]


async def test_it_may_be_given_up_at_any_moment() -> None:
    for steps in range(8):
        one = publishing(ANSWERS, [])
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.publish)
            for _ in range(steps):
                await trio.lowlevel.checkpoint()
            nursery.cancel_scope.cancel()
        with trio.fail_after(SAFETY_SECONDS):
            assert await one.publish()
        await one.end()


async def test_how_far_it_is_is_not_taken_for_an_answer() -> None:
    told: list[str] = []
    one = publishing(
        "input(); print('at sets read: 1 of 2'); print('failed: no room', flush=True); input()",
        told,
    )
    assert not await one.publish()
    await one.end()
    assert told == ["the pages were not made: no room"]


async def test_one_that_ends_is_started_anew(tmp_path: Path) -> None:
    told: list[str] = []
    started = tmp_path / "started"
    program = (
        f"import os\nprint(os.getpid(), file=open({str(started)!r}, 'w'), flush=True)\n{ANSWERS}"
    )
    one = publishing(program, told)
    assert await one.publish()
    os.kill(int(started.read_text()), signal.SIGKILL)
    assert not await one.publish()
    assert await one.publish()
    await one.end()
    assert told == ["the pages were not made: the publisher has ended"]


async def test_what_always_fails_is_told_once() -> None:
    for program, why in ((FAILS, "no room"), (ENDS, "the publisher has ended")):
        told: list[str] = []
        one = publishing(program, told)
        for _ in range(3):
            assert not await one.publish()
        await one.end()
        assert told == [f"the pages were not made: {why}"]


async def test_one_that_cannot_be_started_is_told_once_and_started_when_it_can_be(
    tmp_path: Path,
) -> None:
    told: list[str] = []
    program = tmp_path / "publisher"
    one = Publishing([str(program)], told.append)
    for _ in range(2):
        assert not await one.publish()
    assert told == [
        "the pages were not made: the publisher cannot be started: No such file or directory"
    ]
    program.write_text(f"#!{sys.executable}\n{ANSWERS}")
    program.chmod(0o700)
    assert await one.publish()
    await one.end()
    assert len(told) == 1


async def test_somebody_who_waits_long_for_the_last_publishing_is_told(
    autojump_clock: trio.testing.MockClock,
) -> None:
    told: list[str] = []
    one = publishing("input(); input()", told)
    with trio.move_on_after(2 * SLOW_SECONDS):
        await one.publish_last()
    await one.end()
    assert told == ["writing the pages; Ctrl-C leaves them as they are"]


async def test_somebody_who_waits_still_longer_is_told_how_far_it_is(
    autojump_clock: trio.testing.MockClock,
) -> None:
    told: list[str] = []
    done = trio.Event()

    def tell(line: str) -> None:
        told.append(line)
        if len(told) == 2:
            done.set()

    program = "input(); print('at pages of matches: 1 of 4', flush=True); input()"
    one = Publishing([sys.executable, "-c", program], tell)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.publish_last)
        # The clock jumps for as long as the program takes to begin.
        with trio.fail_after(1e6 * AGAIN_SECONDS):
            await done.wait()
        nursery.cancel_scope.cancel()
    await one.end()
    assert told == [
        "writing the pages; Ctrl-C leaves them as they are",
        "pages of matches: 1 of 4",
    ]


class Timed(Publishing):
    """Notes when it is to publish, and starts nothing."""

    def __init__(self) -> None:
        super().__init__([], print)
        self.times: list[float] = []

    async def publish(self, state: str = RUNNING) -> bool:
        await trio.lowlevel.checkpoint()
        self.times.append(trio.current_time())
        return state == RUNNING


async def test_it_publishes_when_something_is_new_and_not_too_often(
    autojump_clock: trio.testing.MockClock,
) -> None:
    one = Timed()
    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run)
        await trio.sleep(60)
        assert one.times == []  # nothing is new
        one.wanted()
        one.wanted()
        await trio.sleep(1)
        one.wanted()
        await trio.sleep(60)
        nursery.cancel_scope.cancel()
    assert [each - begun for each in one.times] == [60, 60 + EVERY_SECONDS]
