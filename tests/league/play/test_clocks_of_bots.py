"""Leagues in which one bot has a clock of its own: orders, records, table and verification."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from arena.audit.league import audit
from arena.league.entry.opening import CannotGoOn, open_league
from arena.league.model.config import Entrant, League
from arena.league.model.played import LeagueMatch
from arena.league.play.orders import PlaySet
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.record.timing import BotClock
from tests.league.play.test_formats import BOT, CUP, play
from tests.league.play.test_runner import InMemory

SLOW = BotClock(decision_ms=5000, bank_ms=10_000, hang_ms=5000)
NAMES = ("ant", "bee", "cat")


def league(sets: int = 6, **clocks: BotClock) -> League:
    bots = tuple(Entrant(name, BOT, name, clock=clocks.get(name)) for name in NAMES)
    return replace(CUP, entrants=bots, sets=sets)


def kept(order: PlaySet, played: LeagueMatch) -> LeagueMatch:
    """The match with the clocks of its order, as a referee keeps them."""
    if not order.clocks:
        return played
    clocks = tuple(order.clocks.get(name) for name in played.record.names)
    return changed(played, record=changed(played.record, clocks=clocks))


def misfits(folder: Path) -> list[str]:
    return [*map(str, audit(folder, lambda done, of: None).findings.all)]


async def test_orders_tell_the_clocks_of_their_bots(tmp_path: Path) -> None:
    jobs = InMemory(change=kept)
    await play(league(ant=SLOW), tmp_path, jobs)
    for order in jobs.orders:
        assert order.clocks == ({"ant": SLOW} if "ant" in order.line_up else {})
    assert {bool(order.clocks) for order in jobs.orders} == {True, False}
    assert misfits(tmp_path) == []


async def test_a_record_without_the_clock_of_its_bot_is_found(tmp_path: Path) -> None:
    await play(league(ant=SLOW), tmp_path, InMemory())
    found = misfits(tmp_path)
    assert found
    assert all("and ant has decision_ms 5000" in each for each in found)


async def test_the_table_has_the_clock_of_each_row(tmp_path: Path) -> None:
    table = await play(league(ant=SLOW), tmp_path, InMemory(change=kept))
    assert {row.name: row.clock for row in table.rows} == {"ant": SLOW, "bee": None, "cat": None}


async def test_the_clock_of_a_bot_that_has_played_stays(tmp_path: Path) -> None:
    await play(league(ant=SLOW), tmp_path, InMemory(change=kept))
    with pytest.raises(CannotGoOn) as caught:
        open_league(league(), tmp_path)
    assert caught.value.problems == (
        "the clock of 'ant' was { decision_ms = 5000, bank_ms = 10000, hang_ms = 5000 } and is now"
        " that of the league, but matches under another clock do not compare: put it back, or begin"
        " a new league, with a file of another name",
    )


async def test_the_clock_of_a_bot_that_has_not_played_may_change(tmp_path: Path) -> None:
    """While others have: the league does not begin anew, and an event tells it."""
    await play(league(), tmp_path, InMemory())
    before = league()
    entered = replace(before, entrants=(*before.entrants, Entrant("dog", BOT, "dog")))
    open_league(entered, tmp_path).close()
    slower = (*before.entrants, Entrant("dog", BOT, "dog", clock=SLOW, connections=3))
    open_league(replace(entered, entrants=slower), tmp_path).close()
    with Reader.read(tmp_path / DATABASE) as store:
        roster = store.roster()
        (event,) = (each for _, each in store.events() if each["event"] == "changed")
    assert roster.clocks == {"dog": SLOW}
    assert (event["name"], event["clock"], event["connections"]) == ("dog", SLOW.in_words(), 3)
    assert misfits(tmp_path) == []


async def test_connections_may_change_at_any_time(tmp_path: Path) -> None:
    await play(league(), tmp_path, InMemory())
    first, *others = league().entrants
    more = replace(league(), entrants=(replace(first, connections=2), *others))
    open_league(more, tmp_path).close()
    with Reader.read(tmp_path / DATABASE) as store:
        assert store.roster().rows["ant"].connections == 2
    assert misfits(tmp_path) == []
