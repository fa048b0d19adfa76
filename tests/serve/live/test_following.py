"""Looks at a league, and when they come."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.store.lock import locked
from arena.serve.live import following as following_module
from arena.serve.live.following import EVERY_SECONDS, REST, rest_after
from arena.serve.live.watched import LeagueLook
from arena.serve.options import ServeOptions
from arena.serve.web.site import ServedSite
from tests.league.leagues import Simulated
from tests.serve.asked import HOST, Lines, Visitor, visit
from tests.serve.told import ToldLeague


@pytest.fixture
def told(tmp_path: Path) -> Iterator[ToldLeague]:
    with closing(ToldLeague(tmp_path / "cup.arena", Simulated(sets=4), 1)) as told:
        yield told


def test_messages_come_at_most_once_a_second_and_rarer_where_a_look_takes_much() -> None:
    assert EVERY_SECONDS == 1
    assert rest_after(0) == rest_after(EVERY_SECONDS / REST) == 1
    assert rest_after(0.5) == 0.5 * REST


def test_a_look_at_which_nothing_is_new_is_the_same_one(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        league = visitor.site.leagues["cup"]
        before = league.look
        assert not await league.following.look()
        assert league.look is before

    visit(ask, told.folder)


def test_what_is_written_during_a_look_is_looked_at_without_waiting(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        following = visitor.site.leagues["cup"].following
        before = following._times()
        await following.look()
        told.play()
        with pytest.raises(StopIteration):  # it returns before it ever waits
            following._written_since(before).send(None)

    visit(ask, told.folder)


def test_a_runner_that_begins_is_another_look_though_it_has_entered_nothing(
    told: ToldLeague,
) -> None:
    async def ask(visitor: Visitor) -> None:
        league = visitor.site.leagues["cup"]
        assert league.look
        assert not league.look.is_running
        with locked(told.folder):
            await league.following.look()
            assert league.look.is_running
            assert "running" in (await visitor.ask("/cup/")).text

    visit(ask, told.folder)


def test_a_league_that_cannot_be_read_is_told_and_looked_at_again(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        league = visitor.site.leagues["cup"]
        file = told.folder / "complete.db"
        aside = file.rename(told.folder / "aside")
        running = asyncio.create_task(league.following.run())
        while not league.following.problem:
            await asyncio.sleep(0)
        assert "there is no such league" in league.following.problem
        assert (await visitor.ask("/cup/")).status == 200  # as it was
        health = await visitor.ask("/healthz")
        assert health.status == 503
        assert "there is no such league" in health.text
        running.cancel()
        aside.rename(file)

    visit(ask, told.folder)


def test_a_league_that_could_never_be_read_is_unhealthy_at_once_and_logged_once(
    told: ToldLeague, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (told.folder / "complete.db").rename(told.folder / "aside")
    monkeypatch.setattr(following_module, "AGAIN_SECONDS", 0)

    async def ask() -> None:
        site = ServedSite(ServeOptions((str(told.folder),), HOST))
        league, visitor = site.leagues["cup"], Visitor(site, Lines())
        assert (await visitor.ask("/cup/")).text == "This league is still being read.\n"
        looks, look_again = [], league.watched.look_again

        def counted() -> LeagueLook:
            looks.append(1)
            return look_again()

        monkeypatch.setattr(league.watched, "look_again", counted)
        running = asyncio.create_task(league.following.run())
        while len(looks) < 3:
            await asyncio.sleep(0)
        health, page = await visitor.ask("/healthz"), await visitor.ask("/cup/")
        running.cancel()
        assert health.status == page.status == 503
        assert "there is no such league" in health.text
        assert page.text == "This league cannot be read at the moment.\n"

    asyncio.run(ask())
    (line,) = [each for each in caplog.records if each.name == following_module.__name__]
    assert line.levelname == "ERROR"  # others are not written
    assert line.getMessage().startswith("cup cannot be read: ")


def test_the_page_of_a_set_shows_a_judgement_that_was_saved_meanwhile(told: ToldLeague) -> None:
    async def ask(visitor: Visitor) -> None:
        path = "/cup/sets/000/1.html"
        before = (await visitor.ask(path)).text
        assert (await visitor.ask(path)).text == before
        (told.folder / "judged").mkdir()
        (told.folder / "judged" / "1-1.json").write_text("no judgement")
        assert "none that this version of arena can read" in (await visitor.ask(path)).text

    visit(ask, told.folder)
