"""`arena publish`."""

from __future__ import annotations

from pathlib import Path

from arena.league.database import FILE_NAME
from arena.league.store import Store
from arena.league.table import standings_of
from arena.outputs.registry import OUTPUTS
from tests.cli.damage import Damaged
from tests.cli.honest import Honest, honest
from tests.cli.test_main import run


def test_a_league_is_published_to_a_folder_that_is_made(tmp_path: Path) -> None:
    league, to = honest(tmp_path, Honest(sets=3, unfinished=1)), tmp_path / "some" / "where"
    assert run("publish", str(league), "--to", str(to)) == (0, f"3 sets published in {to}\n")
    with Store.read(league / FILE_NAME) as store:
        standings = standings_of(store)
    for name, output in OUTPUTS.items():
        assert (to / f"standings.{name}").read_text() == output(standings)


def test_one_set_is_told_as_one(tmp_path: Path) -> None:
    league, to = honest(tmp_path, Honest(sets=1)), tmp_path / "public"
    assert run("publish", str(league), "--to", str(to)) == (0, f"1 set published in {to}\n")
    code, output = run("verify", str(league))
    assert (code, output.startswith("all fits: 1 complete set, 4 matches, ")) == (0, True)


def test_a_folder_is_asked_for(tmp_path: Path) -> None:
    code, output = run("publish", str(honest(tmp_path, Honest(sets=1))))
    assert (code, "Missing option '--to'" in output) == (2, True)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    to = tmp_path / "file" / "folder"
    code, output = run("publish", str(honest(tmp_path, Honest(sets=1))), "--to", str(to))
    assert (code, "Not a directory" in output) == (1, True)


def test_a_damaged_league_names_what_looks_further(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=2))
    Damaged(league).flip("matches", "record", number=1, turn=0)
    code, output = run("publish", str(league), "--to", str(tmp_path / "public"))
    assert code == 1
    assert f"`arena verify {tmp_path / 'cup'}` names every place" in output.replace("\n", "")
