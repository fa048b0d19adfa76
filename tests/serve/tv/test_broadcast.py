"""The broadcast of a league, as its watchers get it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.serve.live.moment import at_one_moment
from arena.serve.thread import OneThread
from arena.serve.tv.broadcast import Broadcast, candidate_of
from arena.serve.tv.excitement import closeness_of, lead_of
from tests.league.leagues import Simulated
from tests.serve.asked import Answer, Visitor, visit
from tests.serve.told import ToldLeague


@pytest.fixture
def told(tmp_path: Path) -> Iterator[ToldLeague]:
    """A league with a set that is begun."""
    league = Simulated(sets=4, options={"rounds": 2})
    with closing(ToldLeague(tmp_path / "cup.arena", league, 2)) as told:
        told.begin()
        yield told


def data_in(part: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(part.decode().splitlines()[2].removeprefix("data: "))
    return found


def test_all_who_watch_are_told_the_same_deal_and_how_long_it_has_been(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        league = visitor.site.leagues["cup"]
        running = asyncio.create_task(league.broadcast.run())
        early = visitor.messages("/cup/tv/live", Answer())
        on = data_in(await anext(early))
        while "match" not in on:
            on = data_in(await anext(early))
        late = visitor.messages("/cup/tv/live", Answer())
        same = data_in(await anext(late))
        assert same.pop("elapsed") >= on.pop("elapsed") >= 0
        assert same == on
        assert on["match"]["place"].split(".")[0] in ("1", "2")  # a complete set
        assert len(on["stays"]) > 10
        running.cancel()
        for each in (early, late):
            await each.aclose()  # type: ignore[attr-defined]  # a generator

    visit(ask, told.folder)


def test_a_match_is_rated_by_the_scores_of_its_deals(told: ToldLeague) -> None:
    with at_one_moment(told.folder) as reader:
        one = reader.complete_set(1)
    assert one is not None
    for played in one.matches:
        found = candidate_of(played, {})
        assert found is not None
        scores = [deal.scores for deal in found.deals]
        assert scores[-1] == played.record.scores
        parts = found.rated
        assert (parts.lead, parts.closeness) == (lead_of(scores), closeness_of(scores))


def test_the_page_of_the_broadcast_is_there_before_anything_is_shown(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        answer = await visitor.ask("/cup/tv")
        assert (answer.status, 'id="on-air"' in answer.text) == (200, True)

    visit(ask, told.folder)


@pytest.mark.parametrize("played", [0, 1])
def test_the_page_says_that_a_complete_set_is_waited_for_only_where_there_is_none(
    tmp_path: Path, played: int
) -> None:
    async def ask(visitor: Visitor) -> None:
        text = (await visitor.ask("/cup/tv")).text
        assert ("The first complete set is waited for." in text) == (not played)
        assert ('role="status">…</p>' in text) == bool(played)

    with closing(ToldLeague(tmp_path / "cup.arena", Simulated(sets=4), played)) as told:
        visit(ask, told.folder)


def test_matches_are_rated_however_much_waits_for_the_thread(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        league = visitor.site.leagues["cup"]
        await league.following.look()
        assert league.look is not None
        gate = threading.Event()
        thread = OneThread("test", 1)
        waiting = asyncio.create_task(thread.run(gate.wait))
        await asyncio.sleep(0)
        broadcast = Broadcast(league.on_air, thread)
        taking = asyncio.create_task(broadcast.take(league.look, league.look.new_sets))
        gate.set()
        await waiting
        await taking

    visit(ask, told.folder)
