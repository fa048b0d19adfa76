"""Matches that a job brings late, twice or differently: each order has a lease."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import memory_stream_one_way_pair, wait_all_tasks_blocked

from arena.groups import leaves
from arena.league.model.played import LeagueMatch
from arena.league.play.entering import LeagueStopped
from arena.league.play.jobs import JobEnded, RemoteJob
from arena.league.play.orders import (
    Channel,
    MatchOver,
    News,
    Order,
    PlaySet,
    SetOver,
)
from arena.league.table.live import standings_of
from arena.record.timing import Timing
from tests.league.leagues import Simulated, played_match
from tests.league.play.test_interrupted_league import told
from tests.league.play.test_orders import NoLine
from tests.league.play.test_runner import SIMULATED, InMemory, Seen, begun, runner_of, void

Script = Callable[[PlaySet, LeagueMatch], Iterable[News]]
"""What a job says when it has played a match."""


@dataclass
class Scripted(InMemory):
    """Opens jobs that say of each match what a test wants, then fail over the last if told so."""

    script: Script = lambda order, played: (MatchOver(order.lease, played),)
    ends_after: list[tuple[int, int]] = field(default_factory=list)  # set and turn, once each

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        self.orders.append(order)
        for turn in order.turns:
            played = played_match(self.simulated, order.planned, turn, order.seed)
            played = msgspec.structs.replace(played, attempt=order.attempt)
            for news in self.script(order, played):
                yield news
            if (order.number, turn) in self.ends_after:
                self.ends_after.remove((order.number, turn))
                raise JobEnded("as the test wants")
        yield SetOver(order.number, order.lease)


def differently(played: LeagueMatch) -> LeagueMatch:
    return msgspec.structs.replace(played, ended="2026-01-02T00:00:00Z")


async def undisturbed(folder: Path) -> object:
    with begun(folder) as store:
        await runner_of(store, Scripted()).run((), Seen())
        return told(standings_of(store))


async def test_the_same_match_twice_counts_once(tmp_path: Path) -> None:
    jobs = Scripted(script=lambda order, played: (MatchOver(order.lease, played),) * 2)
    seen = Seen()
    with begun(tmp_path) as store:
        runner = runner_of(store, jobs)
        await runner.run((), seen)
        table = told(standings_of(store))
    assert table == await undisturbed(tmp_path / "undisturbed")
    assert (len(seen.matches), runner.entered.matches, runner.entered.dropped) == (24, 24, 0)


async def test_a_different_match_in_the_place_of_one_stops_the_league_in_words(
    tmp_path: Path,
) -> None:
    def both(order: PlaySet, played: LeagueMatch) -> Iterable[News]:
        yield MatchOver(order.lease, played)
        yield MatchOver(order.lease, differently(played))

    with begun(tmp_path) as store:
        with pytest.raises(BaseExceptionGroup) as caught:
            await runner_of(store, Scripted(script=both)).run((), Seen())
        assert len(store.matches_of(1, 0)) == 1
    (error,) = leaves(caught.value)
    assert isinstance(error, LeagueStopped)
    assert str(error).startswith(
        "match 1.1, attempt 1, of a referee process is not the one that it brought before, which"
        " only a bug in arena can make; see "
    )


@pytest.mark.parametrize("change", [{"turn": 4}, {"turn": -1}, {"attempt": 1}])
async def test_a_match_that_was_not_asked_for_stops_the_league_in_words(
    tmp_path: Path, change: dict[str, int]
) -> None:
    def other(order: PlaySet, played: LeagueMatch) -> Iterable[News]:
        yield MatchOver(order.lease, msgspec.structs.replace(played, **change))

    with begun(tmp_path) as store:
        with pytest.raises(BaseExceptionGroup) as caught:
            await runner_of(store, Scripted(script=other)).run((), Seen())
        assert [state.turns for state in store.sets()] == [()] * 6
    (error,) = leaves(caught.value)
    assert "of a referee process was not asked for" in str(error)


async def test_a_match_of_an_order_that_was_given_anew_is_counted_and_left_out(
    tmp_path: Path,
) -> None:
    """The first job ends and has played a match that nobody heard of; the second brings it."""
    late: list[MatchOver] = []

    def script(order: PlaySet, played: LeagueMatch) -> Iterable[News]:
        if late:
            yield late[0]
        yield MatchOver(order.lease, played)
        if (order.number, played.turn) == (3, 1) and not late:
            third = played_match(SIMULATED, order.planned, 2, order.seed)
            late.append(MatchOver(order.lease, differently(third)))

    jobs, seen = Scripted(script=script, ends_after=[(3, 1)]), Seen()
    with begun(tmp_path) as store:
        runner = runner_of(store, jobs)
        await runner.run((), seen)
        table = told(standings_of(store))
    assert table == await undisturbed(tmp_path / "undisturbed")
    first, second = (order for order in jobs.orders if order.number == 3)
    assert (first.turns, second.turns) == ((0, 1, 2, 3), (2, 3))
    assert second.lease > first.lease
    rest = 2 + 3 * 4
    assert (len(seen.matches), runner.entered.dropped) == (24, rest)
    log = (tmp_path / "log").read_text().splitlines()
    assert log == ["match 3.3 came too late for its order, and is left out"] * rest


async def test_the_lease_of_a_set_grows_from_run_to_run(tmp_path: Path) -> None:
    jobs = Scripted(ends_after=[(2, 0), (2, 1), (2, 2)])
    with begun(tmp_path) as store:
        await runner_of(store, jobs).run((), Seen())
    assert [order.lease for order in jobs.orders if order.number == 2] == [1, 2, 3, 4]
    killed = Scripted(Simulated(sets=1), script=lambda order, played: ())
    killed.ends_after = [(1, 0)] * 3
    with begun(tmp_path / "killed", killed.simulated) as store, pytest.raises(BaseExceptionGroup):
        await runner_of(store, killed).run((), Seen())
    then = Scripted(Simulated(sets=1))
    with begun(tmp_path / "killed", then.simulated) as store:
        await runner_of(store, then).run((), Seen())
    assert [order.lease for order in killed.orders + then.orders] == [1, 2, 3, 4]


async def test_a_void_match_ends_the_lease_of_its_order(tmp_path: Path) -> None:
    def script(order: PlaySet, played: LeagueMatch) -> Iterable[News]:
        is_slow = (order.number, order.attempt, played.turn) == (2, 0, 1)
        yield MatchOver(order.lease, void(played) if is_slow else played)

    jobs, seen = Scripted(script=script), Seen()
    with begun(tmp_path) as store:
        runner = runner_of(store, jobs)
        await runner.run((), seen)
        assert len(list(store.complete_sets())) == 6
    # The job played on after it: two more matches of the void attempt.
    assert (len(seen.voids), len(seen.matches), runner.entered.dropped) == (1, 1 + 24, 2)


# Set 1 of the simulated league.
ORDER = PlaySet(
    number=1,
    lease=2,
    attempt=0,
    line_up=("fox", "owl", "crow", "hare"),
    turns=(0,),
    seed=b"",
    game="nyet",
    options={},
    timing=Timing(),
    show_names=False,
    may_void=False,
)


async def test_a_job_of_its_own_process_passes_on_what_no_lane_waits_for() -> None:
    """So that the runner counts it; and the end of an order before is not taken for the end."""
    orders_out, orders_in = memory_stream_one_way_pair()
    news_out, news_in = memory_stream_one_way_pair()
    job = RemoteJob(Channel(news_in, orders_out, News), NoLine(), os.getpid(), ())
    other: Channel[Order] = Channel(orders_in, news_out, Order)
    simulated = Simulated(sets=2)
    match = played_match(simulated, ORDER.planned, 0, b"")
    late = msgspec.structs.replace(match, set=2)
    says: list[News] = [
        MatchOver(5, late),
        SetOver(2, 5),
        SetOver(1, 1),
        MatchOver(2, match),
        SetOver(1, 2),
    ]
    heard: list[News] = []

    async def answer() -> None:
        for news in says:
            await other.send(news)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(job.read)
        nursery.start_soon(answer)
        async with aclosing(job.play(ORDER)) as comes:
            heard += [news async for news in comes]
        nursery.cancel_scope.cancel()
    assert heard == says


async def test_a_job_is_left_in_order_while_news_waits_for_a_lane() -> None:
    """Trio warns of a reader of the pipe that is left open, and a warning is an error here."""
    orders_out, _ = memory_stream_one_way_pair()
    news_out, news_in = memory_stream_one_way_pair()
    job = RemoteJob(Channel(news_in, orders_out, News), NoLine(), os.getpid(), ())
    other: Channel[Order] = Channel(memory_stream_one_way_pair()[1], news_out, Order)
    async with trio.open_nursery() as nursery, aclosing(job.play(ORDER)) as comes:
        nursery.start_soon(job.read)
        nursery.start_soon(anext, comes)
        await wait_all_tasks_blocked()
        for _ in range(2):  # the lane takes the first
            await other.send(SetOver(ORDER.number, 1))
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
