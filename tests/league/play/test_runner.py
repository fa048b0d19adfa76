"""What the runner decides, with jobs that play in memory: no process, no clock."""

from __future__ import annotations

import math
import socket
import sqlite3
import threading
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from arena.bots.botfile import read_bot
from arena.groups import leaves
from arena.league.model.config import Entrant, League
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import MOST_VOIDS, PlannedSet
from arena.league.play.entering import LeagueStopped
from arena.league.play.jobs import JobEnded
from arena.league.play.lanes.cores import cores_of, matches_at_once, most_at_once
from arena.league.play.lanes.lanes import Lanes
from arena.league.play.lanes.looks import Charged, Look, Used
from arena.league.play.lanes.spread import FULL_LOOKS
from arena.league.play.orders import (
    EnterBots,
    MatchOver,
    News,
    PlaySet,
    Said,
    SetOver,
    Setup,
)
from arena.league.play.runner import MOST_BUGS, Runner
from arena.league.store import events
from arena.league.store.database import StoreError
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from arena.league.table.benching import MOST_FORFEITS
from arena.league.table.live import standings_of
from arena.record import Note
from arena.referee.wire.packed import LendLink
from arena.tokens import KnownToken, new_token
from tests.bots.programs import SAFETY_SECONDS
from tests.league.leagues import BOTS, Simulated, played_match, schedule, settings_of
from tests.league.play.test_interrupted_league import told
from tests.league.store.test_store import Failing, failing

SIMULATED = Simulated(sets=6)


class Seen:
    """A view that keeps what it is told."""

    def __init__(self) -> None:
        self.matches: list[LeagueMatch] = []
        self.voids: list[LeagueMatch] = []
        self.benchings: list[str] = []
        self.said: list[str] = []

    def begun(self, runner: Runner) -> None: ...

    def match_over(self, played: LeagueMatch) -> None:
        self.matches.append(played)

    def void(self, played: LeagueMatch) -> None:
        self.voids.append(played)

    def benched(self, name: str, reason: str) -> None:
        self.benchings.append(name)

    def says(self, text: str) -> None:
        self.said.append(text)

    def tick(self) -> None: ...


Change = Callable[[PlaySet, LeagueMatch], LeagueMatch | None]
"""What a job makes of a match; None: it ends over it."""


@dataclass
class InMemory:
    """Opens jobs that play simulated matches, changed as a test wants."""

    simulated: Simulated = SIMULATED
    change: Change = lambda order, played: played
    orders: list[PlaySet] = field(default_factory=list)
    opened: int = 0
    finished: int = 0

    @asynccontextmanager
    async def __call__(
        self, setup: Setup, cores: Sequence[int], log: Path
    ) -> AsyncIterator[InMemory]:
        self.opened += 1
        yield self

    async def finish(self) -> None:
        self.finished += 1

    async def lend(self, lent: LendLink, sock: socket.socket) -> None:
        """No bot dials in."""
        raise AssertionError(lent)

    async def enter(self, bots: EnterBots) -> None:
        """No bot is started."""

    async def pace(self, lanes: Lanes, most: int) -> None:
        """It stays as it is."""

    async def read(self) -> None:
        """There is nothing to read."""

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        self.orders.append(order)
        yield Said(order.line_up[0], "2.0", "somebody", "Python")
        for turn in order.turns:
            played = played_match(self.simulated, order.planned, turn, order.seed)
            played = msgspec.structs.replace(played, attempt=order.attempt)
            changed = self.change(order, played)
            if changed is None:
                raise JobEnded("as the test wants")
            yield MatchOver(order.lease, changed)
            if changed.is_void:
                break
        yield SetOver(order.number, order.lease)


@dataclass
class Counting(InMemory):
    """Wants more lanes than there were, and counts the sets that it plays at once."""

    wanted: int = 3
    playing: int = 0
    most: int = 0
    bounds: list[tuple[int, int]] = field(default_factory=list)

    async def pace(self, lanes: Lanes, most: int) -> None:
        self.bounds.append((lanes.wanted, most))
        lanes.want(self.wanted)

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        self.playing += 1
        self.most = max(self.most, self.playing)
        await wait_all_tasks_blocked()
        try:
            async with aclosing(super().play(order)) as comes:
                async for news in comes:
                    yield news
        finally:
            self.playing -= 1


@dataclass
class Busy(InMemory):
    """Tells looks at a job whose quick bots leave cores idle, while the first set is played."""

    looks: Sequence[Look] = ()
    lanes: list[Lanes] = field(default_factory=list)
    cores: list[Sequence[int]] = field(default_factory=list)
    wanted: int = 1

    @asynccontextmanager
    async def __call__(
        self, setup: Setup, cores: Sequence[int], log: Path
    ) -> AsyncIterator[InMemory]:
        self.cores.append(cores)
        async with super().__call__(setup, cores, log):
            yield self

    async def pace(self, lanes: Lanes, most: int) -> None:
        self.lanes.append(lanes)
        lanes.want(max(lanes.wanted, self.wanted))

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        await wait_all_tasks_blocked()
        looks, self.looks = self.looks, ()
        for lanes in self.lanes[:1]:
            for look in looks:
                lanes.on_look(look)
        async with aclosing(super().play(order)) as comes:
            async for news in comes:
                yield news


@dataclass
class LastFirst(InMemory):
    """Plays the first set when all others are over."""

    left: int = 5
    over: trio.Event = field(default_factory=trio.Event)

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        if order.number == 1:
            await self.over.wait()
        async with aclosing(super().play(order)) as comes:
            async for news in comes:
                if isinstance(news, SetOver) and order.number != 1:
                    self.left -= 1
                    if not self.left:
                        self.over.set()
                yield news


def void(played: LeagueMatch) -> LeagueMatch:
    record = msgspec.structs.replace(played.record, ending="void", scores=(), places=(), annulled=1)
    return msgspec.structs.replace(played, record=record)


@contextmanager
def begun(folder: Path, simulated: Simulated = SIMULATED) -> Iterator[Store]:
    with Store.open(folder / DATABASE) as store:
        if not store.has_begun:
            begin(store, simulated)
        yield store


def begin(store: Store, simulated: Simulated = SIMULATED) -> None:
    store.begin(settings_of(simulated).to_json(), b"k" * 32, b"l" * 32)
    told = [events.entrant(name, name, "hash") for name in simulated.bots]
    store.add_entrants([(name, name, "hash") for name in simulated.bots], told)
    store.add_sets(schedule(simulated))


def runner_of(
    store: Store, jobs: InMemory, *, number: int | None = 1, at_once: int | None = 1
) -> Runner:
    simulated = jobs.simulated
    bot = read_bot("python3 -c pass")
    league = League(
        simulated.name,
        simulated.game,
        simulated.seats,
        tuple(Entrant(name, bot, name) for name in simulated.bots),
        simulated.sets,
        options=simulated.options,
        jobs=number,
        at_once=at_once,
    )
    return Runner(league, store, store.path.parent / "log", jobs)


async def test_every_set_is_played_in_every_seating(tmp_path: Path) -> None:
    jobs, seen = InMemory(), Seen()
    with begun(tmp_path) as store:
        runner = runner_of(store, jobs)
        await runner.run((), seen)
        assert [one.number for one in store.complete_sets()] == [1, 2, 3, 4, 5, 6]
        assert [event["event"] for _, event in store.events()].count("finished") == 1
        heard = {entrant.name for entrant in store.entrants() if entrant.said.get("version")}
    assert heard == {order.line_up[0] for order in jobs.orders}
    assert len(seen.matches) == runner.entered.matches == 24
    assert len({order.seed for order in jobs.orders}) == 6


@pytest.mark.parametrize(("number", "at_once"), [(1, 3), (2, 1), (3, 2)])
async def test_the_table_is_the_same_with_more_jobs_and_more_at_once(
    tmp_path: Path, number: int, at_once: int
) -> None:
    tables = []
    for folder, how in (("one", (1, 1)), ("more", (number, at_once))):
        jobs = InMemory()
        with begun(tmp_path / folder) as store:
            await runner_of(store, jobs, number=how[0], at_once=how[1]).run((), Seen())
            tables.append(told(standings_of(store)))
        assert jobs.opened == jobs.finished == how[0]
    assert tables[0] == tables[1]


async def test_no_job_hears_that_the_league_is_over_while_a_set_is_in_play(tmp_path: Path) -> None:
    heard = []

    def look(order: PlaySet, played: LeagueMatch) -> LeagueMatch:
        heard.append(jobs.finished)
        return played

    jobs = InMemory(Simulated(sets=3), change=look)
    with begun(tmp_path, jobs.simulated) as store:
        await runner_of(store, jobs, number=2).run((), Seen())
    assert heard == [0] * 12
    assert jobs.finished == 2


def whose(voids: Sequence[LeagueMatch]) -> str:
    """Who would have been late in the one that there was."""
    (played,) = voids
    return played.record.names[1]


async def test_a_void_set_is_played_anew_from_another_seed(tmp_path: Path) -> None:
    def once(order: PlaySet, played: LeagueMatch) -> LeagueMatch:
        is_slow = (order.number, order.attempt, played.turn) == (2, 0, 1)
        return void(played) if is_slow else played

    jobs, seen = InMemory(change=once), Seen()
    with begun(tmp_path) as store:
        runner = runner_of(store, jobs)
        await runner.run((), seen)
        (second,) = [one for one in store.complete_sets() if one.number == 2]
        facts = standings_of(store).facts
        late = whose(seen.voids)
        assert (facts.voids, facts.annulled, runner.entered.voids) == (1, {late: 1}, {late: 1})
        assert [event["event"] for _, event in store.events()].count("void") == 1
    assert second.attempt == 1
    orders = [order for order in jobs.orders if order.number == 2]
    assert [order.turns for order in orders] == [(0, 1, 2, 3)] * 2
    assert orders[0].seed != orders[1].seed
    assert [played.place.set for played in seen.voids] == [2]


async def test_after_three_voids_of_a_set_its_result_stands(tmp_path: Path) -> None:
    def slow(order: PlaySet, played: LeagueMatch) -> LeagueMatch:
        if not order.may_void:
            return msgspec.structs.replace(played, stood=True)
        return void(played)

    jobs = InMemory(Simulated(sets=1), change=slow)
    with begun(tmp_path, jobs.simulated) as store:
        await runner_of(store, jobs).run((), Seen())
        facts = standings_of(store).facts
    assert [order.may_void for order in jobs.orders] == [True] * MOST_VOIDS + [False]
    assert (facts.voids, facts.stood, facts.sets) == (3, 4, 1)


async def test_a_set_that_is_void_whatever_is_done_stops_the_league(tmp_path: Path) -> None:
    jobs = InMemory(change=lambda order, played: void(played))
    with begun(tmp_path) as store:
        with pytest.raises(BaseExceptionGroup) as caught:
            await runner_of(store, jobs).run((), Seen())
        assert not list(store.complete_sets())
    (error,) = leaves(caught.value)
    assert isinstance(error, LeagueStopped)
    assert "only a bug in arena can make it" in str(error)


async def test_a_job_that_ends_is_replaced_and_its_set_goes_on_with_the_same_deal(
    tmp_path: Path,
) -> None:
    ended: list[LeagueMatch] = []

    def once(order: PlaySet, played: LeagueMatch) -> LeagueMatch | None:
        if played.turn == 2 and order.number == 3 and not ended:
            ended.append(played)
            return None
        return played

    jobs, seen = InMemory(change=once), Seen()
    with begun(tmp_path) as store:
        await runner_of(store, jobs).run((), seen)
        assert len(list(store.complete_sets())) == 6
    first, second = (order for order in jobs.orders if order.number == 3)
    assert (first.turns, second.turns) == ((0, 1, 2, 3), (2, 3))
    assert first.seed == second.seed
    assert seen.said == ["a referee process ended (as the test wants); another goes on"]
    assert (jobs.opened, jobs.finished) == (2, 1)


async def test_a_set_that_meets_bugs_in_arena_is_played_on_and_then_set_aside(
    tmp_path: Path,
) -> None:
    class HasBugs(InMemory):
        async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
            is_bad = order.number == 4 or (order.number == 2 and order.lease == 1)
            if is_bad:
                self.orders.append(order)
                yield SetOver(order.number, order.lease, bug="KeyError")
                return
            async with aclosing(super().play(order)) as comes:
                async for news in comes:
                    yield news

    jobs, seen = HasBugs(), Seen()
    with begun(tmp_path) as store:
        await runner_of(store, jobs).run((), seen)
        complete = {one.number for one in store.complete_sets()}
    assert Counter(order.number for order in jobs.orders)[2] == 2
    assert Counter(order.number for order in jobs.orders)[4] == MOST_BUGS
    assert complete >= {1, 2, 3, 5, 6}
    assert 4 not in complete
    (aside,) = (line for line in seen.said if "is set aside" in line)
    assert "3 times it met a bug in arena (KeyError)" in aside
    assert seen.said[0] == (
        f"set 2 met a bug in arena (KeyError), and is played on; see {tmp_path / 'log'}"
    )


async def test_a_job_that_always_ends_stops_the_league(tmp_path: Path) -> None:
    jobs = InMemory(change=lambda order, played: None)
    with begun(tmp_path) as store, pytest.raises(BaseExceptionGroup) as caught:
        await runner_of(store, jobs).run((), Seen())
    (error,) = leaves(caught.value)
    assert "ended 3 times in a row without a match" in str(error)
    assert (jobs.opened, jobs.finished) == (3, 0)


async def test_a_job_that_always_ends_stops_the_league_also_beside_one_that_plays(
    tmp_path: Path,
) -> None:
    class SecondEnds(InMemory):
        @asynccontextmanager
        async def __call__(
            self, setup: Setup, cores: Sequence[int], log: Path
        ) -> AsyncIterator[InMemory]:
            self.opened += 1
            yield self if self.opened == 1 else always_ends

        async def read(self) -> None:
            await trio.sleep_forever()

    class Ends(InMemory):
        async def read(self) -> None:
            before = len(jobs.orders)
            while len(jobs.orders) == before:
                await trio.lowlevel.checkpoint()
            raise JobEnded("as the test wants")

        async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
            await trio.sleep_forever()
            yield SetOver(order.number, order.lease)

    simulated = replace(SIMULATED, sets=60)
    always_ends, jobs = Ends(simulated), SecondEnds(simulated)
    with begun(tmp_path, simulated) as store, pytest.raises(BaseExceptionGroup) as caught:
        await runner_of(store, jobs, number=2).run((), Seen())
    assert "ended 3 times in a row without a match" in str(next(leaves(caught.value)))
    assert len(jobs.orders) >= 3


async def test_a_job_may_end_as_often_as_it_likes_if_it_hands_back_a_match_between(
    tmp_path: Path,
) -> None:
    ended: set[int] = set()

    def once_a_set(order: PlaySet, played: LeagueMatch) -> LeagueMatch | None:
        if played.turn == 2 and order.number not in ended:
            ended.add(order.number)
            return None
        return played

    jobs, seen = InMemory(change=once_a_set), Seen()
    with begun(tmp_path) as store:
        await runner_of(store, jobs).run((), seen)
        assert len(list(store.complete_sets())) == 6
    assert jobs.opened == 7
    assert len(seen.said) == 6


@pytest.mark.parametrize("steps", range(12))
async def test_a_job_may_end_at_any_step_while_lanes_take_their_sets(
    tmp_path: Path, steps: int
) -> None:
    """A set that was taken and not yet read from the store is played by the next job."""

    class EndsAtOnce(InMemory):
        async def read(self) -> None:
            for _ in range(steps):
                await trio.lowlevel.checkpoint()
            if self.opened == 1:
                raise JobEnded("as the test wants")

    jobs = EndsAtOnce()
    with begun(tmp_path) as store, trio.fail_after(SAFETY_SECONDS):
        await runner_of(store, jobs, at_once=3).run((), Seen())
        assert len(list(store.complete_sets())) == 6


async def test_a_finished_league_starts_no_job_and_says_nothing_twice(tmp_path: Path) -> None:
    with begun(tmp_path) as store:
        await runner_of(store, InMemory()).run((), Seen())
        last = store.last_event()
    jobs, seen = InMemory(), Seen()
    with begun(tmp_path) as store:
        await runner_of(store, jobs).run((), seen)
        assert store.last_event() == last
    assert (jobs.opened, seen.matches, seen.said) == (0, [], [])


async def test_sets_over_are_those_that_are_complete_before_they_count_too(tmp_path: Path) -> None:
    """Two of three are, and none counts: the first was left alone."""
    with begun(tmp_path) as store:
        for planned in schedule(SIMULATED)[1:3]:
            for turn in range(4):
                played = played_match(SIMULATED, planned, turn, b"seed")
                store.enter(played, completes=turn == 3, voids=False)
        runner = runner_of(store, InMemory())
        assert (runner.ledger.sets, runner.sets_over) == (0, 2)
        await runner.run((), Seen())
        assert (runner.ledger.sets, runner.sets_over) == (6, 6)


async def test_a_set_that_ends_before_its_turn_is_over_at_once(tmp_path: Path) -> None:
    """The first set is the last to end: until then the others are over, and none counts."""
    seen: list[tuple[int, int]] = []

    class Counting(Seen):
        def match_over(self, played: LeagueMatch) -> None:
            seen.append((runner.ledger.sets, runner.sets_over))

    with begun(tmp_path) as store:
        jobs = LastFirst()
        runner = runner_of(store, jobs, at_once=2)
        await runner.run((), Counting())
        assert (runner.ledger.sets, runner.sets_over) == (6, 6)
    assert jobs.orders[-1].number == 1
    assert seen[::4] == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]


async def test_sets_that_were_left_out_are_neither_over_nor_to_be_played(tmp_path: Path) -> None:
    simulated = Simulated(sets=1, bots=BOTS[:4], absent=("fox",))
    with begun(tmp_path, simulated) as store:
        # A second set, planned before anybody knew.
        store.add_sets([PlannedSet(2, BOTS[:4])])
        runner = runner_of(store, InMemory(simulated))
        await runner.run((), Seen())
        assert (runner.sets_over, runner.sets_in_all) == (1, 1)


async def test_who_is_benched_by_one_set_is_told_in_the_order_of_names(tmp_path: Path) -> None:
    absent = BOTS[:4]
    simulated = Simulated(sets=1, bots=BOTS[:4], absent=absent)
    seen = Seen()
    with begun(tmp_path, simulated) as store:
        await runner_of(store, InMemory(simulated)).run((), seen)
        told_of = [event for _, event in store.events() if event["event"] == "benched"]
    assert seen.benchings == [event["name"] for event in told_of] == sorted(absent)


async def test_a_benched_bot_is_seated_no_more(tmp_path: Path) -> None:
    simulated = Simulated(sets=30, illegal=("mole",))
    jobs, seen = InMemory(simulated), Seen()
    with begun(tmp_path, simulated) as store:
        await runner_of(store, jobs).run((), seen)
        table = standings_of(store)
        told_of = [event for _, event in store.events() if event["event"] == "benched"]
        grown = [event["sets"] for _, event in store.events() if event["event"] == "schedule"]
        assert grown[-1] == len(store.sets()) > simulated.sets
    assert seen.benchings == ["mole"]
    assert [event["name"] for event in told_of] == ["mole"]
    seatings = [order for order in jobs.orders if "mole" in order.line_up]
    assert len(seatings) == -(-MOST_FORFEITS // simulated.seats)
    assert table.facts.is_finished
    assert table.facts.sets == 30 < table.facts.sets_planned
    assert [row.name for row in table.benched] == ["mole"]


@pytest.mark.parametrize(("number", "at_once"), [(1, 3), (2, 2)])
async def test_sets_in_the_place_of_those_left_out_are_played_by_the_jobs_that_are_there(
    tmp_path: Path, number: int, at_once: int
) -> None:
    simulated = Simulated(sets=30, illegal=("mole",))
    tables = []
    for folder, how in (("one", (1, 1)), ("more", (number, at_once))):
        jobs = InMemory(simulated)
        with begun(tmp_path / folder, simulated) as store:
            await runner_of(store, jobs, number=how[0], at_once=how[1]).run((), Seen())
            tables.append(told(standings_of(store)))
            assert len(store.sets()) > simulated.sets
        assert jobs.opened == jobs.finished == how[0]
    assert tables[0] == tables[1]


async def test_what_was_left_out_is_played_by_the_others_whenever_it_was_killed(
    tmp_path: Path,
) -> None:
    """As many sets count as were asked for; those who have met least meet then."""
    simulated = Simulated(bots=(*BOTS, "wolf"), seats=2, sets=30, illegal=("mole",))
    played: list[dict[str, Any]] = []
    for ends in (None, 20, 44, 58):
        folder = tmp_path / str(ends)
        if ends is not None:
            left = iter(range(ends))

            def end(
                order: PlaySet, match: LeagueMatch, left: Iterator[int] = left
            ) -> LeagueMatch | None:
                return None if next(left, None) is None else match

            jobs = InMemory(simulated, change=end)
            with begun(folder, simulated) as store, pytest.raises(BaseExceptionGroup):
                await runner_of(store, jobs).run((), Seen())
        with begun(folder, simulated) as store:
            await runner_of(store, InMemory(simulated)).run((), Seen())
            played.append(told(standings_of(store)))
            assert not await runner_of(store, InMemory(simulated)).has_more(Seen())
            met = Counter(
                tuple(sorted(one.matches[0].record.names)) for one in store.complete_sets()
            )
    assert played[1:] == played[:1] * 3
    table = played[0]
    assert (table["facts"]["sets"], table["facts"]["state"]) == (30, "finished")
    pairs = list(combinations(sorted({*simulated.bots} - {"mole"}), 2))
    planned = Counter(tuple(sorted(one.line_up)) for one in schedule(simulated))
    assert min(planned[pair] for pair in pairs) == 0
    assert min(met[pair] for pair in pairs) == 2


async def test_where_too_few_are_left_for_a_table_the_league_is_finished(tmp_path: Path) -> None:
    simulated = Simulated(bots=("fox", "owl", "mole"), seats=3, sets=30, illegal=("mole",))
    with begun(tmp_path, simulated) as store:
        await runner_of(store, InMemory(simulated)).run((), Seen())
        facts = standings_of(store).facts
    assert facts.is_finished
    assert facts.sets < facts.sets_planned == 30


async def test_a_benching_that_was_not_told_before_a_kill_is_told_once_by_the_next_run(
    tmp_path: Path,
) -> None:
    simulated = Simulated(sets=30, illegal=("mole",))
    with begun(tmp_path, simulated) as store:
        await runner_of(store, InMemory(simulated)).run((), Seen())
    db = sqlite3.connect(tmp_path / DATABASE)
    db.execute("DELETE FROM events WHERE body LIKE '%benched%' OR body LIKE '%finished%'")
    db.commit()
    db.close()
    for _ in range(2):
        with begun(tmp_path, simulated) as store:
            await runner_of(store, InMemory(simulated)).run((), Seen())
            told_of = [event for _, event in store.events() if event["event"] == "benched"]
        assert [event["name"] for event in told_of] == ["mole"]


async def test_whichever_call_of_the_store_fails_it_goes_on_to_the_same_table(
    tmp_path: Path,
) -> None:
    """The first call fails, and all after it, or the second, and so on to the last."""
    simulated = Simulated(sets=1)
    never = 10**9
    left = await calls_left(tmp_path / "whole" / DATABASE, simulated, never)
    assert left is not None
    calls = never - left
    with Reader.read(tmp_path / "whole" / DATABASE) as store:
        whole = told(standings_of(store))
        last = store.last_event()
    for call in range(calls):
        path = tmp_path / str(call) / DATABASE
        assert await calls_left(path, simulated, call) is None
        with begun(path.parent, simulated) as store:
            await runner_of(store, InMemory(simulated)).run((), Seen())
            assert told(standings_of(store)) == whole
            assert store.last_event() == last
    assert await calls_left(tmp_path / str(calls) / DATABASE, simulated, calls) == 0


async def calls_left(path: Path, simulated: Simulated, calls: int) -> int | None:
    """Of so many calls of the store, after which all fail, what is left at the league's end; None
    if it does not come to it, or is told that the copy for readers stays behind."""
    behind: list[str] = []
    with Store.open(path, failing, behind.append) as store:
        begin(store, simulated)
        Failing.left = calls
        try:
            await runner_of(store, InMemory(simulated)).run((), Seen())
            assert all("disk I/O error" in line for line in behind)
            return None if behind else Failing.left
        except (StoreError, BaseExceptionGroup) as error:
            assert all("disk I/O error" in str(each) for each in leaves(error))  # noqa: PT017
            return None
        finally:
            Failing.left = 10**9


async def test_a_store_that_stays_locked_is_waited_for_and_then_told(tmp_path: Path) -> None:
    def hasty(uri: str) -> sqlite3.Connection:
        return sqlite3.connect(
            uri, uri=True, isolation_level=None, timeout=0, check_same_thread=False
        )

    seen = Seen()
    with Store.open(tmp_path / DATABASE, hasty) as store:
        begin(store)
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BaseExceptionGroup) as caught:
            await runner_of(store, InMemory()).run((), seen)
        other.execute("ROLLBACK")
        other.close()
        await runner_of(store, InMemory()).run((), Seen())
        assert len(list(store.complete_sets())) == 6
    assert all("locked" in str(error) for error in leaves(caught.value))
    assert any("waiting for it" in line for line in seen.said)


async def test_a_call_of_the_store_that_has_begun_is_waited_for_when_the_league_is_stopped(
    tmp_path: Path,
) -> None:
    """Half a call would be the end of the connection, which the next call uses."""
    begun_it, may_end = trio.Event(), threading.Event()
    happened: list[str] = []

    def slow() -> None:
        trio.from_thread.run_sync(begun_it.set)
        assert may_end.wait(20)
        happened.append("entered")

    async def stop(scope: trio.CancelScope) -> None:
        await begun_it.wait()
        with trio.CancelScope(shield=True):
            scope.cancel()
            await wait_all_tasks_blocked()
        may_end.set()

    with begun(tmp_path) as store:
        runner = runner_of(store, InMemory())
        async with trio.open_nursery() as nursery:
            with trio.CancelScope() as scope:
                nursery.start_soon(stop, scope)
                await runner.entered.stored(slow)
            happened.append("stopped")
    assert happened == ["entered", "stopped"]


def test_each_job_has_cores_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", {0: set(range(8))}.__getitem__)  # 0: ours
    assert cores_of(0, 1) == ()
    shares = [cores_of(job, 3) for job in range(3)]
    assert sorted(core for share in shares for core in share) == list(range(8))
    assert cores_of(1, 2) == [1, 3, 5, 7]
    assert cores_of(0, 9) == ()


def test_so_many_matches_are_played_at_once_that_a_core_of_each_job_is_left_to_referee(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", {0: set(range(8))}.__getitem__)
    assert [matches_at_once(jobs) for jobs in (1, 2, 3, 4, 8, 20)] == [7, 3, 1, 1, 1, 1]


def test_it_may_play_more_matches_at_once_than_that_but_not_any_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", {0: set(range(8))}.__getitem__)
    assert [most_at_once(jobs) for jobs in (1, 2, 8, 20, 64)] == [32, 16, 4, 1, 1]


@pytest.mark.parametrize(("at_once", "most"), [(None, 3), (1, 1), (2, 2)])
async def test_a_job_sets_the_number_of_matches_at_once_unless_the_file_fixes_it(
    tmp_path: Path, at_once: int | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", {0: {0, 1}}.__getitem__)
    with begun(tmp_path) as store:
        job = Counting()
        runner = runner_of(store, job, at_once=at_once)
        await runner.run((), Seen())
        assert job.most == most
        assert job.bounds == ([(1, 8)] if at_once is None else [])
        assert runner.is_over


BUSY_LOOKS = (Look(Used(0.5, 0.5, 1.0, 0.5), Charged(10_000, 100_000), 1),) * FULL_LOOKS


@pytest.mark.parametrize(
    ("number", "at_once", "cores"),
    [(None, None, [(), [0], [1]]), (1, None, [()]), (2, None, [[0], [1]]), (None, 2, [()])],
)
async def test_quick_bots_play_on_in_a_job_on_each_core_unless_the_file_fixes_the_number(
    tmp_path: Path,
    number: int | None,
    at_once: int | None,
    cores: list[Sequence[int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", {0: {0, 1}}.__getitem__)
    with begun(tmp_path) as store:
        job = Busy(looks=BUSY_LOOKS)
        runner = runner_of(store, job, number=number, at_once=at_once)
        await runner.run((), Seen())
        assert runner.is_over
        assert [one.number for one in store.complete_sets()] == [1, 2, 3, 4, 5, 6]
    assert sorted(map(list, job.cores)) == sorted(map(list, cores))
    assert (job.opened, job.finished) == (len(cores), len(cores))
    # Each set is ordered once: those in play are finished before the jobs change.
    assert sorted(order.number for order in job.orders) == [1, 2, 3, 4, 5, 6]


async def test_a_lane_that_waits_while_the_number_of_jobs_changes_plays_nothing_more_in_its_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here no set begins beside another, so the second lane of the first job waits."""
    monkeypatch.setattr("os.sched_getaffinity", {0: {0, 1}}.__getitem__)
    played: list[tuple[int, int]] = []  # the set, and how many jobs had been opened until then

    def look(order: PlaySet, one: LeagueMatch) -> LeagueMatch:
        played.append((order.number, job.opened))
        return one

    class OneByOne:
        def blocker(self, line_up: Sequence[str], /) -> str | None:
            return line_up[0] if runner.in_play else None

        def waits_until(self, line_up: Sequence[str], /) -> float:
            return math.inf

    with begun(tmp_path) as store:
        job = Busy(change=look, looks=BUSY_LOOKS, wanted=2)
        runner = runner_of(store, job, number=None, at_once=None)
        runner._sets.readiness = OneByOne()
        await runner.run((), Seen())
        assert [one.number for one in store.complete_sets()] == [1, 2, 3, 4, 5, 6]
    assert {number for number, opened in played if opened == 1} == {1}


async def test_no_token_of_a_bot_that_dials_in_is_entered(tmp_path: Path) -> None:
    """One that it wrote into a note would be on a page."""
    token = new_token()

    def tells_its_token(order: PlaySet, played: LeagueMatch) -> LeagueMatch:
        record = msgspec.structs.replace(played.record, notes=(Note(0, f"I am {token}"),))
        return msgspec.structs.replace(played, record=record)

    with begun(tmp_path) as store:
        job = InMemory(change=tells_its_token)
        await runner_of(store, job).run((), Seen(), tokens={"fox": KnownToken.of(token)})
        notes = {
            note.text
            for one in store.complete_sets()
            for played in one.matches
            for note in played.record.notes
        }
    assert notes == {f"I am {'*' * len(token)}"}
    for path in tmp_path.iterdir():
        assert token.encode() not in path.read_bytes()


async def test_no_token_is_entered_as_what_a_bot_says_of_itself(tmp_path: Path) -> None:
    token = new_token()

    class Tells(InMemory):
        async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
            yield Said("fox", token, f"by {token}", "Python")
            async with aclosing(super().play(order)) as comes:
                async for news in comes:
                    if not isinstance(news, Said):
                        yield news

    with begun(tmp_path) as store:
        tokens = {"fox": KnownToken.of(token)}
        await runner_of(store, Tells()).run((), Seen(), tokens=tokens)
        fox = next(one for one in store.entrants() if one.name == "fox")
    stars = "*" * len(token)
    assert fox.said == {"version": stars, "author": f"by {stars}", "language": "Python"}
