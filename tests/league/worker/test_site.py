"""A site: bots made ready on a worker, and referee processes that are kept from set to set."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import trio

from arena.bots.botfile import Bot, read_bot
from arena.bots.builds.cache import BuildCache
from arena.bots.confine.confinement import Rung, Wish
from arena.bots.confine.limits import Limits
from arena.bots.parcel import Parcel, ParcelCache, pack
from arena.league.play.orders import MatchOver, PlaySet
from arena.league.worker.messages import (
    Lacks,
    SetPlayed,
    SetTask,
    SiteTerms,
    TravellingBot,
    Unfit,
)
from arena.league.worker.site import NotFit, Places, Site, disk_trouble, open_site
from arena.record.timing import Timing
from tests.bots.programs import SAFETY_SECONDS
from tests.league.running import ROOT

TERMS = SiteTerms("cup", "1", 2, 10_000, Wish.NONE, (), True, "", True)
NAMES = ("fox", "owl")


def order(number: int) -> PlaySet:
    return PlaySet(
        number=number,
        lease=1,
        attempt=0,
        line_up=NAMES,
        turns=(0, 1),
        seed=bytes(32),
        game="nyet",
        options={"rounds": 1},
        timing=Timing(),
        show_names=False,
        may_void=True,
    )


def travelling(folder: Path, name: str, build: str = "") -> tuple[TravellingBot, Parcel]:
    place = folder / "bots" / name
    place.mkdir(parents=True)
    (place / "bot.py").write_text((ROOT / "tests/league/bots/steady.py").read_text())
    lines = f'name = "{name}"\ncommand = ["{{python}}", "bot.py"]\ngames = "any"\n{build}'
    (place / "bot.toml").write_text(lines + f'env = {{ PYTHONPATH = "{ROOT}" }}\n')
    bot: Bot = replace(read_bot(place), name=name)
    parcel = pack(bot)
    one = TravellingBot(
        name, parcel.hash, bot.command, bot.build, bot.connect, bot.env, Limits(), bot.written_in
    )
    return one, parcel


def places(folder: Path, wish: Wish | None = None) -> Places:
    cache = BuildCache(folder / "builds")
    return Places("east", ParcelCache(folder / "parcels"), cache, folder / "log", wish)


@asynccontextmanager
async def opened(folder: Path, terms: SiteTerms = TERMS) -> AsyncIterator[Site]:
    async with open_site(terms, places(folder)) as site, trio.open_nursery() as nursery:
        await nursery.start(site.serve)
        with trio.fail_after(SAFETY_SECONDS):
            yield site
        nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_a_set_is_played_once_its_bots_are_here_and_the_next_by_the_same_process(
    tmp_path: Path,
) -> None:
    found = [travelling(tmp_path, name) for name in NAMES]
    bots = tuple(bot for bot, _ in found)
    async with opened(tmp_path) as site:
        lacking = await site.play(SetTask(TERMS, bots, order(1)))
        assert lacking == Lacks(tuple(sorted({parcel.hash for _, parcel in found})))
        for _, parcel in found:
            ParcelCache(tmp_path / "parcels").keep(parcel.hash, parcel.data)
        processes: set[int] = set()
        for number in (1, 2):
            reply = await site.play(SetTask(TERMS, bots, order(number)))
            assert isinstance(reply, SetPlayed)
            over = [news for news in reply.news if isinstance(news, MatchOver)]
            assert [each.played.turn for each in over] == [0, 1]
            assert {each.played.machine for each in over} == {"east"}
            processes.update(number for each in over for number in each.played.processes)
        assert repr(site) == "<Site of cup, 1 slots>"
    assert len(processes) == 4  # two of each bot, for both sets


@pytest.mark.slow
async def test_a_bot_that_cannot_be_built_here_makes_the_worker_unfit(tmp_path: Path) -> None:
    bot, parcel = travelling(tmp_path, "fox", 'build = ["no-such-compiler"]\n')
    ParcelCache(tmp_path / "parcels").keep(parcel.hash, parcel.data)
    async with opened(tmp_path) as site:
        reply = await site.play(SetTask(TERMS, (bot,), order(1)))
    assert isinstance(reply, Unfit)
    assert "the build of 'fox' failed" in reply.why


async def test_a_league_whose_bots_were_confined_better_is_not_played(tmp_path: Path) -> None:
    terms = msgspec.structs.replace(TERMS, wish=Wish.AUTO, before=str(Rung.BUBBLEWRAP))
    with pytest.raises(NotFit, match="were confined by bubblewrap until now, and here they would"):
        async with open_site(terms, replace(places(tmp_path), wish=Wish.NONE)):
            pass


async def test_a_worker_that_would_confine_less_than_the_league_wants_does_not_play(
    tmp_path: Path,
) -> None:
    terms = msgspec.structs.replace(TERMS, wish=Wish.STRICT)
    with pytest.raises(NotFit, match="wants bots confined by strict, and here they are unconfined"):
        async with open_site(terms, places(tmp_path, Wish.NONE)):
            pass


def test_a_disk_that_takes_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert disk_trouble() is None
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    assert "No such file or directory" in (disk_trouble() or "")
