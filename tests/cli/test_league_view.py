"""A league as it is shown while it goes: the pace, and lines about progress."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.cli import league_view
from arena.cli.league_view import LINE_SECONDS, RATE_MATCHES, Pace, ProgressLines, View
from arena.league.model.played import LeagueMatch
from arena.league.store.store import Store
from arena.league.table.live import standings_of
from arena.outputs.words import progress
from tests.league.leagues import Simulated, played_match, schedule
from tests.league.play.test_runner import SIMULATED, InMemory, begun, runner_of

PLAYED = played_match(SIMULATED, schedule(SIMULATED)[0], 0, b"seed")


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(league_view, "time", SimpleNamespace(monotonic=clock))
    return clock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Six sets of four matches, none played."""
    with begun(tmp_path) as store:
        yield store


def test_the_pace_is_told_by_the_matches_since_the_league_began(store: Store, clock: Clock) -> None:
    view = View(lambda line: None)
    assert view.progress() == ""
    assert view.pace() == Pace(0, None)
    view.begun(runner_of(store, InMemory()))
    assert view.progress() == "0 of 6 sets, 0 matches in this run, no match yet"
    for _ in range(2):
        clock.now += 5
        view.match_over(PLAYED)
    # 24 matches are left at one in five seconds.
    assert view.pace() == Pace(0.2, 120.0)
    assert view.progress() == "0 of 6 sets, 0 matches in this run, 12.0 matches/min, 2 min 0 s left"


def test_in_a_long_league_the_pace_is_that_of_the_last_matches(store: Store, clock: Clock) -> None:
    view = View(lambda line: None)
    view.begun(runner_of(store, InMemory()))
    clock.now += 10_000
    for _ in range(RATE_MATCHES):
        view.match_over(PLAYED)
        clock.now += 50 / RATE_MATCHES
    assert view.pace() == Pace(RATE_MATCHES / 50, 24 / (RATE_MATCHES / 50))


def test_a_line_about_progress_comes_seldom_and_only_once_a_match_is_over(
    store: Store, clock: Clock
) -> None:
    told: list[str] = []
    view = ProgressLines(told.append)
    view.begun(runner_of(store, InMemory()))
    clock.now += LINE_SECONDS
    view.tick()
    assert told == []
    view.match_over(PLAYED)
    for _ in range(2):
        view.tick()
        clock.now += LINE_SECONDS - 0.1
    assert told == ["0 of 6 sets, 0 matches in this run, 12.0 matches/min, 2 min 0 s left"]
    clock.now += 0.1
    view.tick()
    assert len(told) == 2


def test_a_league_that_goes_on_says_how_far_it_is(tmp_path: Path, clock: Clock) -> None:
    told: list[str] = []
    with begun(tmp_path) as store:
        for turn in range(4):
            played = played_match(SIMULATED, schedule(SIMULATED)[0], turn, b"seed")
            store.enter(played, completes=turn == 3, voids=False)
        View(told.append).begun(runner_of(store, InMemory()))
    assert told == ["going on after 1 of 6 sets"]


def test_a_pace_of_many_matches_is_told_by_the_second() -> None:
    assert str(Pace(1.0, None)) == "1.0 matches/s"
    assert str(Pace(0.99, 1)) == "59.4 matches/min, 1 s left"


async def test_progress_is_counted_one_way_and_ends_at_all_though_bots_were_benched(
    tmp_path: Path,
) -> None:
    """Sets that were left out are no part of it; those in their place are, from the beginning."""
    simulated = Simulated(sets=30, illegal=("mole",))
    seen: list[tuple[int, int | None]] = []

    class Counting(View):
        def match_over(self, played: LeagueMatch) -> None:
            super().match_over(played)
            seen.append((runner.sets_over, runner.sets_in_all))

    view = Counting(lambda line: None)
    with begun(tmp_path, simulated) as store:
        runner = runner_of(store, InMemory(simulated))
        await runner.run((), view)
        facts = standings_of(store).facts
        assert facts.sets_left_out > 0
    assert {in_all for _, in_all in seen} == {30}
    assert [over for over, _ in seen] == sorted(over for over, _ in seen)
    assert view.progress().startswith("30 of 30 sets, ")
    assert view.pace().seconds_left == 0
    assert (facts.state, facts.sets, facts.sets_in_all) == ("finished", 30, 30)
    assert progress(facts).startswith("30 of 30 sets")
