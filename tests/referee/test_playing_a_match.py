"""Matches taken on by the lookout: exceptions, cancellation, and who has to wait for whom."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from arena.games import State
from arena.record import Move
from arena.referee.match import Plan, Result
from arena.referee.table import play
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout, open_lookout
from tests.referee.small_table import (
    Punctual,
    Script,
    ScriptedBot,
    connected,
    random_bot,
    run_bot,
    virtual_us,
)

ROUND = {"rounds": 1}


class Table:
    """Links and their bots, a lookout at work over them."""

    def __init__(self, lookout: Lookout, links: list[Link], bots: list[ScriptedBot]):
        self.lookout = lookout
        self.links = links
        self.bots = bots

    def plan(self, number: int = 0, **options: object) -> Plan:
        return Plan(f"m-{number}", "nyet", 2, b"seed", ("one", "two"), {**ROUND, **options})


@asynccontextmanager
async def tables(number: int, *scripts: Script) -> AsyncIterator[list[Table]]:
    """So many tables for two; all have these bots."""
    scripts = scripts or (random_bot(1), random_bot(2))
    lookout = Lookout(virtual_us, Punctual(virtual_us))
    async with open_lookout(lookout), trio.open_nursery() as nursery:
        laid = []
        for _ in range(number):
            pairs = [connected(name, lookout) for name in ("one", "two")]
            laid.append(Table(lookout, [link for link, _ in pairs], [bot for _, bot in pairs]))
            for (_, bot), script in zip(pairs, scripts, strict=True):
                nursery.start_soon(run_bot, bot, script)
        yield laid
        for table in laid:
            for link in table.links:
                link.drop()
        nursery.cancel_scope.cancel()
    lookout.close()


async def test_an_exception_of_a_watcher_ends_its_match_and_no_other(
    autojump_clock: MockClock,
) -> None:
    def fail_at_the_tenth(number: int, move: Move, state: State) -> None:
        if number == 10:
            raise RuntimeError("not mine")

    played: list[Result] = []

    async with tables(2) as (broken, whole):

        async def play_on() -> None:
            played.append(await play(whole.plan(), whole.links))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_on)
            with pytest.raises(RuntimeError, match="not mine"):
                await play(broken.plan(), broken.links, fail_at_the_tenth)
        assert repr(whole.lookout) == "<Lookout over 0, 0 asked>"
    assert played[0].record.ending == "rounds"


async def test_an_exception_before_the_first_question_ends_the_match_too(
    autojump_clock: MockClock,
) -> None:
    class Unheard(Link):
        def tell(self, message: object) -> None:
            raise RuntimeError("not mine")

    async with tables(1) as (table,):
        table.links[0].__class__ = Unheard
        with pytest.raises(RuntimeError, match="not mine"):
            await play(table.plan(), table.links)
        assert repr(table.lookout) == "<Lookout over 0, 0 asked>"


async def silent(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
    """Never answers."""


async def test_a_match_that_is_cancelled_is_taken_on_by_nobody(autojump_clock: MockClock) -> None:
    async with tables(1, silent, silent) as (table,):
        with trio.move_on_after(0.05) as scope:
            await play(table.plan(), table.links)
        assert scope.cancelled_caught
        assert repr(table.lookout) == "<Lookout over 0, 0 asked>"
        asked = sum(len(bot.of("request")) for bot in table.bots)
        await trio.sleep(60)
        assert sum(len(bot.of("request")) for bot in table.bots) == asked == 1


async def test_a_link_that_was_dropped_before_its_match_is_gone_for_it(
    autojump_clock: MockClock,
) -> None:
    async with tables(1) as (table,):
        table.links[1].drop()
        played = await play(table.plan(), table.links)
        (kept,) = played.evidence
        assert (kept.seat, kept.code) == (1, "closed")
        assert played.record.forfeits == (1,)


async def test_a_link_that_is_dropped_while_it_is_asked_is_gone_for_its_match(
    autojump_clock: MockClock,
) -> None:
    """As when somebody who has dialled in comes again."""
    async with tables(1, silent, silent) as (table,):
        played: list[Result] = []

        async def play_on() -> None:
            played.append(await play(table.plan(), table.links))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_on)
            await trio.sleep(0.05)
            (asked,) = [link for link in table.links if link.is_asked]
            began = virtual_us()
            asked.drop()
        assert virtual_us() - began <= 20_000
        (kept,) = played[0].evidence
        assert kept.code == "closed"
        assert played[0].record.forfeits == (table.links.index(asked),)


async def test_who_answers_and_goes_at_once_is_gone_as_soon_as_it_is_asked_again(
    autojump_clock: MockClock,
) -> None:
    """The answer and the end are one piece of news; nobody waits for a deadline to learn it."""
    usual = random_bot(1)

    async def answer_and_go(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await usual(bot, message)
        if message["type"] == "request":
            bot.sock.close()

    async with tables(1, answer_and_go, random_bot(2)) as (table,):
        began = virtual_us()
        played = await play(table.plan(), table.links)
        (kept,) = played.evidence
        assert (kept.seat, kept.code) == (0, "closed")
        assert virtual_us() - began <= 20_000
