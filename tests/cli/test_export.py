"""`arena export`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from arena.dataset import read_decisions
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from tests.audit.honest import Honest, honest
from tests.cli.test_main import run

SMALL = Honest(game="nope", seats=3, sets=2, options={"max_turns": 30}, unfinished=1)


@pytest.fixture(scope="module")
def leagues(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("leagues")
    return honest(folder, SMALL, "cup"), honest(folder, SMALL, "spring")


def words(*arguments: str) -> tuple[int, str]:
    code, output = run("export", *arguments)
    return code, " ".join(output.split())


def test_a_league_is_written_and_read_again(leagues: tuple[Path, Path], tmp_path: Path) -> None:
    file = tmp_path / "cup.npz"
    code, told = words(str(leagues[0]), "--npz", str(file))
    decisions = read_decisions(file)
    rows = len(decisions.columns("action")["action"])
    assert (code, told) == (0, f"{file}: {rows:,} decisions of nope with 3 seats")
    assert decisions.about.leagues == ("cup",)


def test_several_leagues_go_into_one_file(leagues: tuple[Path, Path], tmp_path: Path) -> None:
    file = tmp_path / "both.npz"
    assert words(*map(str, leagues), "--npz", str(file))[0] == 0
    decisions = read_decisions(file)
    assert decisions.about.leagues == ("cup", "spring")
    assert {*decisions.columns("league")["league"]} == {0, 1}


@pytest.mark.parametrize("files", [[], ["--npz", "a.npz", "--parquet", "a.parquet"]])
def test_one_file_is_to_be_named(leagues: tuple[Path, Path], files: list[str]) -> None:
    code, told = words(str(leagues[0]), *files)
    assert code == 2
    assert "name one file: --npz FILE or --parquet FILE" in told


def test_a_folder_that_is_not_there_is_told(leagues: tuple[Path, Path], tmp_path: Path) -> None:
    code, told = words(str(leagues[0]), "--npz", str(tmp_path / "no" / "cup.npz"))
    assert code == 2
    assert "there is no folder" in told


def test_leagues_of_different_games_are_refused_in_words(
    leagues: tuple[Path, Path], tmp_path: Path
) -> None:
    other = honest(tmp_path, Honest(sets=1), "other")
    code, told = words(str(leagues[0]), str(other), "--npz", str(tmp_path / "both.npz"))
    assert code == 2
    assert "cup plays nope with 3 seats, but other plays nyet with 4" in told


def test_leagues_whose_files_have_one_name_keep_names_of_their_own(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    folders = [str(honest(tmp_path / name, SMALL, "league")) for name in ("one", "two")]
    file = tmp_path / "both.npz"
    assert words(*folders, "--npz", str(file))[0] == 0
    decisions = read_decisions(file)
    assert decisions.about.leagues == ("one/league", "two/league")
    told = {decisions.about.leagues[number] for number in decisions.columns("league")["league"]}
    assert told == {"one/league", "two/league"}


def test_a_league_is_not_exported_twice(leagues: tuple[Path, Path], tmp_path: Path) -> None:
    file = tmp_path / "both.npz"
    code, told = words(str(leagues[0]), str(leagues[0].with_suffix("")), "--npz", str(file))
    assert code == 2
    assert "is named twice; name each league once" in told
    assert not file.exists()


def test_bots_that_are_told_apart_are_named(leagues: tuple[Path, Path], tmp_path: Path) -> None:
    other = honest(tmp_path, SMALL, "other")
    for store in (DATABASE, COMPLETE_SETS):
        with closing(connect(other / store)) as db, db:
            db.execute("UPDATE entrants SET content = 'new' WHERE name = 'owl'")
    code, told = words(str(leagues[0]), str(other), "--npz", str(tmp_path / "both.npz"))
    assert code == 0
    assert "the bots called owl differ in their files; they are owl (cup) and owl (other)" in told


def test_a_league_without_a_complete_set_leaves_no_file(tmp_path: Path) -> None:
    folder = honest(tmp_path, Honest(sets=0, unfinished=1), "cup")
    code, told = words(str(folder), "--npz", str(tmp_path / "cup.npz"))
    assert (code, told) == (1, "Error: no set of cup is complete yet: there is nothing to export")
    assert not (tmp_path / "cup.npz").exists()
