"""The referee process of a league, without the process: the sets it plays."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any, cast

import trio
from msgspec.structs import replace

from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place
from arena.league.play.held_output import word_of
from arena.league.play.job import play_set
from arena.record.timing import BotClock
from arena.referee.match import Plan, Result
from tests.league.play.test_orders import PLAYED, SET


class Tables:
    """A pool whose matches are all alike; from `void_at` on they are void."""

    def __init__(self, void_at: int = 9) -> None:
        self.void_at = void_at
        self.played: list[tuple[Plan, int, str]] = []
        self.forgotten: list[int] = []

    async def play(self, plan: Plan, number: int, *, word: str) -> tuple[Result, tuple[int, ...]]:
        await trio.lowlevel.checkpoint()
        self.played.append((plan, number, word))
        is_void = len(self.played) > self.void_at
        record = replace(PLAYED.record, ending="void" if is_void else PLAYED.record.ending)
        return Result(record, PLAYED.evidence, None, stood=True), (11, 12)

    def forget(self, number: int) -> None:
        self.forgotten.append(number)


async def matches_of(tables: Tables, **otherwise: Any) -> list[LeagueMatch]:
    order = replace(SET, **otherwise)
    async with aclosing(play_set(cast(Any, tables), order)) as matches:
        return [played async for played in matches]


async def test_each_turn_of_an_order_is_a_match_of_its_seating() -> None:
    tables = Tables()
    first, second = await matches_of(tables)
    assert [*tables.played] == [
        (
            Plan(
                match="",
                game="nyet",
                seats=2,
                seed=b"\0seed",
                names=names,
                options={"rounds": 1},
                timing=SET.timing,
                shown_names=names,
                may_void=False,
            ),
            3,
            word_of(Place(3, turn), 1),
        )
        for turn, names in enumerate([("fox", "owl"), ("owl", "fox")])
    ]
    for turn, played in enumerate((first, second)):
        assert played == LeagueMatch(
            3, turn, 1, PLAYED.record, (11, 12), played.ended, stood=True, evidence=PLAYED.evidence
        )
        assert played.ended
    assert tables.forgotten == [3]


async def test_names_are_shown_where_the_league_says_so_and_matches_may_be_void() -> None:
    tables = Tables()
    await matches_of(tables, show_names=False, may_void=True, turns=(1,))
    ((plan, _, _),) = tables.played
    assert (plan.shown_names, plan.may_void, plan.names) == (None, True, ("owl", "fox"))


async def test_a_bot_has_its_own_clock_in_every_seat() -> None:
    tables, slow = Tables(), BotClock(decision_ms=5000, bank_ms=0, hang_ms=5000)
    await matches_of(tables, clocks={"owl": slow})
    assert [plan.clocks for plan, _, _ in tables.played] == [(None, slow), (slow, None)]


async def test_a_void_match_is_the_last_of_its_set() -> None:
    tables = Tables(void_at=0)
    (played,) = await matches_of(tables)
    assert played.is_void
    assert (len(tables.played), tables.forgotten) == (1, [3])
