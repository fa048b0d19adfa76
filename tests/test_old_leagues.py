"""Leagues and records of earlier versions open, go on, are published and verified.

The files are those of tests/fixtures; commands are run as a person gives them.
"""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from arena.league.store.secrets import SCHEMA_WITH_A_FILE, read_secrets
from arena.league.store.upgrades import SCHEMA
from arena.outputs.json_ import LATER_FACTS, LATER_PARTS, LATER_ROWS
from tests.cli.test_main import run
from tests.league.rights import secrets_found
from tests.league.running import run_league

FIXTURES = Path(__file__).parent / "fixtures"
SCHEMAS = sorted(
    (path.name for path in FIXTURES.glob("schema_*")), key=lambda name: int(name.split("_")[1])
)
LEAGUES = [f"{schema}/{kind}" for schema in SCHEMAS for kind in ("stopped", "finished")]
RECORDS = sorted(
    str(path.relative_to(FIXTURES)) for path in FIXTURES.glob("schema_*/records/*.json")
)
# Of a row of standings.json: whatever depends on the actions alone, and not on the hour.
PLAYED = ("name", "rank", "elo", "half_width", "sets", "matches", "faults", "forfeits")


@pytest.fixture(params=LEAGUES)
def league(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return copy_of(request.param, tmp_path)


def copy_of(kept: str, folder: Path) -> Path:
    """The league's file, with its store beside it, where it can be written to."""
    shutil.copytree(FIXTURES / kept, folder / "kept")
    home = folder / "kept" / "league.arena"
    home.mkdir()
    for name in ("league.db", "secrets.toml"):
        if (folder / "kept" / name).exists():
            (folder / "kept" / name).rename(home / name)
    return folder / "kept" / "league.toml"


def rows(standings: str) -> list[dict[str, Any]]:
    """The rated rows of a standings.json, as far as the actions decide them."""
    found = json.loads(standings)["rows"]
    return [{key: row[key] for key in PLAYED} for row in found]


def test_an_old_league_verifies(league: Path) -> None:
    code, said = run("verify", str(league))
    assert (code, said.startswith("all fits")) == (0, True), said


def test_an_old_league_is_read_without_being_changed(league: Path) -> None:
    store = league.with_suffix(".arena") / "league.db"
    before = store.read_bytes()
    for command in ("table", "matches", "verify"):
        assert run(command, str(league))[0] == 0
    assert store.read_bytes() == before


def test_an_old_league_is_published(league: Path, tmp_path: Path) -> None:
    code, said = run("publish", str(league), "--to", str(tmp_path / "public"))
    assert code == 0, said
    assert (tmp_path / "public" / "index.html").is_file()


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_table_of_an_old_league_stays_as_it_was(schema: str, tmp_path: Path) -> None:
    league = copy_of(f"{schema}/finished", tmp_path)
    code, said = run("table", str(league), "--json")
    assert code == 0
    assert rows(said) == rows((FIXTURES / schema / "finished" / "standings.json").read_text())


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_files_of_an_old_league_stay_byte_for_byte(schema: str, tmp_path: Path) -> None:
    """But for keys that JSON has since, and for the words around a table."""
    kept = FIXTURES / schema / "finished"
    league = str(copy_of(f"{schema}/finished", tmp_path))
    assert run("table", league, "--csv")[1] == (kept / "standings.csv").read_text()
    was, now = (kept / "standings.md").read_text(), run("table", league, "--md")[1]
    assert [line for line in now.splitlines() if line.startswith("|")] == [
        line for line in was.splitlines() if line.startswith("|")
    ]
    old = json.loads((kept / "standings.json").read_text())
    new = json.loads(run("table", league, "--json")[1])
    later = new["facts"].keys() - old["facts"].keys()
    assert later <= LATER_FACTS, f"name {later - LATER_FACTS} in LATER_FACTS: old tables lack it"
    for key in LATER_FACTS - old["facts"].keys():
        del new["facts"][key]
    for key in LATER_PARTS - old.keys():
        del new[key]
    for row, was in zip(new["rows"], old["rows"], strict=True):
        for key in LATER_ROWS - was.keys():
            del row[key]
    assert json.dumps(new) == json.dumps(old)


def test_this_version_has_its_kept_leagues() -> None:
    assert SCHEMAS[-1] == f"schema_{SCHEMA}", "python -m tests.old_leagues --write"


@pytest.mark.parametrize("record", RECORDS)
def test_an_old_record_is_replayed(record: str) -> None:
    code, said = run("replay", str(FIXTURES / record))
    assert code == 0, said
    assert "place 1: seat" in said


@pytest.mark.slow
@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_old_league_goes_on_to_the_table_it_would_have_had(schema: str, tmp_path: Path) -> None:
    league = copy_of(f"{schema}/stopped", tmp_path)
    told = run_league(league)
    backup = league.with_suffix(".arena") / f"league.db.{schema.replace('_', '-')}"
    is_older = schema != f"schema_{SCHEMA}"
    assert (backup.is_file(), str(backup) in told) == (is_older, is_older)
    code, said = run("table", str(league), "--json")
    assert code == 0
    kept = FIXTURES / schema / "stopped" / "standings_when_finished.json"
    assert rows(said) == rows(kept.read_text())
    code, said = run("verify", str(league))
    assert (code, said.startswith("all fits: 12 complete sets")) == (0, True), said
    code, said = run("publish", str(league), "--to", str(tmp_path / "public"))
    assert (code, said.startswith("12 sets published")) == (0, True), said
    home = league.with_suffix(".arena")
    secrets = read_secrets(home / "league.db")
    for path in home.rglob("*"):
        if path.is_file() and path != backup:
            assert secrets.key not in path.read_bytes()
            assert secrets.lots not in path.read_bytes()
    assert secrets_found(home) == []
    if is_older:
        assert stat.S_IMODE(backup.stat().st_mode) == 0o600
        is_named = "still holds it, so keep it to yourself" in told
        assert is_named is (int(schema.removeprefix("schema_")) < SCHEMA_WITH_A_FILE)
