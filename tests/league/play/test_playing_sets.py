"""The referee process of a league, without the process: the sets it plays, and its evidence."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any, cast

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place
from arena.league.play.held_output import word_of
from arena.league.play.job import RunnersEvidence, play_set
from arena.league.play.orders import EvidenceAsked, EvidenceGiven
from arena.record.timing import BotClock
from arena.referee.door.evidence import EvidencePage
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


class Asked:
    """A channel that keeps what is asked."""

    def __init__(self) -> None:
        self.sent: list[EvidenceAsked] = []

    async def send(self, message: EvidenceAsked) -> None:
        await trio.lowlevel.checkpoint()
        self.sent.append(message)


async def test_evidence_goes_to_who_asked_for_it_whatever_comes_first() -> None:
    channel = Asked()
    evidence = RunnersEvidence(cast(Any, channel))
    pages = {"fox": EvidencePage(()), "owl": EvidencePage((), more=True)}
    found: dict[str, EvidencePage] = {}

    async def ask(name: str) -> None:
        found[name] = await evidence(name, f"after {name}")

    assert repr(evidence) == "<RunnersEvidence, 0 asked for>"
    async with trio.open_nursery() as nursery:
        for name in pages:
            nursery.start_soon(ask, name)
        await trio.testing.wait_all_tasks_blocked()
        assert {(each.name, each.after) for each in channel.sent} == {
            ("fox", "after fox"),
            ("owl", "after owl"),
        }
        assert {each.ticket for each in channel.sent} == {1, 2}
        assert repr(evidence) == "<RunnersEvidence, 2 asked for>"
        for each in reversed(channel.sent):
            evidence.given(EvidenceGiven(each.ticket, pages[each.name]))
    assert found == pages
    evidence.given(EvidenceGiven(1, pages["fox"]))  # nobody waits for it any more
    assert repr(evidence) == "<RunnersEvidence, 0 asked for>"


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (EvidenceGiven(1, None, "no league"), RuntimeError, "^no league$"),
        (EvidenceGiven(1, None), ValueError, "^No evidence stands at '1.2.3'$"),
    ],
)
async def test_trouble_and_a_place_that_is_none_are_errors(
    given: EvidenceGiven, error: type[Exception], words: str
) -> None:
    evidence = RunnersEvidence(cast(Any, Asked()))

    async def answer() -> None:
        await trio.testing.wait_all_tasks_blocked()
        evidence.given(given)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        with pytest.raises(error, match=words):
            await evidence("fox", "1.2.3")
