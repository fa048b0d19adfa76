"""A copy of each starter, as its author uses it: its tests pass as copied and with an idea in it.

The idea is that of the second example, `high`: one changed line, which README tells. With it the
copy comes through the check and beats a random bot.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena import data
from arena.bots.botfile import read_bot, runnable
from arena.cli.new_bot import STARTERS
from arena.league.store.folder import DATABASE, folder_of
from arena.league.store.reader import Reader
from arena.league.table.live import standings_of
from tests.cli.test_main import run
from tests.sample_bots.conftest import done, league_file
from tests.sample_bots.languages import STARTER_ROWS, Row

SETS = 60

# One worker for a language, as its other tests have, so that packages are fetched once.
by_folder = pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row.folder, marks=pytest.mark.xdist_group(row.folder))
        for row in STARTER_ROWS
    ],
)


@pytest.mark.languages
@by_folder
def test_a_copy_works_as_copied_and_plays_better_with_the_second_example(
    row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, confined: tuple[str, ...]
) -> None:
    if missing := row.missing():
        pytest.skip(f"{row.folder} needs {', '.join(missing)}")
    monkeypatch.delenv("ARENA_VECTORS", raising=False)
    (language,) = (key for key, value in STARTERS.items() if value.folder == row.folder)
    folder = tmp_path / "fox"
    assert run("new-bot", "--language", language, str(folder))[0] == 0
    build_and_test(row, folder)

    put_the_idea(row, folder)
    build_and_test(row, folder)
    code, output = run("check", str(folder), "--json", *confined)
    assert code == 0, output
    assert json.loads(output[output.index("{") :])["findings"] == []
    elo = elo_against_random(folder, confined)
    assert elo["fox"] > elo["python-random"], elo


def build_and_test(row: Row, folder: Path) -> None:
    """As README says, in the author's own folder."""
    bot = read_bot(folder)
    if bot.build is not None:
        done(runnable(bot.build), folder)
    done(row.tests, folder)


def put_the_idea(row: Row, folder: Path) -> None:
    assert row.idea is not None
    path = folder / row.idea.file
    text = path.read_text()
    assert text.count(row.idea.before) == 1, f"{row.idea.before!r} in {row.idea.file}"
    path.write_text(text.replace(row.idea.before, row.idea.after))


def elo_against_random(folder: Path, confined: tuple[str, ...]) -> dict[str, float]:
    """Of a league at tables of two, where the better of two bots shows soonest."""
    bots = [f'path = "{folder}"', 'sample = "python-random"']
    file = league_file(folder.parent / "starter.toml", bots, confined, seats=2, sets=SETS)
    code, said = run("league", str(file))
    assert code == 0, said
    with Reader.read(folder_of(file) / DATABASE) as store:
        table = standings_of(store)
    assert not any(sum(row.faults.values()) for row in table.rows), said
    return {row.name: row.rating.elo for row in table.rows}


@by_folder
def test_readme_tells_the_line_of_the_second_example(row: Row) -> None:
    assert row.idea is not None
    folder = data.sample_bots() / row.folder
    assert row.idea.before in (folder / row.idea.file).read_text()
    assert row.idea.after in (folder / "README.md").read_text()


def test_every_starter_has_its_row() -> None:
    assert {row.folder for row in STARTER_ROWS} == {each.folder for each in STARTERS.values()}
