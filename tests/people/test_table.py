"""A person's match with real bots, in one process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
import trio.testing

from arena import data
from arena.bots.botfile import read_bot
from arena.bots.builds.cache import BuildCache
from arena.bots.prepare import prepared
from arena.bots.program import Program
from arena.people.options import PERSONS_CLOCK, REJOIN_SECONDS
from arena.people.table import PeoplesTable, SeatPage
from arena.people.talk import Choose
from arena.referee.house import House, open_house
from arena.referee.match import Result

SECONDS = 60


@asynccontextmanager
async def house_with(tmp_path: Path, *names: str) -> AsyncIterator[tuple[House, Sequence[Program]]]:
    bots = [read_bot(data.sample_bots() / name) for name in names]
    with trio.fail_after(SECONDS):
        async with open_house() as house:
            cache = BuildCache(tmp_path / "cache")
            programs = await prepared(
                house.warden, house.confiner, bots, house.folder, print, cache
            )
            yield house, programs


async def answers(table: PeoplesTable, page: SeatPage, most: int = 10_000) -> list[Any]:
    """Choose the first action of each request, of `most` requests; return all that was told."""
    told = []
    async for message in page.messages:
        told.append(message)
        if message["type"] == "request":
            if not most:
                return told
            most -= 1
            await table.choose(Choose(message["match"], message["id"], message["legal"][0]))
    return told


async def play_with(table: PeoplesTable, house: House, ended: list[Result]) -> None:
    ended.append(await table.play(house))
    if table._page is not None:
        table._page.close()


async def test_a_person_plays_a_match_with_a_clock_of_their_own(tmp_path: Path) -> None:
    ended: list[Result] = []
    async with house_with(tmp_path, "python-random") as (house, programs):
        table = PeoplesTable("nope", "Ada", programs)
        page = table.come()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_with, table, house, ended)
            told = await answers(table, page)
    (result,) = ended
    assert result.record.names == ("Ada", "python-random")
    assert not result.record.faults
    start = next(each for each in told if each["type"] == "start")
    assert start["names"] == ["Ada", "python-random"]
    assert start["clock"]["decision_ms"] == PERSONS_CLOCK.decision_ms
    assert told[0] == {"type": "seated", "seat": table.seat}
    assert told[1]["type"] == "moved", "the deal is seen before anything is asked"
    assert [each["type"] for each in told if each["type"] in ("end", "bye")] == ["end", "bye"]


async def test_a_page_that_comes_back_goes_on_where_the_match_is(tmp_path: Path) -> None:
    ended: list[Result] = []
    async with house_with(tmp_path, "python-random") as (house, programs):
        table = PeoplesTable("nope", "Ada", programs)
        first = table.come()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_with, table, house, ended)
            before = await answers(table, first, 2)
            table.go(first)
            second = table.come()
            after = await answers(table, second)
    assert [each["type"] for each in after[:4]] == ["seated", "start", "moved", "request"]
    assert after[3]["id"] == before[-1]["id"]
    assert not ended[0].record.faults


async def test_whoever_leaves_forfeits_and_the_others_have_their_match(tmp_path: Path) -> None:
    ended: list[Result] = []
    async with house_with(tmp_path, "python-random") as (house, programs):
        second = msgspec.structs.replace(programs[0], name="python-random-2")
        twice = [programs[0], second]
        table = PeoplesTable("nope", "Ada", twice)
        page = table.come()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_with, table, house, ended)
            await answers(table, page, 1)
            await table.leave()
    record = ended[0].record
    assert record.forfeits == (0,)
    assert record.places[0] == 3
    assert {fault.kind for fault in record.faults} == {"gone"}


async def test_a_page_whose_table_is_cleared_away_hears_no_more() -> None:
    table = PeoplesTable("nope", "Ada", ())
    page = table.come()
    table.close()
    assert [message["type"] async for message in page.messages] == ["seated"]
    table.go(page)
    table.close()


@pytest.mark.parametrize("action", ["fly", ""])
async def test_an_action_that_is_not_asked_for_never_reaches_the_referee(
    tmp_path: Path, action: str
) -> None:
    ended: list[Result] = []
    async with house_with(tmp_path, "python-random") as (house, programs):
        table = PeoplesTable("nope", "Ada", programs)
        page = table.come()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_with, table, house, ended)
            asked = (await answers(table, page, 0))[-1]
            await table.choose(Choose(asked["match"], asked["id"], action))
            await table.choose(Choose(asked["match"], asked["id"] + 1, asked["legal"][0]))
            await table.choose(Choose("another", asked["id"], asked["legal"][0]))
            await table.choose(Choose(asked["match"], asked["id"], asked["legal"][0]))
            await answers(table, page)
    assert not ended[0].record.faults


async def test_a_seat_is_given_up_when_its_last_page_has_been_gone_for_a_while(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """A second page that took the seat is the last one; one that comes back in time keeps it."""
    table = PeoplesTable("nope", "Ada", ())
    async with trio.open_nursery() as nursery:
        first = table.come()
        nursery.start_soon(table._wait_for_page)
        await trio.testing.wait_all_tasks_blocked()
        second = table.come()
        table.go(first)
        await trio.sleep(2 * REJOIN_SECONDS)
        table.go(second)
        await trio.sleep(REJOIN_SECONDS - 1)
        third = table.come()
        await trio.sleep(2 * REJOIN_SECONDS)
        assert not table._person._has_left
        table.go(third)
        left_at = trio.current_time()
    assert trio.current_time() - left_at == pytest.approx(REJOIN_SECONDS)
    assert table._person._has_left
