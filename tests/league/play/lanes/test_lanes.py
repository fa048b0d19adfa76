"""Lanes that are opened and closed while they play, with sets that end when a test wants."""

from __future__ import annotations

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from arena.groups import leaves
from arena.league.model.played import LeagueMatch
from arena.league.play.lanes.lanes import Lanes
from arena.league.play.lanes.looks import Charged, JobTally
from tests.league.leagues import Simulated, played_match, schedule


class Sets:
    """Sets to play, each until the test says that it is over."""

    def __init__(self) -> None:
        self.playing: list[trio.Event] = []
        self.most = 0
        self.is_over = False

    async def play_next(self, lanes: Lanes) -> bool:
        if self.is_over:
            return False
        end = trio.Event()
        self.playing.append(end)
        self.most = max(self.most, len(self.playing))
        await end.wait()
        self.playing.remove(end)
        return True


async def test_as_many_sets_are_played_at_once_as_are_wanted() -> None:
    sets = Sets()
    lanes = Lanes(sets.play_next, 1, 100)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lanes.run)
        await wait_all_tasks_blocked()
        assert len(sets.playing) == 1
        lanes.want(3)
        await wait_all_tasks_blocked()
        assert len(sets.playing) == 3
        lanes.want(1)
        await wait_all_tasks_blocked()
        assert len(sets.playing) == 3  # a set is played to its end
        for left in (2, 1, 1):
            sets.playing[0].set()
            await wait_all_tasks_blocked()
            assert len(sets.playing) == left
        lanes.want(2)
        await wait_all_tasks_blocked()
        assert len(sets.playing) == 2
        sets.is_over = True
        for end in [*sets.playing]:
            end.set()


async def test_closed_lanes_finish_their_sets_and_take_no_more() -> None:
    sets = Sets()
    lanes = Lanes(sets.play_next, 2, 100)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lanes.run)
        await wait_all_tasks_blocked()
        lanes.close()
        lanes.want(3)
        await wait_all_tasks_blocked()
        assert len(sets.playing) == 2
        for end in [*sets.playing]:
            end.set()
    assert (sets.playing, sets.most) == ([], 2)


async def test_no_lane_is_opened_when_nothing_is_left_to_play() -> None:
    sets = Sets()
    sets.is_over = True
    lanes = Lanes(sets.play_next, 2, 100)
    await lanes.run()
    lanes.want(4)
    await wait_all_tasks_blocked()
    assert sets.most == 0


async def test_a_lane_that_fails_ends_them_all() -> None:
    async def fails(lanes: Lanes) -> bool:
        raise ValueError("a job ended")

    with pytest.raises(ExceptionGroup) as raised:
        await Lanes(fails, 2, 100).run()
    assert {str(each) for each in leaves(raised.value)} == {"a job ended"}


def some_match() -> LeagueMatch:
    simulated = Simulated(sets=1)
    return played_match(simulated, schedule(simulated)[0], 0, bytes(32))


def test_decisions_and_their_times_are_counted_once() -> None:
    played = some_match()
    times = [move.time_us for move in played.record.moves]
    bound = sorted(times)[len(times) // 2]
    tally = JobTally(bound)
    tally.enter(played)
    slow = [each for each in times if each > bound]
    assert tally.taken() == Charged(len(times), sum(times), len(slow), sum(slow), 0)
    assert tally.taken() == Charged()


def test_sets_in_play_are_counted_while_they_are_played() -> None:
    tally = JobTally(0)
    with tally.plays(), tally.plays():
        assert tally.playing == 2
    assert tally.playing == 0
