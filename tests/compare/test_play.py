"""Sets of a match outside a league: the order they are played in, and what ends them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import cast

import msgspec
import trio
import trio.testing

from arena.compare.play import Comparison, play
from arena.compare.sets import OneSet, seed_of_set
from arena.compare.stop import Bounds, StopTest, Trial, Verdict
from arena.record.evidence import Evidence
from arena.referee.match import OnMove, Plan, Result
from arena.referee.players.pool import Pool
from arena.referee.replies import Broken
from arena.referee.table import not_begun
from protocol.breaches import no_connection
from tests.league.leagues import Simulated, played_match
from tests.league.leagues import schedule as planned_sets

NAMES = ("fox", "owl", "crow")
PLAN = Plan(match="", game="nyet", seats=3, seed=b"seed", names=NAMES, options={"rounds": 1})

Change = Callable[[int, Result], Result]


class InMemory:
    """A pool without processes: every match has the same result, but for what a test changes."""

    def __init__(self, change: Change = lambda number, result: result) -> None:
        self.gates: dict[int, trio.Event] = {}  # of sets that wait for something
        self.plans: list[tuple[int, Plan]] = []
        self.forgotten: list[int] = []
        self._change = change

    async def play(
        self, plan: Plan, set_number: int, on_move: OnMove | None
    ) -> tuple[Result, tuple[int, ...]]:
        self.plans.append((set_number, plan))
        if set_number in self.gates:
            await self.gates[set_number].wait()
        simulated = Simulated(seats=3, bots=NAMES, sets=1)
        record = played_match(simulated, planned_sets(simulated)[0], 0, b"").record
        return self._change(len(self.plans), Result(record, (), None)), (1, 2, 3)

    def forget(self, set_number: int) -> None:
        self.forgotten.append(set_number)


class Seen:
    """A view that keeps what it is told, and closes after so many results."""

    def __init__(self, closes_after: int | None = None) -> None:
        self.results = 0
        self.absences: list[str] = []
        self.sets: list[int] = []
        self._closes_after = closes_after

    @property
    def is_closed(self) -> bool:
        return self.results == self._closes_after

    def begin(self, comparison: Comparison) -> None:
        """Keep nothing."""

    def match(self, plan: Plan) -> AbstractContextManager[OnMove | None]:
        return nullcontext(None)

    def result(self, match: Result) -> None:
        self.results += 1

    def absent(self, name: str, fault: Evidence) -> None:
        self.absences.append(name)

    def progress(self, comparison: Comparison, number: int, one: OneSet) -> None:
        assert len(one) == len(comparison.seatings)
        self.sets.append(number)


async def played(
    pool: InMemory, view: Seen, sets: int | None, *, jobs: int = 1, trial: Trial | None = None
) -> Comparison:
    comparison = Comparison(PLAN, sets, [(0,), (1,), (2,)] if trial is None else [(0, 1), (2,)])
    comparison.trial, comparison.jobs = trial, jobs
    await play(comparison, cast("Pool", pool), view)
    return comparison


async def test_a_single_match_is_played_as_it_was_planned() -> None:
    pool, view = InMemory(), Seen()
    comparison = await played(pool, view, None)
    assert pool.plans == [(0, PLAN)]
    assert len(comparison.results) == view.results == 1
    assert comparison.counted == []


async def test_a_rival_plays_each_match_of_the_first_bot_again_in_its_seat() -> None:
    pool, view = InMemory(), Seen()
    comparison = Comparison(PLAN, 1, [(0,), (3,)], rival="cub")
    await play(comparison, cast("Pool", pool), view)
    assert [plan.names for _, plan in pool.plans] == [
        ("fox", "owl", "crow"),
        ("cub", "owl", "crow"),
        ("owl", "crow", "fox"),
        ("owl", "crow", "cub"),
        ("crow", "fox", "owl"),
        ("crow", "cub", "owl"),
    ]
    assert len({plan.seed for _, plan in pool.plans}) == 1
    assert comparison.names == ["fox", "cub"]
    assert comparison.is_whole
    assert len(comparison.counted) == 1


async def test_each_set_has_its_own_deal_and_every_seating() -> None:
    pool, view = InMemory(), Seen()
    comparison = await played(pool, view, 2)
    assert [number for number, _ in pool.plans] == [0, 0, 0, 1, 1, 1]
    assert {plan.seed for number, plan in pool.plans if number} == {seed_of_set(b"seed", 1)}
    assert [plan.names for _, plan in pool.plans[:3]] == [
        ("fox", "owl", "crow"),
        ("owl", "crow", "fox"),
        ("crow", "fox", "owl"),
    ]
    assert len(comparison.counted) == 2
    assert (view.results, view.sets, pool.forgotten) == (6, [1, 2], [0, 1])


async def test_a_bot_that_does_not_come_ends_it() -> None:
    absent = not_begun(PLAN, {1: no_connection(10)})
    pool = InMemory(lambda number, result: absent if number == 5 else result)
    view = Seen()
    comparison = await played(pool, view, 9)
    assert (len(comparison.results), len(comparison.counted)) == (5, 1)
    assert (view.results, view.absences) == (4, ["crow"])


async def test_a_set_with_a_void_match_is_played_to_its_end_and_does_not_count() -> None:
    why = Broken(ValueError("a bug"))
    pool = InMemory(
        lambda number, result: Result(result.record, (), why) if number == 1 else result
    )
    view = Seen()
    comparison = await played(pool, view, 2)
    assert (len(comparison.results), len(comparison.counted), view.sets) == (6, 1, [2])


async def test_when_nobody_reads_any_more_it_ends() -> None:
    comparison = await played(InMemory(), Seen(closes_after=4), 9)
    assert len(comparison.results) == 4


def won_by_the_last(number: int, result: Result) -> Result:
    """The crow wins every match, wherever it sits."""
    turn = (number - 1) % 3
    seat = (2 - turn) % 3
    places = tuple(1 if each == seat else 2 for each in range(3))
    return Result(msgspec.structs.replace(result.record, places=places), (), None)


async def test_a_stop_test_ends_the_sets_at_its_verdict() -> None:
    trial = Trial(StopTest(Bounds(0, 100)), 2, 1)
    view = Seen()
    comparison = await played(InMemory(won_by_the_last), view, None, trial=trial)
    assert trial.verdict is Verdict.REJECTED
    assert len(comparison.played) == len(comparison.counted) == trial.sets == len(view.sets)


async def test_a_stop_test_without_a_verdict_ends_after_the_most_sets() -> None:
    trial = Trial(StopTest(Bounds(0, 100)), 2, 1)
    comparison = await played(InMemory(won_by_the_last), Seen(), 4, trial=trial)
    assert (trial.verdict, trial.sets) == (Verdict.NOT_YET, 4)
    assert comparison.is_whole


async def test_several_sets_at_once_are_counted_in_the_order_in_which_they_began() -> None:
    pool, view = InMemory(), Seen()
    pool.gates[1] = trio.Event()
    async with trio.open_nursery() as nursery:

        async def finish() -> None:
            await trio.testing.wait_all_tasks_blocked()
            # Set 1 waits; the other lane has played all others.
            assert {number for number, _ in pool.plans} == {0, 1, 2, 3}
            assert view.sets == [1]
            pool.gates[1].set()

        nursery.start_soon(finish)
        comparison = await played(pool, view, 4, jobs=2)
    assert view.sets == [1, 2, 3, 4]
    assert len(comparison.counted) == 4


async def test_a_verdict_ends_sets_that_are_in_play_and_they_do_not_count() -> None:
    """Set 12 never ends, and set 13, which is over, waits for it in vain."""
    pool = InMemory(won_by_the_last)
    pool.gates[0], pool.gates[12] = trio.Event(), trio.Event()
    trial = Trial(StopTest(Bounds(0, 600)), 2, 1)
    async with trio.open_nursery() as nursery:

        async def finish() -> None:
            await trio.testing.wait_all_tasks_blocked()
            assert trial.sets == 0
            pool.gates[0].set()

        nursery.start_soon(finish)
        comparison = await played(pool, Seen(), 14, jobs=3, trial=trial)
    assert trial.verdict is Verdict.REJECTED
    assert trial.sets == len(comparison.counted) < 13
    assert len(comparison.played) == 14
    assert comparison.played[12] == []


async def test_sets_that_are_there_already_are_counted_and_not_played_again() -> None:
    trial = Trial(StopTest(Bounds(0, 600)), 2, 1)
    before = await played(InMemory(won_by_the_last), Seen(), None, trial=trial)
    assert trial.verdict is Verdict.REJECTED
    pool, view = InMemory(won_by_the_last), Seen()
    again = Comparison(PLAN, None, before.rows, Trial(trial.test, 2, 1), played=before.played)
    await play(again, cast("Pool", pool), view)
    assert again.trial == trial
    assert (pool.plans, view.sets) == ([], [])


async def test_gaps_are_played_before_new_sets() -> None:
    whole = await played(InMemory(), Seen(), 4)
    some = [whole.played[0], [], whole.played[2]]
    pool, kept = InMemory(), list[int]()
    again = Comparison(PLAN, 4, whole.rows, played=some)
    await play(again, cast("Pool", pool), Seen(), lambda number, _: kept.append(number))
    assert [number for number, _ in pool.plans] == [1, 1, 1, 3, 3, 3]
    assert kept == [1, 3]
    assert len(again.counted) == 4
