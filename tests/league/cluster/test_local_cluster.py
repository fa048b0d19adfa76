"""A league on a cluster of this machine: the same table and moves as by jobs."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.league.worker.facts import machine_name
from tests.league.play.test_interrupted_league import table_of
from tests.league.running import RealLeague

BOTS = {name: f"steady.py {name}" for name in ("fox", "owl", "crow", "hare", "mole")}


def actions(league: RealLeague) -> list[object]:
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
