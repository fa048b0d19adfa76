"""How the warden keeps a bot together that wants more than its cores: with the kernel's two files.

The files are ordinary ones here; tests/bots/confine/test_rungs.py shows that a kernel acts on them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.bots.warden.cgroups.spread import (
    FIRST_SECONDS,
    HELD_UP_SHARE,
    MOST_IN_A_TURN,
    MOST_SECONDS,
    Processors,
)

BEGAN = 10.0  # all bots are watched from then on


class Bot:
    """The files of one bot's control groups."""

    def __init__(self, folder: Path, number: int = 1, cores: int = 1) -> None:
        self.number = number
        self.counter = folder / f"{number}.stat"
        self.file = folder / f"{number}.cpus"
        self.rule = (str(self.counter), str(self.file), cores)
        self.seconds = 0.0
        self.is_held_up(0.0)
        self.file.write_text("as it was")

    def is_held_up(self, seconds: float) -> None:
        """Write the file of version 1 as the kernel does after so many seconds more."""
        self.seconds += seconds
        count = round(self.seconds * 1e9)
        self.counter.write_text(f"nr_periods 900\nnr_throttled 7\nthrottled_time {count}\n")

    @property
    def processors(self) -> str:
        return self.file.read_text()


def watched(
    folder: Path, processors: Sequence[int] = (0, 1, 2, 3), cores: int = 1
) -> tuple[Bot, Processors]:
    bot, watcher = Bot(folder, cores=cores), Processors(processors)
    watcher.watch(bot.number, bot.rule, BEGAN)
    return bot, watcher


def test_a_bot_within_its_cores_is_left_alone(tmp_path: Path) -> None:
    bot, watcher = watched(tmp_path)
    watcher.look(BEGAN + 1)
    assert bot.processors == "as it was"
    assert watcher.kept(bot.number) == ()


@pytest.mark.parametrize(("more", "is_kept"), [(-0.001, False), (0.001, True)])
def test_a_bot_is_judged_by_the_share_of_the_time_since_the_last_look(
    tmp_path: Path, more: float, is_kept: bool
) -> None:
    bot, watcher = watched(tmp_path)
    bot.is_held_up(2 * HELD_UP_SHARE - 0.001)
    watcher.look(BEGAN + 2)
    assert not watcher.kept(bot.number)
    bot.is_held_up(0.5 * HELD_UP_SHARE + more)
    watcher.look(BEGAN + 2.5)
    assert bool(watcher.kept(bot.number)) is is_kept


def test_a_bot_that_was_held_up_before_it_was_watched_is_left_alone(tmp_path: Path) -> None:
    bot, watcher = Bot(tmp_path), Processors((0, 1))
    bot.is_held_up(5.0)
    watcher.watch(bot.number, bot.rule, BEGAN)
    watcher.look(BEGAN + 1)
    assert bot.processors == "as it was"


@pytest.mark.parametrize(("cores", "processors"), [(1, "3"), (2, "3,2"), (3, "3,2,1")])
def test_a_bot_that_wants_more_than_its_cores_is_kept_on_as_many(
    tmp_path: Path, cores: int, processors: str
) -> None:
    bot, watcher = watched(tmp_path, cores=cores)
    bot.is_held_up(1.0)
    watcher.look(BEGAN + 1)
    assert bot.processors == processors
    assert watcher.kept(bot.number) == tuple(map(int, processors.split(",")))


@pytest.mark.parametrize(("count", "processors"), [(900_000, "1"), (100_000, "as it was")])
def test_version_2_counts_in_microseconds(tmp_path: Path, count: int, processors: str) -> None:
    bot, watcher = watched(tmp_path, (0, 1))
    bot.counter.write_text(f"usage_usec 77000000\nnr_throttled 4\nthrottled_usec {count}\n")
    watcher.look(BEGAN + 1)
    assert bot.processors == processors


def test_it_is_free_again_after_a_while_and_then_judged_anew(tmp_path: Path) -> None:
    bot, watcher = watched(tmp_path)
    bot.is_held_up(1.0)
    watcher.look(BEGAN)
    bot.is_held_up(1.0)  # while it is kept together
    watcher.look(BEGAN + FIRST_SECONDS - 0.01)
    assert bot.processors == "3"
    watcher.look(BEGAN + FIRST_SECONDS)
    assert bot.processors == "0,1,2,3"
    bot.is_held_up(0.9 * 0.1 * HELD_UP_SHARE)
    watcher.look(BEGAN + FIRST_SECONDS + 0.1)
    assert bot.processors == "0,1,2,3"


def kept_for(bot: Bot, watcher: Processors, now: float) -> float:
    """Hold the bot up at this time, and return how long it is kept together then."""
    bot.is_held_up(100.0)
    watcher.look(now)
    assert watcher.kept(bot.number)
    seconds = FIRST_SECONDS
    while True:
        watcher.look(now + seconds - 0.01)
        assert watcher.kept(bot.number)
        watcher.look(now + seconds)
        if not watcher.kept(bot.number):
            return seconds
        seconds *= 2


def test_soon_wanting_more_again_doubles_the_time_up_to_a_bound(tmp_path: Path) -> None:
    bot, watcher = watched(tmp_path)
    now, times = BEGAN, []
    for _ in range(9):
        times.append(kept_for(bot, watcher, now))
        now += times[-1] + 0.01
    assert times == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, MOST_SECONDS, MOST_SECONDS, MOST_SECONDS]


def test_wanting_more_much_later_begins_with_the_short_time(tmp_path: Path) -> None:
    bot, watcher = watched(tmp_path)
    assert kept_for(bot, watcher, BEGAN) == FIRST_SECONDS
    assert kept_for(bot, watcher, BEGAN + 1.5) == 2 * FIRST_SECONDS
    # Free at 3.5; for two seconds from then on it would be soon.
    assert kept_for(bot, watcher, BEGAN + 5.5) == FIRST_SECONDS


def test_several_bots_are_kept_where_the_fewest_are(tmp_path: Path) -> None:
    watcher = Processors((4, 5, 6))
    bots = [Bot(tmp_path, number) for number in range(4)]
    for bot in bots:
        watcher.watch(bot.number, bot.rule, BEGAN)
        bot.is_held_up(1.0)
    watcher.look(BEGAN)
    assert [bot.processors for bot in bots] == ["6", "5", "4", "6"]
    watcher.forget(0)
    late = Bot(tmp_path, 9)
    watcher.watch(9, late.rule, BEGAN)
    late.is_held_up(1.0)
    watcher.look(BEGAN + 0.1)
    assert late.processors == "6"  # of 4, 5 and 6 with one bot each, the last


def test_where_there_is_no_processor_more_than_its_cores_a_bot_is_not_watched(
    tmp_path: Path,
) -> None:
    _, watcher = watched(tmp_path, (0, 1), cores=2)
    assert len(watcher) == 0
    assert watcher.kept(1) == ()


def test_a_look_is_bounded_and_the_next_goes_on_where_it_ended(tmp_path: Path) -> None:
    watcher = Processors((0, 1))
    bots = [Bot(tmp_path, number) for number in range(MOST_IN_A_TURN + 3)]
    for bot in bots:
        watcher.watch(bot.number, bot.rule, BEGAN)
        bot.is_held_up(1.0)
    watcher.look(BEGAN)
    assert [bool(watcher.kept(bot.number)) for bot in bots] == [True] * MOST_IN_A_TURN + [False] * 3
    watcher.look(BEGAN + 0.05)
    assert all(watcher.kept(bot.number) for bot in bots)


def test_a_forgotten_bot_is_not_looked_at_and_its_counter_is_closed(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    bot, watcher = watched(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before + 1
    watcher.forget(bot.number)
    watcher.forget(bot.number)
    assert len(os.listdir("/proc/self/fd")) == before
    bot.is_held_up(1.0)
    watcher.look(BEGAN)
    assert bot.processors == "as it was"


def test_processors_that_cannot_be_written_leave_it_to_the_quota_to_bound_a_bot(
    tmp_path: Path,
) -> None:
    bot, watcher = watched(tmp_path)
    bot.file.unlink()
    bot.file.mkdir()
    bot.is_held_up(1.0)
    watcher.look(BEGAN)
    assert watcher.kept(bot.number) == (3,)


def test_a_file_without_the_count_counts_nothing(tmp_path: Path) -> None:
    bot, watcher = Bot(tmp_path), Processors((0, 1))
    bot.counter.write_text("nr_periods 3\n")
    watcher.watch(bot.number, bot.rule, BEGAN)
    watcher.look(BEGAN + 1)
    assert bot.processors == "as it was"


def test_a_bot_whose_counter_cannot_be_read_is_left_to_the_quota(tmp_path: Path) -> None:
    bot, watcher = Bot(tmp_path), Processors((0, 1))
    bot.counter.unlink()
    watcher.watch(bot.number, bot.rule, BEGAN)
    assert len(watcher) == 0
    bot.counter.mkdir()  # it opens, but cannot be read
    watcher.watch(bot.number, bot.rule, BEGAN)
    watcher.look(BEGAN + 1)
    assert bot.processors == "as it was"
