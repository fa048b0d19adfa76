"""The streams of a league."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.league.store.events import line
from arena.serve.live.delta import patched
from arena.serve.live.hub import COMMENT
from arena.serve.web import streams as streams_module
from arena.serve.web.site import MOST_PROGRAMS
from tests.league.leagues import Simulated
from tests.serve.asked import Answer, Visitor, visit
from tests.serve.told import ToldLeague


@pytest.fixture
def told(tmp_path: Path) -> Iterator[ToldLeague]:
    """A league of which three sets are played."""
    with closing(ToldLeague(tmp_path / "cup.arena", Simulated(sets=6), 3)) as told:
        yield told


def data_in(part: bytes) -> list[Any]:
    return [
        json.loads(each.partition("data: ")[2])
        for each in part.decode().splitlines()
        if each.startswith("data: ")
    ]


def test_what_a_watcher_has_is_always_the_table_of_the_page(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        league = visitor.site.leagues["cup"]
        stream = visitor.messages("/cup/live", Answer())
        (snapshot,) = data_in(await anext(stream))
        lines = snapshot["lines"]
        for number in (4, 5):
            told.play()
            assert await league.following.look()
            (news,) = data_in(await anext(stream))
            lines = patched(lines, news["patch"])
            assert any(f"Set {number} is complete" in each for each in news["ticker"])
            assert "\n".join(lines) in (await visitor.ask("/cup/")).text
        assert not await league.following.look()
        await stream.aclose()  # type: ignore[attr-defined]  # a generator

    visit(ask, told.folder)


def test_matches_of_a_set_that_is_not_complete_are_news_but_no_other_table(
    told: ToldLeague,
) -> None:
    async def ask(visitor: Visitor) -> None:
        league = visitor.site.leagues["cup"]
        stream = visitor.messages("/cup/live", Answer())
        await anext(stream)
        told.begin()
        await league.following.look()
        (news,) = data_in(await anext(stream))
        assert (news["patch"], len(news["ticker"])) == ([], 1)
        await stream.aclose()  # type: ignore[attr-defined]  # a generator

    visit(ask, told.folder)


def test_a_program_gets_every_event_once_from_where_it_says(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        league = visitor.site.leagues["cup"]
        stream = visitor.messages("/cup/events?after=7", Answer())
        await anext(stream)  # a comment
        found = data_in(await anext(stream))
        told.play()
        await league.following.look()
        found += data_in(await anext(stream))
        assert found == [json.loads(line(*each)) for each in told.store.events(7)]
        await stream.aclose()  # type: ignore[attr-defined]  # a generator

    visit(ask, told.folder)


def test_no_event_is_told_that_the_last_look_did_not_see(told: ToldLeague) -> None:
    """One cursor for pages, news and events."""

    async def ask(visitor: Visitor) -> None:
        league = visitor.site.leagues["cup"]
        assert league.look
        seen = league.look.cursor
        told.play()
        stream = visitor.messages("/cup/events", Answer())
        await anext(stream)
        assert data_in(await anext(stream))[-1]["n"] == seen
        assert (await visitor.ask("/cup/sets/000/4.html")).status == 404
        await league.following.look()
        assert data_in(await anext(stream))[0]["n"] == seen + 1
        assert (await visitor.ask("/cup/sets/000/4.html")).status == 200
        await stream.aclose()  # type: ignore[attr-defined]  # a generator

    visit(ask, told.folder)


def test_only_so_many_programs_follow_at_once(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        streams = [visitor.messages("/cup/events", Answer()) for _ in range(MOST_PROGRAMS)]
        for each in streams:
            await anext(each)
        assert (await visitor.ask("/cup/events")).status == 503
        await streams[0].aclose()  # type: ignore[attr-defined]  # a generator
        last = visitor.messages("/cup/events", Answer())
        assert await anext(last)
        for each in (*streams, last):
            await each.aclose()  # type: ignore[attr-defined]  # a generator

    visit(ask, told.folder)


def test_a_newcomer_from_another_network_takes_a_place_of_the_one_that_has_most(
    told: ToldLeague,
) -> None:
    """Else one visitor shuts these events for everybody."""

    async def ask(visitor: Visitor) -> None:
        league = visitor.site.leagues["cup"]
        streams = [visitor.messages("/cup/events?after=99", Answer()) for _ in range(MOST_PROGRAMS)]
        for each in streams:
            await anext(each)
        other = visitor.messages("/cup/events", Answer(), by="198.51.100.4")
        assert await anext(other)
        async with asyncio.timeout(10):
            assert [part async for part in streams[0]] == [b""]
        assert len(league.programs) == MOST_PROGRAMS
        assert (await visitor.ask("/cup/events")).status == 503  # it comes back at once
        for each in (*streams, other):
            await each.aclose()  # type: ignore[attr-defined]  # a generator
        assert len(league.programs) == 0

    visit(ask, told.folder)


@pytest.mark.parametrize("after", [0, 999_999_999])
def test_a_program_that_hears_nothing_new_gets_a_comment_now_and_then(
    told: ToldLeague, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """One that is gone without a word would hold its place for ever."""
    monkeypatch.setattr(streams_module, "QUIET_SECONDS", 0)

    async def ask(visitor: Visitor) -> None:
        stream = streams_module._lines(visitor.site.leagues["cup"], "192.0.2.0", after)
        assert await anext(stream) == COMMENT
        if not after:
            assert data_in(await anext(stream))
        for _ in range(3):
            assert await anext(stream) == COMMENT
        await stream.aclose()  # type: ignore[attr-defined]  # a generator

    visit(ask, told.folder)


@pytest.mark.parametrize(
    "after",
    ["-1", "x", "1e3", "9" * 5000, "٣", "99999999999999999999", "0" * 20 + "1" * 5000, str(2**63)],
)
def test_what_is_no_number_of_an_event_is_refused(told: ToldLeague, after: str) -> None:
    async def ask(visitor: Visitor) -> None:
        assert (await visitor.ask(f"/cup/events?after={after}")).status == 400

    visit(ask, told.folder)


@pytest.mark.parametrize("stream", ["events", "live", "tv/live"])
def test_a_league_that_is_not_there_has_no_streams(told: ToldLeague, stream: str) -> None:
    async def ask(visitor: Visitor) -> None:
        assert (await visitor.ask(f"/cap/{stream}")).status == 404

    visit(ask, told.folder)


def test_a_server_that_ends_ends_its_streams(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        parts = [visitor.messages(f"/cup/{name}", Answer()) for name in ("live", "events")]
        for each in parts:
            await anext(each)
        await anext(parts[1])
        visitor.site.close()
        async with asyncio.timeout(10):
            for each in parts:
                assert [part async for part in each] == [b""]

    visit(ask, told.folder)
