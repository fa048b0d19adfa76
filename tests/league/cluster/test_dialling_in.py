"""A league of both kinds: bots that dial in play on the runner's machine, all others by workers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena.league.store.reader import Reader
from arena.league.worker.facts import machine_name
from tests.league.play.test_dialling_league import Away, free_port
from tests.league.running import ARENA

pytestmark = [pytest.mark.cluster, pytest.mark.alone]


class Mixed(Away):
    """A league with one bot that dials in, and three that are started, at tables of two."""

    def __init__(self, folder: Path, sets: int) -> None:
        self.home = folder / "cup.arena"
        self.file = folder / "cup.toml"
        self.file.write_text(
            f'game = "nyet"\nseats = 2\nsets = {sets}\nlisten = "tcp:127.0.0.1:{free_port()}"\n'
            'options = { rounds = 1 }\nseed = "test"\nengine = "dask"\n'
            '[[bots]]\nname = "fox"\ndials_in = true\n'
            '[[bots]]\nsample = "python-random"\n[[bots]]\nsample = "python-bare"\n'
            '[[bots]]\nsample = "python-high"\n'
        )


def test_sets_with_a_bot_that_dials_in_are_played_here_and_all_others_by_workers(
    tmp_path: Path,
) -> None:
    league = Mixed(tmp_path, sets=18)
    with league.playing() as runner, league.bot("fox"):
        said, _ = runner.communicate(timeout=120)
    assert runner.returncode == 0, said
    with Reader.read(league.home / "league.db") as store:
        played = [*store.played_on()]
    assert len({each.set for _, each in played}) == 18
    for machine, each in played:
        dialled = "fox" in each.record.names
        assert machine == ("" if dialled else machine_name())
    assert {machine for machine, _ in played} == {"", machine_name()}
    assert not any(each.record.forfeits for _, each in played)
    verify = [*ARENA, "verify", str(league.file)]
    assert subprocess.run(verify, stdout=subprocess.DEVNULL, check=False).returncode == 0
