"""The bots of all languages play a league, and none of them has a fault of any kind.

All of them choose at random, so their table says how chance looks; it is not tested, because
chance is what it is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.league.database import FILE_NAME
from arena.league.opening import folder_of
from arena.league.store import Store
from arena.league.table import standings_of
from tests.cli.test_main import run
from tests.sample_bots.languages import ROWS

SETS = 50
MATCHES = 4 * SETS


@pytest.mark.languages
def test_two_hundred_matches_of_all_languages_have_no_fault(tmp_path: Path) -> None:
    bots = ["python-random", "python-bare"]
    bots += [row.folder for row in ROWS if not row.missing()]
    if len(bots) < 4:
        pytest.skip("fewer than two toolchains: python -m tests.sample_bots.languages names them")
    file = tmp_path / "languages.toml"
    file.write_text(
        f'game = "nyet"\nseats = 4\nsets = {SETS}\n[options]\nrounds = 1\n'
        + "".join(f'[[bots]]\nsample = "{name}"\n' for name in bots)
    )
    code, said = run("league", str(file))
    assert code == 0, said
    with Store.read(folder_of(file) / FILE_NAME) as store:
        table = standings_of(store)
    assert table.facts.matches == MATCHES
    assert {row.name for row in table.rows} == {*bots}
    for row in table.rows:
        assert not any(row.faults.values()), f"{row.name}: {row.faults}"
