"""The order in which sets begin, where some of their bots are away or busy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.league.model.sets import PlannedSet, SetState
from arena.league.plan.format import Done, Wait
from arena.league.plan.planner import Planned
from arena.league.play.sets_to_play import SetInPlay, SetsToPlay
from arena.league.table.ledger import Ledger
from tests.league.leagues import Simulated, played_match

NAMES = ("fox", "owl", "hare", "mole")
TABLES = (("fox", "owl"), ("owl", "hare"), ("fox", "hare"), ("hare", "mole"))


class Here:
    """Bots that dial in: each has one connection; one that is away is waited for until a time."""

    def __init__(self, *names: str, until: float = math.inf) -> None:
        self.free = {*NAMES, *names}
        self.away: set[str] = set()
        self.until = until

    def blocker(self, line_up: Sequence[str], /) -> str | None:
        return next((name for name in line_up if name not in self.free), None)

    def waits_until(self, line_up: Sequence[str], /) -> float:
        busy = [name for name in line_up if name not in self.free]
        return self.until if self.away.issuperset(busy) else math.inf

    def leave(self, name: str) -> None:
        self.free.remove(name)
        self.away.add(name)


async def done() -> Planned | Wait | Done:
    return Done("every set is played")


def sets_of(
    here: Here, begun: Sequence[int] = (), tables: Sequence[tuple[str, ...]] = TABLES
) -> SetsToPlay:
    planned = [PlannedSet(number, table) for number, table in enumerate(tables, 1)]
    states = [SetState(each, 0, False, (0,) if each.number in begun else ()) for each in planned]
    sets = SetsToPlay(states, Ledger(NAMES, planned))
    sets.readiness = here
    return sets


async def taken(sets: SetsToPlay) -> SetInPlay | None:
    """Take a set, if that is possible without a wait."""
    found: list[SetInPlay | None] = [None]

    async def take() -> None:
        found.append(await sets.take(done))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return found[-1]


async def all_of(sets: SetsToPlay) -> list[int]:
    """Play all that can be played, one at a time."""
    numbers = []
    while (one := await taken(sets)) is not None:
        with sets.playing(one):
            numbers.append(one.planned.number)
    return numbers


async def test_sets_come_in_the_order_of_their_numbers() -> None:
    here = Here()
    sets = sets_of(here)
    assert await all_of(sets) == [1, 2, 3, 4]
    assert sets.is_over


async def test_a_set_whose_bot_is_away_comes_when_the_bot_does_and_others_before_it() -> None:
    here = Here()
    sets = sets_of(here)
    here.leave("fox")
    assert await all_of(sets) == [2, 4]
    assert sets.has_next
    assert not sets.is_over
    here.free.add("fox")
    assert await all_of(sets) == [1, 3]
    assert sets.is_over


async def test_a_set_that_waits_for_one_bot_waits_then_for_another() -> None:
    here = Here()
    sets = sets_of(here)
    here.leave("fox")
    here.leave("owl")
    assert await all_of(sets) == [4]
    here.free.add("fox")
    assert await all_of(sets) == [3]
    here.free.add("owl")
    assert await all_of(sets) == [1, 2]


async def test_a_bot_that_is_busy_in_one_set_begins_no_other() -> None:
    here = Here()
    sets = sets_of(here)
    one = await taken(sets)
    assert one is not None
    here.free -= {"fox", "owl"}
    with sets.playing(one):
        other = await taken(sets)
        assert other is not None
        assert other.planned.number == 4
        with sets.playing(other):
            here.free -= {"hare", "mole"}
            assert await taken(sets) is None


async def test_when_nothing_else_is_left_a_set_is_played_without_a_bot_that_was_waited_for(
    mock_clock: MockClock,
) -> None:
    here = Here(until=trio.current_time() + 600)
    sets = sets_of(here)
    waits: list[str] = []
    sets.on_wait = waits.append
    here.leave("fox")
    assert await all_of(sets) == [2, 4]
    mock_clock.jump(590)
    assert await taken(sets) is None
    mock_clock.jump(20)
    one = await taken(sets)
    assert one is not None
    assert one.planned.number == 1
    assert {*waits} == {"waiting for fox to dial in"}
    # As long as it is played, no other set is given up for lost.
    with sets.playing(one):
        assert await taken(sets) is None
    assert await all_of(sets) == [3]
    assert sets.is_over


async def test_where_sets_are_withdrawn_none_begins_without_its_bots_but_one_that_had_begun(
    mock_clock: MockClock,
) -> None:
    here = Here(until=trio.current_time() + 600)
    sets = sets_of(here, begun=[3])
    sets.withdraws = True
    here.leave("fox")
    assert await all_of(sets) == [2, 4]
    assert sets.taken == {3}
    mock_clock.jump(700)
    one = await taken(sets)
    assert one is not None
    assert one.planned.number == 3
    with sets.playing(one):
        pass
    assert await taken(sets) is None
    assert not sets.is_over


async def test_where_sets_are_withdrawn_one_that_had_begun_does_not_wait_until_nothing_else_is_left(
    mock_clock: MockClock,
) -> None:
    """A ladder always has more to play, and the other bots of the set wait for its end."""
    here = Here(until=trio.current_time() + 600)
    sets = sets_of(here, begun=[3])
    sets.withdraws = True
    here.leave("fox")
    mock_clock.jump(700)
    one = await taken(sets)
    assert one is not None
    assert one.planned.number == 3


async def test_a_set_that_was_ordered_has_begun_though_no_match_of_it_was_entered() -> None:
    planned = [PlannedSet(number, table) for number, table in enumerate(TABLES, 1)]
    states = [SetState(each, 0, False, ()) for each in planned]
    sets = SetsToPlay(states, Ledger(NAMES, planned), ordered={3})
    assert sets.taken == {3}
    assert sets.bots_playing_on == {*TABLES[2]}


async def test_a_lane_that_waits_looks_again_when_something_has_changed() -> None:
    here = Here()
    sets = sets_of(here, tables=TABLES[:1])
    here.leave("fox")
    found: list[SetInPlay | None] = []

    async def take() -> None:
        found.append(await sets.take(done))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take)
        await wait_all_tasks_blocked()
        assert found == []
        here.free.add("fox")
        sets.changed()
    assert [one.planned.number for one in found if one is not None] == [1]


async def test_a_lane_that_is_closed_while_it_waits_takes_nothing() -> None:
    """Also where another lane waits behind it, and what it waited for comes at the same moment."""
    here = Here()
    sets = sets_of(here, tables=TABLES[:1])
    here.leave("fox")
    found: list[SetInPlay | None] = []
    is_closed = [False]

    async def take() -> None:
        found.append(await sets.take(done, lambda: is_closed[0]))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take)
        nursery.start_soon(take)
        await wait_all_tasks_blocked()
        is_closed[0] = True
        here.free.add("fox")
        sets.changed()
    assert found == [None, None]
    assert not sets.is_over
    assert await all_of(sets) == [1]


async def test_a_league_is_not_over_while_a_bot_may_come_that_more_is_planned_for() -> None:
    sets = sets_of(Here(), tables=())
    may_come = [True]
    waits: list[str] = []
    sets.may_come = lambda: may_come[0]
    sets.on_wait = waits.append

    async def wait() -> Planned | Wait | Done:
        return Wait("1 of the 2 that a table needs is here")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(sets.take, wait)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert not sets.is_over
    assert waits == ["1 of the 2 that a table needs is here"]
    may_come[0] = False
    assert await sets.take(wait) is None
    assert sets.is_over


async def test_no_set_begins_while_some_may_be_withdrawn() -> None:
    sets = sets_of(Here(), tables=TABLES[:1])
    found: list[SetInPlay | None] = []

    async def take() -> None:
        found.append(await sets.take(done))

    async with trio.open_nursery() as nursery:
        with sets.held():
            nursery.start_soon(take)
            await wait_all_tasks_blocked()
            assert found == []
            assert sets.taken == set()
    assert [one.planned.number for one in found if one is not None] == [1]


async def test_the_matches_of_a_set_are_let_go_when_it_is_over_and_kept_for_another_lane() -> None:
    """The records of all sets of a ladder would fill the memory."""
    sets = sets_of(Here())
    match = played_match(Simulated(seats=2), PlannedSet(1, ("fox", "owl")), 0, bytes(32))
    one = await taken(sets)
    assert one is not None
    with suppress(KeyError), sets.playing(one):
        one.matches = {0: match}
        raise KeyError("as a job that ends")
    assert one.matches == {0: match}
    again = await taken(sets)
    assert again is one
    with sets.playing(again):
        pass
    assert one.matches == {}
