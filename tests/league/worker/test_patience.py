"""The time that a set can take: by the clocks of its bots, and while the process runs."""

from __future__ import annotations

import msgspec
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.games import GAMES
from arena.league.play.orders import PlaySet
from arena.league.worker.patience import (
    LOOK_SECONDS,
    MOST_COUNTED_SECONDS,
    OVERHEAD_MS,
    SLACK_SECONDS,
    count_down,
    most_seconds,
)
from arena.record.timing import BotClock, Timing

ORDER = PlaySet(
    number=1,
    lease=1,
    attempt=0,
    line_up=("fox", "owl"),
    turns=(0, 1),
    seed=bytes(32),
    game="nyet",
    options={"rounds": 1},
    timing=Timing(decision_ms=100, bank_ms=2_000, hang_ms=500),
    show_names=False,
    may_void=True,
)


def test_a_set_takes_at_most_all_decisions_of_its_game_with_all_time_that_they_have() -> None:
    decisions = GAMES["nyet"].bound(2, {"rounds": 1})
    match_ms = 1_000 + decisions * (100 + OVERHEAD_MS) + 2 * (2_000 + 500)
    assert most_seconds(ORDER, start_ms=1_000) == SLACK_SECONDS + 2 * match_ms / 1000


def test_fewer_matches_and_rounds_take_less() -> None:
    part = msgspec.structs.replace(ORDER, turns=(1,))
    long = msgspec.structs.replace(ORDER, options={"rounds": 10})
    assert most_seconds(part, 1_000) < most_seconds(ORDER, 1_000) < most_seconds(long, 1_000)


def test_a_bot_with_a_clock_of_its_own_has_its_time() -> None:
    slow = BotClock(decision_ms=10_000, bank_ms=0, hang_ms=500)
    patience = most_seconds(msgspec.structs.replace(ORDER, clocks={"owl": slow}), 1_000)
    assert patience > 2 * 10 * GAMES["nyet"].bound(2, {"rounds": 1})


async def test_so_many_seconds_are_waited(autojump_clock: MockClock) -> None:
    before = trio.current_time()
    await count_down(100.0)
    assert 100.0 <= trio.current_time() - before < 100.0 + LOOK_SECONDS


async def test_time_in_which_the_process_was_stopped_is_not_counted(mock_clock: MockClock) -> None:
    """A clock that jumps is what a process sees that was stopped and goes on."""
    over = trio.Event()

    async def wait() -> None:
        await count_down(100.0)
        over.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await wait_all_tasks_blocked()
        mock_clock.jump(600.0)
        await wait_all_tasks_blocked()
        assert not over.is_set()
        steps = 0
        while not over.is_set():
            mock_clock.jump(LOOK_SECONDS)
            await wait_all_tasks_blocked()
            steps += 1
    assert steps == (100.0 - MOST_COUNTED_SECONDS) / LOOK_SECONDS
