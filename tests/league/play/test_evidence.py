"""Evidence that a bot asks for: from the league through the runner and the job to the door."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trio
from trio.testing import (
    lockstep_stream_one_way_pair,
    memory_stream_one_way_pair,
    wait_all_tasks_blocked,
)

from arena.league.model.evidence import BEFORE_ALL, EvidencePlace
from arena.league.play.evidence import evidence_for
from arena.league.play.job import RunnersEvidence
from arena.league.play.jobs import RemoteJob
from arena.league.play.orders import (
    Channel,
    EvidenceAsked,
    EvidenceGiven,
    News,
    Order,
    PlaySet,
)
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.record.evidence import Evidence
from arena.referee.door.evidence import MOST_TOLD, EvidencePage, KeptFault
from tests.audit.damage import Damaged
from tests.audit.honest import Honest, honest
from tests.bots.programs import SAFETY_SECONDS
from tests.league.play.test_runner import InMemory, Seen, begun, runner_of

LEAGUE = Honest(sets=12, illegal=("hare", "mole"), unfinished=2)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return honest(tmp_path_factory.mktemp("leagues"), LEAGUE) / DATABASE


def all_of(league: Path, name: str) -> list[tuple[str, Evidence]]:
    """The evidence of a bot with the places of its matches, found by their records."""
    with Reader.read(league) as store:
        return [
            (str(played.place), one)
            for number in store.completed()
            for played in getattr(store.complete_set(number), "matches", ())
            for one in store.evidence(played.place)
            if played.record.names[one.seat] == name
        ]


def page_of(league: Path, name: str, after: str = "") -> EvidencePage:
    given = evidence_for(league, EvidenceAsked(7, name, after))
    assert (given.ticket, given.trouble) == (7, "")
    assert given.page is not None
    return given.page


@pytest.mark.parametrize("name", ["hare", "mole", "fox"])
def test_page_by_page_a_bot_gets_its_own_faults_in_complete_sets_and_no_others(
    league: Path, name: str
) -> None:
    found: list[KeptFault] = []
    for _ in range(99):
        page = page_of(league, name, found[-1].at if found else "")
        assert len(page.kept) <= MOST_TOLD
        found += page.kept
        if not page.more:
            break
        assert len(page.kept) == MOST_TOLD
    assert [(each.match, each.evidence) for each in found] == all_of(league, name)
    assert (len(found) > MOST_TOLD) == (name != "fox")
    places = [EvidencePlace.parse(each.at) for each in found]
    assert places == sorted({each for each in places if each is not None})


def test_after_the_last_place_and_for_a_stranger_there_is_nothing(league: Path) -> None:
    assert page_of(league, "hare", "999999.0.0") == EvidencePage(())
    assert page_of(league, "nobody") == EvidencePage(())


@pytest.mark.parametrize(
    "after", ["1.2", "a.b.c", "-1.0.0", "1.2.3.4", "1..3", "²33.0.0", "9" * 40, f"{2**63}.0.0"]
)
def test_a_place_that_is_none_is_known(league: Path, after: str) -> None:
    assert evidence_for(league, EvidenceAsked(1, "hare", after)) == EvidenceGiven(1, None)


def test_a_league_that_cannot_be_read_is_told_and_stops_nobody(tmp_path: Path) -> None:
    given = evidence_for(tmp_path / DATABASE, EvidenceAsked(1, "hare", ""))
    assert given.page is None
    assert "league.db" in given.trouble


def test_places_of_evidence_are_written_and_read_again() -> None:
    for place in (EvidencePlace(5231, 3, 0), BEFORE_ALL):
        assert EvidencePlace.parse(str(place)) == place
    assert EvidencePlace(5, 0, 0) < EvidencePlace(5, 0, 1) < EvidencePlace(5, 1, 0)


class Ends:
    """Both ends of the pipes between a runner and a job."""

    def __init__(self) -> None:
        orders_out, self.orders_in = memory_stream_one_way_pair()
        news_out, news_in = memory_stream_one_way_pair()
        comes = News | EvidenceAsked
        self.job = RemoteJob(Channel(news_in, orders_out, comes))
        self.channel: Channel[Order] = Channel(self.orders_in, news_out, Order)
        self.source = RunnersEvidence(self.channel)

    async def hand_over(self) -> None:
        """What the job does with its orders."""
        async for order in self.channel:
            assert isinstance(order, EvidenceGiven)
            self.source.given(order)


async def test_the_job_asks_while_no_lane_waits_and_gets_what_it_asked_for() -> None:
    ends = Ends()
    asked: list[EvidenceAsked] = []
    pages = {name: EvidencePage((), more=name == "fox") for name in ("fox", "owl")}
    got: dict[str, EvidencePage] = {}

    async def asks(name: str) -> None:
        got[name] = await ends.source(name, "5.0.0")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ends.job.read, asked.append)
        nursery.start_soon(ends.hand_over)
        for name in pages:
            nursery.start_soon(asks, name)
        await wait_all_tasks_blocked()
        assert {(each.name, each.after) for each in asked} == {("fox", "5.0.0"), ("owl", "5.0.0")}
        for each in reversed(asked):
            await ends.job.give(EvidenceGiven(each.ticket, pages[each.name]))
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert got == pages


async def test_an_answer_that_nobody_waits_for_any_more_is_dropped() -> None:
    ends = Ends()
    asked: list[EvidenceAsked] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ends.job.read, asked.append)
        nursery.start_soon(ends.hand_over)
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as asking:
                asking.start_soon(ends.source, "fox", "")
                await wait_all_tasks_blocked()
                scope.cancel()
        await ends.job.give(EvidenceGiven(asked[0].ticket, EvidencePage(())))
        await wait_all_tasks_blocked()
        assert "0 asked for" in repr(ends.source)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("trouble", "error", "words"),
    [("", ValueError, "No evidence stands at 'x'"), ("damaged", RuntimeError, "damaged")],
)
async def test_no_such_place_and_trouble_are_errors_of_their_own(
    trouble: str, error: type[Exception], words: str
) -> None:
    ends = Ends()

    async def answer(asked: EvidenceAsked) -> None:
        await ends.job.give(EvidenceGiven(asked.ticket, None, trouble))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ends.job.read, lambda asked: nursery.start_soon(answer, asked))
        nursery.start_soon(ends.hand_over)
        with pytest.raises(error, match=words):
            await ends.source("fox", "x")
        nursery.cancel_scope.cancel()


def test_a_set_that_is_not_complete_is_not_told_whatever_its_events_say(tmp_path: Path) -> None:
    home = honest(tmp_path, Honest(sets=4, illegal=("hare",)))
    path = home / DATABASE
    places = {each.match for each in page_of(path, "hare").kept}
    hidden = next(iter(sorted(places))).partition(".")[0]
    Damaged(home, DATABASE).execute("UPDATE sets SET is_complete = 0 WHERE number = ?", int(hidden))
    rest = {each.match.partition(".")[0] for each in page_of(path, "hare").kept}
    assert rest
    assert hidden not in rest


async def test_whoever_asks_may_leave_while_the_order_is_being_sent() -> None:
    """Half an order would be the end of the pipe."""
    news_out, news_in = lockstep_stream_one_way_pair()
    comes: Channel[EvidenceAsked] = Channel(news_in, memory_stream_one_way_pair()[0], EvidenceAsked)
    source = RunnersEvidence(Channel(memory_stream_one_way_pair()[1], news_out, Order))
    with trio.fail_after(SAFETY_SECONDS):
        async with trio.open_nursery() as nursery:
            for name in ("fox", "owl"):
                nursery.start_soon(source, name, "")
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                heard = {(await anext(comes)).name for _ in range(2)}
    assert heard == {"fox", "owl"}


async def test_a_job_that_has_ended_needs_no_answer() -> None:
    ends = Ends()
    await ends.orders_in.aclose()
    await ends.job.give(EvidenceGiven(1, EvidencePage(())))


@dataclass
class Asks(InMemory):
    """Plays nothing before it was answered."""

    is_told: trio.Event = field(default_factory=trio.Event)

    async def read(self, answer: Callable[[EvidenceAsked], object]) -> None:
        answer(EvidenceAsked(3, "fox", ""))
        answer(EvidenceAsked(4, "fox", "nowhere"))

    async def give(self, evidence: EvidenceGiven) -> None:
        await super().give(evidence)
        if len(self.given) > 1:
            self.is_told.set()

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        await self.is_told.wait()
        async with aclosing(super().play(order)) as comes:
            async for news in comes:
                yield news


async def test_the_runner_reads_the_league_for_a_job_that_asks(tmp_path: Path) -> None:
    jobs = Asks()
    with begun(tmp_path) as store, trio.fail_after(SAFETY_SECONDS):
        await runner_of(store, jobs).run((), Seen())
        assert len(list(store.complete_sets())) == 6
    assert sorted(jobs.given, key=lambda each: each.ticket) == [
        EvidenceGiven(3, EvidencePage(())),
        EvidenceGiven(4, None),
    ]
