"""Which process of a bot plays which match, and who waits for whom. Nothing is started here."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from arena.bots.program import Program
from arena.referee.house import House, open_house
from arena.referee.players.dialled import DialledPlayer
from arena.referee.players.player import Player
from arena.referee.players.pool import MOST_PROCESSES, Pool, Seated, processes_for


def ours(house: House, name: str) -> Seated:
    return Seated(house.player(Program(name, ("no-such-program",), Path())))


def theirs(house: House, name: str) -> Seated:
    player = DialledPlayer(house.lobby, name, None, first_seconds=0.01, again_ms=10)
    return Seated(player, is_ours=False)


def pool_in(house: House, processes: int = 2) -> Pool:
    places = {name: [ours(house, name) for _ in range(processes)] for name in ("fox", "owl")}
    return Pool(places | {name: [theirs(house, name)] for name in ("crow", "hare")}, "")


async def test_a_place_is_of_one_match_alone() -> None:
    async with open_house() as house:
        pool = pool_in(house)
        async with pool.seated(["fox", "owl"], 1) as first, pool.seated(["owl", "fox"], 1) as then:
            assert [place.player.name for place in (*first, *then)] == ["fox", "owl", "owl", "fox"]
            assert len({id(place) for place in (*first, *then)}) == 4


async def test_a_process_that_has_seen_a_set_leaves_it_to_one_that_has_not() -> None:
    async with open_house() as house:
        pool = pool_in(house)
        seen: list[Seated] = []
        for _ in range(2):
            async with pool.seated(["fox"], 7) as (place,):
                place.played(7)
                seen.append(place)
        assert seen[0] is not seen[1]
        async with pool.seated(["fox"], 7) as (place,):
            assert place.has_seen(7)  # all have: it is started afresh
            await pool.make_fresh(place, 7)
            assert not place.has_seen(7)


async def test_of_many_processes_none_plays_two_matches_of_a_set() -> None:
    async with open_house() as house:
        pool = pool_in(house, processes=MOST_PROCESSES)
        seen: set[int] = set()
        for _ in range(MOST_PROCESSES):
            async with pool.seated(["fox"], 7) as (place,):
                place.played(7)
                seen.add(id(place))
        assert len(seen) == MOST_PROCESSES


async def test_a_bot_that_is_replaced_while_it_plays_has_as_many_places_as_before() -> None:
    async with open_house() as house:
        pool = pool_in(house)
        async with pool.seated(["fox"], 1) as (old,):
            pool.add("fox", [ours(house, "fox"), ours(house, "fox")])
            async with pool.seated(["fox"], 2) as (new,):
                assert new is not old
        async with pool.seated(["fox"], 3), pool.seated(["fox"], 4):
            with trio.move_on_after(0) as scope:
                async with pool.seated(["fox"], 5):
                    pass  # it would have to be on no place at all
            assert scope.cancelled_caught


async def test_the_processes_of_a_bot_before_it_was_replaced_are_seen_off() -> None:
    playing, idle = Restarting(), Restarting()
    pool = Pool({"fox": [place_of(playing)]}, "")
    async with pool.seated(["fox"], 1):
        assert not pool.add("fox", [place_of(idle)])
        assert playing.byes == []
    assert playing.byes == ["replaced"]
    assert [*map(id, pool.add("fox", [place_of(Restarting())]))] == [id(idle)]


class Restarting:
    """A bot that is started when somebody says so; it counts who says bye to it."""

    name = "fox"

    def __init__(self) -> None:
        self.starts = 1
        self.byes: list[str] = []

    async def say_bye(self, reason: str, detail: str = "") -> None:
        self.byes.append(reason)


class Leaving(Restarting):
    """One whose process takes as long to end as the test says."""

    def __init__(self) -> None:
        super().__init__()
        self.has_left = trio.Event()

    async def say_bye(self, reason: str, detail: str = "") -> None:
        await super().say_bye(reason, detail)
        await self.has_left.wait()


async def test_no_match_takes_the_place_of_a_process_that_is_just_ending() -> None:
    playing, seated = Leaving(), trio.Event()
    pool = Pool({"fox": [place_of(playing)]}, "")

    async def waits() -> None:
        async with pool.seated(["fox"], 2):
            seated.set()

    async with trio.open_nursery() as nursery, pool.seated(["fox"], 1):
        nursery.start_soon(waits)
        await wait_all_tasks_blocked()
        pool.add("fox", [place_of(Restarting())])
        nursery.start_soon(_let_leave, playing, seated)
    assert seated.is_set()


async def _let_leave(playing: Leaving, seated: trio.Event) -> None:
    await wait_all_tasks_blocked()
    assert not seated.is_set()
    playing.has_left.set()


def place_of(player: Restarting) -> Seated:
    return Seated(cast("Player", player))


def test_a_process_has_a_number_of_its_own_for_as_long_as_it_is_there() -> None:
    player = Restarting()
    place = place_of(player)
    first = place.process()
    assert place.played(7) == place.played(8) == place.process() == first
    player.starts = 2
    assert place.process() not in (0, first)


def test_a_process_that_was_started_since_has_seen_nothing() -> None:
    player = Restarting()
    place = place_of(player)
    place.played(7)
    player.starts = 2
    assert place.has_seen(7)  # nobody knows yet
    place.played(8)
    assert (place.has_seen(7), place.has_seen(8)) == (False, True)


async def test_only_a_process_that_has_seen_the_set_is_ended_before_a_match() -> None:
    player = Restarting()
    place = place_of(player)
    place.played(7)
    async with open_house() as house:
        pool = pool_in(house)
        await pool.make_fresh(place, 8)
        assert player.byes == []
        await pool.make_fresh(place, 7)
        await pool.make_fresh(place, 7)
        assert player.byes == ["replaced"]


async def test_a_set_that_is_over_is_seen_by_nobody() -> None:
    async with open_house() as house:
        pool = pool_in(house, processes=1)
        async with pool.seated(["fox"], 7) as (place,):
            place.played(7)
        pool.forget(7)
        assert not place.has_seen(7)


async def test_who_dials_in_plays_all_of_a_set_on_its_one_connection() -> None:
    async with open_house() as house:
        pool = pool_in(house)
        async with pool.seated(["crow"], 7) as (place,):
            place.played(7)
            assert place.has_seen(7)
            assert not place.must_start_afresh(7)


async def test_two_matches_that_want_two_who_dial_in_wait_for_each_other_in_turn() -> None:
    async with open_house() as house, trio.open_nursery() as nursery:
        pool = pool_in(house)
        over = trio.Event()
        order: list[str] = []

        async def play(name: str, *bots: str) -> None:
            async with pool.seated(bots, 1) as places:
                assert [place.player.name for place in places] == [*bots]
                order.append(name)
                await over.wait()

        async with pool.seated(["hare"], 1):
            nursery.start_soon(play, "first", "hare", "crow")
            await wait_all_tasks_blocked()
            nursery.start_soon(play, "second", "crow", "hare")
            await wait_all_tasks_blocked()
            assert order == []
        await wait_all_tasks_blocked()
        assert order == ["first"]
        over.set()
    assert order == ["first", "second"]


async def test_who_is_called_off_while_it_waits_holds_no_place() -> None:
    async with open_house() as house:
        pool = pool_in(house)
        async with pool.seated(["hare"], 1):
            with trio.move_on_after(0.01):
                async with pool.seated(["crow", "hare"], 2):
                    raise AssertionError("not reached")
        async with pool.seated(["crow", "hare"], 2) as places:
            assert len(places) == 2


@pytest.mark.parametrize(
    ("matches_of_a_set", "at_once", "processes"),
    [(1, 1, 1), (4, 1, 4), (4, 3, 6), (6, 3, 8), (6, 4, 8), (6, 6, 8), (2, 20, 20)],
)
def test_there_are_enough_processes_that_none_is_started_afresh_up_to_a_limit(
    matches_of_a_set: int, at_once: int, processes: int
) -> None:
    assert processes_for(matches_of_a_set, at_once) == processes
