"""The table while a league is played: its state, and its progress to 100 %."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from arena.league.model.entrants import UNKNOWN_CONTENT, Presence
from arena.league.model.sets import PlannedSet
from arena.league.store import events
from arena.league.store.lock import locked
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from arena.league.table.live import LiveTable, standings_of
from arena.league.table.standings import Facts
from tests.league.leagues import Simulated, schedule, simulate
from tests.outputs.leagues import play

LEAGUE = Simulated(sets=6)


def facts_after(folder: Path, league: Simulated, played: int) -> Facts:
    with simulate(folder, league, played) as store:
        return standings_of(store, with_history=False).facts


def test_a_league_is_stopped_unless_its_lock_is_held(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE, 2) as store:
        assert standings_of(store).facts.state == "stopped"
        with locked(tmp_path):
            assert standings_of(store).facts.state == "running"
        play(store, LEAGUE, schedule(LEAGUE)[2:])
        assert standings_of(store).facts.state == "finished"
        with locked(tmp_path):
            assert standings_of(store).facts.state == "finished"


def test_a_league_without_a_schedule_is_not_finished(tmp_path: Path) -> None:
    facts = facts_after(tmp_path, Simulated(sets=0), 0)
    assert (facts.state, facts.sets, facts.sets_in_all) == ("stopped", 0, 0)


def test_without_benched_bots_the_progress_is_counted_in_sets_of_the_schedule(
    tmp_path: Path,
) -> None:
    for played in (0, 3, 6):
        facts = facts_after(tmp_path / str(played), LEAGUE, played)
        assert (facts.sets, facts.sets_in_all, facts.sets_left_out) == (played, 6, 0)


def test_sets_that_are_left_out_are_neither_played_nor_to_be_played(tmp_path: Path) -> None:
    """Others are planned in their place at the end, and until then it is not finished."""
    league = Simulated(sets=20, illegal=("mole",))
    with simulate(tmp_path, league) as store:
        facts = standings_of(store).facts
        assert (facts.sets, facts.sets_left_out) == (5, 15)
        assert (facts.sets_planned, facts.sets_in_all) == (20, 20)
        assert not facts.is_finished
        more = [PlannedSet(number, ("fox", "owl", "crow", "hare")) for number in range(21, 36)]
        store.add_sets(more)
        shares = []
        for one in more:
            facts = standings_of(store).facts
            shares.append((facts.sets, facts.sets_in_all, facts.is_finished))
            play(store, league, [one])
        assert shares == [(sets, 20, False) for sets in range(5, 20)]
        facts = standings_of(store).facts
    assert (facts.sets, facts.sets_in_all, facts.state) == (20, 20, "finished")
    assert (facts.sets_planned, facts.sets_left_out) == (35, 15)


def test_where_too_few_are_left_for_a_table_the_progress_ends_at_all_that_count(
    tmp_path: Path,
) -> None:
    league = Simulated(bots=("fox", "owl", "crow", "hare"), sets=6, illegal=("hare",))
    facts = facts_after(tmp_path, league, 6)
    assert (facts.sets, facts.sets_in_all, facts.sets_left_out) == (2, 2, 4)
    assert facts.state == "finished"


@contextmanager
def opened(store: Store) -> Iterator[Reader]:
    with closing(Reader.read(store.path)) as reader:
        yield reader


def test_a_set_is_counted_once_its_reader_has_dealt_with_it(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE, 2) as store, opened(store) as reader:
        live = LiveTable()
        for one in live.new_sets(reader):
            if one.number == 2:
                break
        again = [one.number for one in live.new_sets(reader)]
        assert again == [2]
        assert [*live.new_sets(reader)] == []
        table = live.standings(reader, is_running=False, with_history=False)
        assert table.facts.sets == 2


def test_its_progress_is_told_set_by_set(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with simulate(tmp_path, LEAGUE, 3) as store, opened(store) as reader:
        for _ in LiveTable().new_sets(reader, lambda done, of: told.append((done, of))):
            pass
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("with_history", [True, False])
def test_a_table_that_is_kept_is_the_one_worked_out_anew(
    tmp_path: Path, with_history: bool
) -> None:
    league = Simulated(sets=12, illegal=("mole",))
    live = LiveTable()
    with simulate(tmp_path, league, 0) as store:
        for one in schedule(league):
            play(store, league, [one])
            with opened(store) as reader:
                assert [new.number for new in live.new_sets(reader)] == [one.number]
                kept = live.standings(reader, is_running=False, with_history=with_history)
                assert kept == standings_of(reader, with_history=with_history)


def test_a_table_that_is_kept_follows_what_happens_between_two_readings(tmp_path: Path) -> None:
    """The first reading knows no event before it, and each later one goes on after the last."""
    live = LiveTable()
    left_out = []
    with simulate(tmp_path, LEAGUE, 2) as store:
        for dropped in ((), (3, 4), (6,)):
            store.add_events([events.replaced("fox", "fox+2", dropped)])
            with opened(store) as reader:
                for _ in live.new_sets(reader):
                    pass
                kept = live.standings(reader, is_running=False, with_history=False)
            left_out.append(kept.facts.sets_left_out)
    assert left_out == [0, 2, 3]


def test_only_the_table_of_a_league_that_runs_tells_who_is_here(tmp_path: Path) -> None:
    live = LiveTable()
    with simulate(tmp_path, LEAGUE, 2) as store, opened(store) as reader:

        def presence(*, is_running: bool) -> tuple[Presence, ...]:
            for _ in live.new_sets(reader):
                pass
            return live.standings(reader, is_running=is_running, with_history=False).presence

        store.add_events([events.entrant("owl", "owl", UNKNOWN_CONTENT)])
        assert presence(is_running=True) == ()
        for event in (events.here("owl"), events.away("owl", ())):
            store.add_events([event])
            told = Presence("owl", event["event"] == "here", event["at"])
            assert presence(is_running=True) == (told,)
            assert presence(is_running=False) == ()
        play(store, LEAGUE, schedule(LEAGUE)[2:])
        assert presence(is_running=True) == (), "the league is finished"
