"""A league on a cluster of this machine: the same table and moves as by jobs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena.league.cluster.workers import MOST_DEATHS
from arena.league.model.sets import Place
from arena.league.worker.facts import machine_name
from tests.league.play.test_interrupted_league import table_of
from tests.league.running import ARENA, RealLeague

BOTS = {name: f"steady.py {name}" for name in ("fox", "owl", "crow", "hare", "mole")}


def actions(league: RealLeague) -> list[tuple[Place, tuple[str, ...], list[tuple[int, str]]]]:
    """Who played what in every match of complete sets."""
    with league.store() as store:
        return [
            (
                match.place,
                match.record.names,
                [(move.seat, move.action) for move in match.record.moves],
            )
            for one in store.complete_sets()
            for match in one.matches
        ]


@pytest.mark.cluster
def test_a_league_comes_to_the_same_end_as_by_jobs(tmp_path: Path) -> None:
    here = RealLeague(tmp_path / "here", BOTS)
    there = RealLeague(tmp_path / "there", BOTS, family=here.family)
    here.run()
    said = there.run("--dask", "--jobs", "2")
    assert table_of(here) == table_of(there)
    assert actions(here) == actions(there)
    assert here.family.alive() == set()
    assert said.count(" plays on ") == 2
    with there.store() as store:
        assert {machine for machine, _ in store.played_on()} == {machine_name()}
    with here.store() as store:
        assert {machine for machine, _ in store.played_on()} == {""}


@pytest.mark.cluster
@pytest.mark.alone
def test_a_set_that_kills_its_worker_again_and_again_is_set_aside(tmp_path: Path) -> None:
    """With real workers: a bot that is not confined kills them.

    Two of its sets may be in flight and take turns, so that one of them has all its kills only
    after both together have one less than two of them need.
    """
    kills = 2 * MOST_DEATHS - 1
    bots = {**BOTS, "wolf": f"kills_worker.py {tmp_path / 'kills'} {kills}"}
    one = RealLeague(tmp_path / "league", bots, sets=8, seats=2, more='confine = "none"')
    said = one.run("--dask")
    assert (tmp_path / "kills").read_text() == str(kills)
    with one.store() as store:
        aside = [event for _, event in store.events() if event["event"] == "set_aside"]
        line_ups = {each.number: each.line_up for each in store.planned()}
    assert len(aside) == 1
    (number,) = aside[0]["sets"]
    assert "wolf" in line_ups[number]
    assert f"set {number} of " in said
    assert table_of(one)["facts"]["sets"] == 8
    verified = subprocess.run(
        [*ARENA, "verify", str(one.file)], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stdout
    assert one.family.alive() == set()
