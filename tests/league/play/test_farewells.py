"""What the processes of bots are told when a league, or their part in it, is over (SPEC 4.8)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import trio
from trio.testing import memory_stream_one_way_pair

from arena.bots.program import Program
from arena.league.play.job import JobProcess
from arena.league.play.orders import (
    Channel,
    LeagueOver,
    MatchOver,
    News,
    Order,
    PlaySet,
    SetOver,
    Setup,
)
from arena.record.timing import Timing
from tests.bots.programs import SAFETY_SECONDS, Family
from tests.league.play.test_orders import NoLine
from tests.league.running import ARENA, HERE, RealLeague

pytestmark = pytest.mark.slow

NAMES = ("fox", "owl")


def byes(*notes: Path) -> Counter[str]:
    """How many processes were told what, by the bots that write everything down."""
    told = [json.loads(line)[1] for file in notes for line in file.read_text().splitlines()]
    return Counter(message["reason"] for message in told if message["type"] == "bye")


def a_set(number: int) -> PlaySet:
    return PlaySet(
        number=number,
        lease=1,
        attempt=0,
        line_up=NAMES,
        turns=(0, 1),
        seed=bytes(32),
        game="nope",
        options={"max_turns": 4},
        timing=Timing(decision_ms=1000),
        show_names=False,
        may_void=False,
    )


async def told_by_a_job(folder: Path, *last: Order) -> Counter[str]:
    """A job with one process of each bot plays a set of two matches; then its orders end."""
    family = Family()
    notes = [folder / name for name in NAMES]
    command = (sys.executable, str(HERE / "tells.py"))
    bots = tuple(
        Program(name, (*command, str(file)), folder, family.env)
        for name, file in zip(NAMES, notes, strict=True)
    )
    orders_out, orders_in = memory_stream_one_way_pair()
    news_out, news_in = memory_stream_one_way_pair()
    job: Channel[Order] = Channel(orders_in, news_out, Order)
    ours: Channel[News] = Channel(news_in, orders_out, News)
    with trio.fail_after(SAFETY_SECONDS):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(JobProcess(job, NoLine()).run)
            await ours.send(Setup(bots, 1, start_ms=10_000))
            await ours.send(a_set(1))
            comes = ours.__aiter__()
            kinds = Counter[type[News]]()
            while not kinds[SetOver]:
                kinds[type(await anext(comes))] += 1
            assert kinds[MatchOver] == 2
            for order in last:
                await ours.send(order)
            await orders_out.aclose()
        await news_out.aclose()
        assert [news async for news in comes] == []
    assert not family.alive()
    return byes(*notes)


async def test_a_process_that_has_seen_the_set_is_replaced_and_at_the_end_all_are_done(
    tmp_path: Path,
) -> None:
    assert await told_by_a_job(tmp_path, LeagueOver()) == {"replaced": 2, "done": 2}


async def test_the_processes_of_a_job_whose_orders_just_end_are_told_that_it_stops(
    tmp_path: Path,
) -> None:
    assert await told_by_a_job(tmp_path) == {"replaced": 2, "stopping": 2}


def test_a_stopped_league_says_stopping_and_a_finished_one_done(tmp_path: Path) -> None:
    notes = {name: tmp_path / f"{name}.told" for name in NAMES}
    bots = {name: f"tells.py {file}" for name, file in notes.items()}
    # Unconfined: they write into files that the test reads.
    more = 'jobs = 2\nat_once = 1\nconfine = "none"'
    league = RealLeague(tmp_path / "league", bots, sets=40, game="nope", seats=2, more=more)
    with league.start("--events", "-") as process:
        assert process.stdout is not None
        for line in process.stdout:
            if '"event":"match"' in line:
                break
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SAFETY_SECONDS)
    stopped = byes(*notes.values())
    assert [*stopped] == ["stopping"]
    for file in notes.values():
        file.write_text("")
    league.run()
    assert [*byes(*notes.values())] == ["done"]


def test_a_stopped_match_says_stopping_and_a_finished_one_done(tmp_path: Path) -> None:
    notes = [tmp_path / name for name in NAMES]
    bots = [f"{sys.executable} {HERE / 'tells.py'} {file}" for file in notes]
    command = [*ARENA, "match", "nope", *bots, "-o", "max_turns=4", "--confine", "none"]
    with subprocess.Popen(
        [*command, "--sets", "100000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        while "set 3 of" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SAFETY_SECONDS)
    assert [*byes(*notes)] == ["stopping"]
    for file in notes:
        file.write_text("")
    subprocess.run(command, check=True, capture_output=True)
    assert byes(*notes) == {"done": 2}
