"""What a job makes of its first order, and of connections that are lent to it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
import trio
from trio.testing import memory_stream_one_way_pair

from arena.bots.program import Program
from arena.bots.refused import HostFull
from arena.league.play import job
from arena.league.play.job import JobProcess
from arena.league.play.orders import Channel, MatchOver, News, Order, PlaySet, SetOver, Setup
from arena.record.confinement import DIALLED_IN
from arena.record.timing import Timing
from arena.referee.house import House
from arena.referee.players.pool import Pool
from tests.bots.programs import BOTS, SAFETY_SECONDS
from tests.league.play.test_orders import NoLine

PRINTS = Path(__file__).parents[1] / "bots" / "prints.py"


def test_bots_have_the_places_and_the_patience_that_the_order_gives_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[tuple[str, int]] = []
    confined: list[object] = []
    monkeypatch.setattr(job, "Pool", lambda *given: given)
    house = SimpleNamespace(
        confiner=SimpleNamespace(word="landlock"),
        confine_by=confined.append,
        player=lambda bot, start_ms: started.append((bot.name, start_ms)),
    )
    fox = Program("fox", ("fox",), cast("Any", "/"))
    setup = Setup((fox,), 3, 10_000)
    places, word, pieces = cast("Any", job.pool_of(cast("House", house), setup))
    assert started == [("fox", 10_000)] * 3
    assert {name: len(seated) for name, seated in places.items()} == {"fox": 3}
    assert (word, pieces, confined) == ("landlock", None, [setup.confine])
    _, word, _ = cast("Any", job.pool_of(cast("House", house), Setup((), 1, 1)))
    assert word == DIALLED_IN


ORDER = PlaySet(
    number=7,
    lease=2,
    attempt=0,
    line_up=("fox", "nobody"),
    turns=(0,),
    seed=bytes(32),
    game="nope",
    options={"max_turns": 4},
    timing=Timing(),
    show_names=False,
    may_void=False,
)


async def news_of(
    *orders: Order, on_news: Callable[[News], object] = lambda news: None
) -> list[News]:
    """What a job says until as many sets are over as were ordered. `on_news`: is told of each as it
    comes."""
    orders_out, orders_in = memory_stream_one_way_pair()
    news_out, news_in = memory_stream_one_way_pair()
    theirs: Channel[Order] = Channel(orders_in, news_out, Order)
    ours: Channel[News] = Channel(news_in, orders_out, News)
    heard: list[News] = []
    with trio.fail_after(SAFETY_SECONDS):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(JobProcess(theirs, NoLine()).run)
            for order in orders:
                await ours.send(order)
            async for news in ours:
                on_news(news)
                heard.append(news)
                if sum(isinstance(each, SetOver) for each in heard) == len(orders) - 1:
                    break
            await orders_out.aclose()
    return heard


async def test_a_bug_costs_its_set_and_no_match_of_another(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A bot without a place stands for the bug: no order should name one."""
    bots = tuple(
        Program(name, (sys.executable, str(BOTS / "random_bot.py")), tmp_path)
        for name in ("fox", "owl")
    )
    fine = msgspec.structs.replace(ORDER, number=8, line_up=("fox", "owl"))
    heard = await news_of(Setup(bots, 2, 10_000), ORDER, fine)
    ends = {news.number: news.bug for news in heard if isinstance(news, SetOver)}
    # Not its words, which may name a card.
    assert ends == {7: "KeyError", 8: ""}
    assert [news.played.set for news in heard if isinstance(news, MatchOver)] == [8]
    said = capfd.readouterr().err
    assert said.startswith("set 7 of fox and nobody:\n")
    assert "Traceback (most recent call last):" in said


async def test_a_set_is_over_once_all_that_its_bots_printed_is_written(tmp_path: Path) -> None:
    """A worker of a cluster sends the files then, and what comes later is lost."""
    bots = tuple(Program(name, (sys.executable, str(PRINTS)), tmp_path) for name in ("fox", "owl"))
    pieces = tmp_path / "pieces"
    pieces.mkdir()
    found: list[list[str]] = []

    def look(news: News) -> None:
        if isinstance(news, SetOver):
            found.append(sorted(file.name.partition("~")[2] for file in pieces.iterdir()))

    sets = range(8, 12)
    fine = msgspec.structs.replace(ORDER, line_up=("fox", "owl"), turns=(0, 1))
    orders = [msgspec.structs.replace(fine, number=number) for number in sets]
    # One order after the other, so that each set ends while nothing else is played.
    for order in orders:
        await news_of(Setup(bots, 2, 10_000, pieces=pieces), order, on_news=look)
        for file in pieces.iterdir():
            file.unlink()
    assert found == [
        [f"{number}.{turn}.0~{bot}.stderr" for turn in (1, 2) for bot in ("fox", "owl")]
        for number in sets
    ]


async def test_a_machine_that_is_full_ends_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*given: object, **more: object) -> None:
        raise HostFull("there are no descriptors left")

    monkeypatch.setattr(Pool, "play", full)
    with pytest.raises(BaseExceptionGroup) as caught:
        await news_of(Setup((), 1, 10_000), ORDER)
    assert caught.group_contains(HostFull)
