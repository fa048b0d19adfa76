"""A site: bots made ready on a worker, and referee processes that are kept from set to set."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import msgspec
import pytest
import trio
from trio.testing import MockClock

from arena.bots.botfile import Bot, read_bot
from arena.bots.builds.cache import BuildCache
from arena.bots.confine.confinement import Rung, Wish
from arena.bots.confine.confiner import Means
from arena.bots.confine.limits import Limits
from arena.bots.parcel import Parcel, ParcelCache, pack
from arena.bots.program import Program
from arena.bots.workshop import Workshop
from arena.league.play.orders import MatchOver, PlaySet
from arena.league.worker.messages import (
    Broke,
    Lacks,
    PrintedPiece,
    SetPlayed,
    SetTask,
    SiteTerms,
    TravellingBot,
    Unfit,
)
from arena.league.worker.patience import most_seconds
from arena.league.worker.site import (
    IDLE_SECONDS,
    LOOK_SECONDS,
    NotFit,
    Places,
    Site,
    disk_trouble,
    open_site,
    taken_pieces,
)
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


def travelling(
    folder: Path, name: str, build: str = "", wait_ms: int = 0
) -> tuple[TravellingBot, Parcel]:
    place = folder / "bots" / name
    place.mkdir(parents=True)
    (place / "bot.py").write_text((ROOT / "tests/league/bots/steady.py").read_text())
    command = f'["{{python}}", "bot.py", "{name}", "{wait_ms}"]'
    lines = f'name = "{name}"\ncommand = {command}\ngames = "any"\n{build}'
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
async def opened(
    folder: Path, patience: Callable[[PlaySet, int], float] = most_seconds
) -> AsyncIterator[Site]:
    opening = open_site(TERMS, places(folder), patience)
    async with opening as site, trio.open_nursery() as nursery:
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
async def test_a_set_that_does_not_come_back_is_given_up_with_its_process_and_the_next_is_played(
    tmp_path: Path,
) -> None:
    """Its bots think for a minute a move; the site is told that no set takes half a second."""
    found = {name: travelling(tmp_path, name, wait_ms=60_000) for name in NAMES}
    quick = {name: travelling(tmp_path / "quick", name) for name in NAMES}
    for _, parcel in [*found.values(), *quick.values()]:
        ParcelCache(tmp_path / "parcels").keep(parcel.hash, parcel.data)
    slow = msgspec.structs.replace(order(1), timing=Timing(decision_ms=100_000))

    def patience(asked: PlaySet, start_ms: int) -> float:
        return 0.5 if asked.number == 1 else most_seconds(asked, start_ms)

    async with opened(tmp_path, patience) as site:
        reply = await site.play(SetTask(TERMS, tuple(bot for bot, _ in found.values()), slow))
        assert reply == Broke(
            "a referee process ended: its set had not ended after 0.5 s,"
            " and no set can take so long",
            began=True,
        )
        reply = await site.play(SetTask(TERMS, tuple(bot for bot, _ in quick.values()), order(2)))
        assert isinstance(reply, SetPlayed)


class SlowWorkshop:
    """A workshop whose builds take this many seconds, and fail."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def make(self, wanted: object) -> list[Program]:
        await trio.sleep(self.seconds)
        raise OSError("the disk is full")


async def test_a_site_stays_while_a_build_takes_longer_than_it_may_be_idle(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    bot, parcel = travelling(tmp_path, "fox")
    ParcelCache(tmp_path / "parcels").keep(parcel.hash, parcel.data)
    workshop = cast("Workshop", SlowWorkshop(10 * IDLE_SECONDS))
    site = Site(TERMS, places(tmp_path), workshop, Means(), tmp_path)
    async with trio.open_nursery() as nursery:
        await nursery.start(site.serve)
        reply = await site.play(SetTask(TERMS, (bot,), order(1)))
        assert len(nursery.child_tasks) == 1
        built_at = trio.current_time()
    assert reply == Broke("the disk is full", began=False)
    assert IDLE_SECONDS <= trio.current_time() - built_at <= IDLE_SECONDS + 2 * LOOK_SECONDS


async def test_a_site_that_nobody_uses_is_over(tmp_path: Path, autojump_clock: MockClock) -> None:
    site = Site(TERMS, places(tmp_path), cast("Workshop", None), Means(), tmp_path)
    async with trio.open_nursery() as nursery:
        await nursery.start(site.serve)
        await trio.sleep(IDLE_SECONDS)
        assert not site.is_over
    assert site.is_over


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


def test_output_of_an_earlier_set_is_removed_and_never_sent_with_this_one(tmp_path: Path) -> None:
    """A bot that ends later may print then, and that is of the last match that it played."""
    late, own = (f"{'0' * 20}~{number}.1.0~fox.stderr" for number in (16, 17))
    for name in (late, own, f".{own}"):
        (tmp_path / name).write_bytes(name.encode())
    assert [*taken_pieces(tmp_path, 17)] == [PrintedPiece(own, own.encode())]
    assert [each.name for each in tmp_path.iterdir()] == [f".{own}"]


def test_a_disk_that_takes_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert disk_trouble() is None
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    assert "No such file or directory" in (disk_trouble() or "")
