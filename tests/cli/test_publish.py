"""`arena publish`."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.reader import Reader
from arena.league.table.live import standings_of
from arena.outputs.registry import OUTPUTS
from tests.audit.damage import Damaged
from tests.audit.honest import Honest, honest
from tests.cli.test_main import run


def test_a_league_is_published_to_a_folder_that_is_made(tmp_path: Path) -> None:
    league, to = honest(tmp_path, Honest(sets=3, unfinished=1)), tmp_path / "some" / "where"
    assert run("publish", str(league), "--to", str(to)) == (0, f"3 sets published in {to}\n")
    with Reader.read(league / DATABASE) as store:
        standings = standings_of(store)
    for name, output in OUTPUTS.items():
        assert (to / f"standings.{name}").read_text() == output.text(standings)


def test_one_set_is_told_as_one(tmp_path: Path) -> None:
    league, to = honest(tmp_path, Honest(sets=1)), tmp_path / "public"
    assert run("publish", str(league), "--to", str(to)) == (0, f"1 set published in {to}\n")
    code, output = run("verify", str(league))
    assert (code, output.startswith("all fits: 1 complete set, 4 matches, ")) == (0, True)


def test_a_folder_is_asked_for(tmp_path: Path) -> None:
    code, output = run("publish", str(honest(tmp_path, Honest(sets=1))))
    assert (code, "Missing option '--to'" in output) == (2, True)
    code, output = run("publish", "cup", "public")
    assert (code, "the folder to write to, such as: arena publish cup" in output) == (2, True)


def test_nothing_is_published_among_the_secrets_of_a_league(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=1))
    code, output = run("publish", str(league), "--to", str(league), "--force")
    assert (code, f"{league} is the folder of a league, with its secrets" in output) == (2, True)
    assert not (league / "index.html").exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    to = tmp_path / "file" / "folder"
    code, output = run("publish", str(honest(tmp_path, Honest(sets=1))), "--to", str(to))
    assert (code, "Not a directory" in output) == (1, True)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize("name", ["index.html", "history.html", "standings.csv", "bots/fox/bot.py"])
def test_what_somebody_else_made_is_not_written_over_or_into(tmp_path: Path, name: str) -> None:
    """Such as the bots of a league, beside its file."""
    league = honest(tmp_path, Honest(sets=1))
    mine = tmp_path / "to" / name
    mine.parent.mkdir(parents=True)
    mine.write_text("<!doctype html>\n<title>mine</title>\n")
    before = contents(tmp_path / "to")
    code, output = run("publish", str(league), "--to", str(tmp_path / "to"))
    said = " ".join(output.split())
    assert (code, f"has {name.split('/')[0]} already, and no pages of a league" in said) == (
        2,
        True,
    )
    assert contents(tmp_path / "to") == before
    assert run("publish", str(league), "--to", str(tmp_path / "to"), "--force")[0] == 0


def test_pages_are_written_over_pages_whoever_else_has_files_there(tmp_path: Path) -> None:
    league, to = honest(tmp_path, Honest(sets=2)), tmp_path / "public"
    to.mkdir()
    (to / "robots.txt").write_text("mine")
    for _ in range(2):
        assert run("publish", str(league), "--to", str(to)) == (0, f"2 sets published in {to}\n")
    assert (to / "robots.txt").read_text() == "mine"


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    to = tmp_path / "www"
    to.symlink_to(tmp_path / "away")
    code, output = run("publish", str(honest(tmp_path, Honest(sets=1))), "--to", str(to))
    said = output.replace("\n", "")
    assert (code, f"{to} is a link to {tmp_path / 'away'}, which is not there" in said) == (2, True)
    (tmp_path / "away").mkdir()
    assert run("publish", str(tmp_path / "cup"), "--to", str(to))[0] == 0


def test_a_damaged_league_names_what_looks_further(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=2))
    Damaged(league, COMPLETE_SETS).flip("matches", "record", number=1, turn=0)
    code, output = run("publish", str(league), "--to", str(tmp_path / "public"))
    assert code == 1
    assert f"`arena verify {tmp_path / 'cup'}` names every place" in output.replace("\n", "")
