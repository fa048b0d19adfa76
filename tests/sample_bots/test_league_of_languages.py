"""The bots of all languages play a league, and none of them has a fault of any kind.

All of them choose at random, so their table says how chance looks; it is not tested, because
chance is what it is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.league.store.folder import DATABASE, folder_of
from arena.league.store.reader import Reader
from arena.league.table.live import standings_of
from tests.cli.test_main import run
from tests.sample_bots.conftest import league_file
from tests.sample_bots.languages import ROWS

SETS = 50
MATCHES = 4 * SETS


@pytest.mark.languages
def test_two_hundred_matches_of_all_languages_have_no_fault(
    tmp_path: Path, confined: tuple[str, ...]
) -> None:
    samples = ("python-random", "python-bare")
    bots = [row.folder for row in ROWS if not row.missing()]
    if len(bots) < 2:
        pytest.skip("fewer than two toolchains: python -m tests.sample_bots.languages names them")
    lines = [f'sample = "{name}"' for name in (*samples, *bots)]
    file = league_file(tmp_path / "languages.toml", lines, confined, seats=4, sets=SETS)
    code, said = run("league", str(file))
    assert code == 0, said
    with Reader.read(folder_of(file) / DATABASE) as store:
        table = standings_of(store)
    assert table.facts.matches == MATCHES
    assert {row.name for row in table.rows} == {*samples, *bots}
    for row in table.rows:
        assert not any(row.faults.values()), f"{row.name}: {row.faults}"
