"""One bot that does not work costs its own matches, never the league."""

from __future__ import annotations

import pytest

from arena.league.table.live import standings_of
from arena.league.table.ratings import Scored, ratings
from arena.league.table.standings import Standings
from tests.cli.test_main import run
from tests.league.running import RealLeague

pytestmark = [pytest.mark.slow, pytest.mark.alone]

GOOD = {name: f"steady.py {name}" for name in ("fox", "owl", "crow", "hare")}
BROKEN = {
    "absent": "crashes_at_start.py",
    "crasher": "crashes.py",
    "hanger": "never_answers.py",
    "cheat": "wrong_field.py action R99 1000000",
}
SHORT = "[clock]\ndecision_ms = 50\nbank_ms = 100\nhang_ms = 200\nstart_ms = 5000\n"


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> RealLeague:
    league = RealLeague(
        tmp_path_factory.mktemp("broken"), {**GOOD, **BROKEN}, sets=60, tables=SHORT
    )
    league.said = league.run()
    return league


@pytest.fixture(scope="module")
def table(league: RealLeague) -> Standings:
    with league.store() as store:
        return standings_of(store)


def test_the_league_ends_and_every_broken_bot_is_benched_with_the_reason(
    league: RealLeague, table: Standings
) -> None:
    assert table.facts.is_finished
    assert table.facts.sets == league.sets < table.facts.sets_planned
    reasons = {row.name: row.reason for row in table.benched}
    assert reasons.keys() == BROKEN.keys()
    assert "did not start 3 times in a row" in reasons["absent"]
    assert reasons["hanger"].startswith("answered 0 of ")
    for name in ("crasher", "cheat"):
        assert "forfeited 5 matches in a row" in reasons[name]
    assert "R99" in reasons["cheat"]


def test_their_faults_are_in_the_table(table: Standings) -> None:
    faults = {row.name: row.faults for row in table.benched}
    assert faults["absent"]["never-started"] >= 3
    assert faults["crasher"]["gone"] >= 5
    assert faults["hanger"]["gone"] >= 5
    assert faults["cheat"]["illegal"] >= 15


def test_the_others_have_no_fault_and_are_rated_by_their_own_results(
    league: RealLeague, table: Standings
) -> None:
    """Rated anew from the records, by places among those that are not benched alone."""
    assert {row.name for row in table.rows} == GOOD.keys()
    assert not any(row.forfeits or any(row.faults.values()) for row in table.rows)
    names = sorted(GOOD)
    matches = []
    out: set[str] = set()
    after = {row.name: row.after_set for row in table.benched}
    with league.store() as store:
        for one in store.complete_sets():
            out |= {name for name in after if after[name] < one.number}
            for played in one.matches:
                record = played.record
                if out & {*record.names}:
                    continue
                kept = [seat for seat in range(record.seats) if record.names[seat] in GOOD]
                # Those who came to a match that never began say nothing of each other.
                if played.is_begun and len(kept) > 1:
                    places = [record.places[seat] for seat in kept]
                    # A pair's weight is that of the whole table: others fill it, unseen.
                    bots = [names.index(record.names[seat]) for seat in kept]
                    filler = record.seats - len(kept)
                    matches.append(
                        Scored(
                            one.number,
                            played.turn,
                            (*bots, *[len(names)] * filler),
                            (*places, *[9] * filler),
                            left_out=tuple(range(len(kept), record.seats)),
                        )
                    )
    expected = {row.bot: row.elo for row in ratings([*names, "filler"], matches).rows}
    for row in table.rows:
        assert row.rating.elo == pytest.approx(expected[row.name], abs=1e-6)


def test_what_happened_is_said_while_it_happens(league: RealLeague) -> None:
    for line in (
        "absent: never-started (exited), forfeits",
        "cheat: illegal (not-legal)",
        "absent is benched",
        "hanger is benched",
    ):
        assert line in league.said


def test_all_of_it_can_be_worked_out_again(league: RealLeague) -> None:
    code, said = run("verify", str(league.file))
    assert code == 0, said


def test_nothing_is_left_of_any_bot(league: RealLeague) -> None:
    assert not league.family.alive()
    assert not (league.home / "scratch").exists()
