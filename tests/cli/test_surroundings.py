"""Surroundings that commands must tell in words: encodings, names of folders, limits, TMPDIR."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.audit.honest import Honest, honest

ODD = os.fsdecode(b"odd-\xff")
LEAGUE = (
    'game = "nyet"\nseats = 2\nsets = 1\noptions = { rounds = 1 }\n'
    '[[bots]]\nsample = "python-random"\n[[bots]]\nsample = "python-bare"\n'
)


def arena(
    *words: str, here: Path, open_files: int | None = None, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own. `open_files`: its limit, soft and hard."""
    limit = [] if open_files is None else ["prlimit", f"--nofile={open_files}"]
    ran = subprocess.run(
        [*limit, sys.executable, "-m", "arena", *words],
        capture_output=True,
        cwd=here,
        env={**os.environ, **env},
        timeout=60,
    )
    assert b"Traceback" not in ran.stderr, ran.stderr.decode()
    return ran


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league under the name `cup`."""
    folder = tmp_path_factory.mktemp("played")
    os.rename(honest(tmp_path_factory.mktemp("leagues"), Honest(sets=1)), folder / "cup.arena")
    return folder


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize("command", ["table cup", "table cup --json", "spec", "matches cup"])
def test_what_an_encoding_does_not_have_is_printed_otherwise(
    played: Path, command: str, encoding: str
) -> None:
    ran = arena(*command.split(), here=played, PYTHONIOENCODING=encoding)
    assert ran.returncode == 0


def test_the_line_of_a_table_is_one_of_hyphens_where_there_is_no_better(played: Path) -> None:
    told = arena("table", "cup", here=played, PYTHONIOENCODING="latin-1").stdout.decode("latin-1")
    lines = told.splitlines()
    (line,) = (number for number, text in enumerate(lines) if {*text} == {"-"})
    assert lines[line - 1].startswith("rank")
    utf = arena("table", "cup", here=played, PYTHONIOENCODING="utf-8").stdout.decode()
    assert utf.splitlines()[line] == "\u2500" * len(lines[line])


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("new-bot --language python ODD/bot", 0),
        ("init ODD/new", 0),
        ("table ODD/none", 2),
        ("replay ODD/none", 2),
        ("match nope ODD/none python-random", 2),
        ("check ODD/none", 2),
        ("league ODD/league.toml", 1),
    ],
)
@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_a_folder_whose_name_is_no_text_is_taken_or_refused_in_words(
    tmp_path: Path, command: str, code: int, encoding: str
) -> None:
    (tmp_path / ODD).mkdir()
    (tmp_path / ODD / "league.toml").write_text(LEAGUE)
    words = command.replace("ODD", ODD).split()
    ran = arena(*words, here=tmp_path, PYTHONIOENCODING=encoding)
    assert ran.returncode == code
    assert not code or rb"odd-\udcff" in ran.stderr


def test_a_league_in_a_current_folder_whose_name_is_no_text_is_refused_in_words(
    tmp_path: Path,
) -> None:
    (tmp_path / ODD).mkdir()
    ran = arena("league", here=tmp_path / ODD)
    assert ran.returncode == 1
    assert b"is not UTF-8, and no league can be played in such a folder" in ran.stderr


def test_a_league_without_enough_descriptors_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] > 24
    ran = arena("league", here=tmp_path, open_files=24)
    assert ran.returncode == 1
    assert b"each process may have 24 open files at most" in ran.stderr
    assert not (tmp_path / "league.arena").exists()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("match nope python-random python-bare -o max_turns=3", 0),
        ("check python-bare --step 3", 0),
        ("league", 0),
    ],
)
def test_a_long_tmpdir_is_no_trouble(tmp_path: Path, command: str, code: int) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    deep = tmp_path / ("x" * 150)
    deep.mkdir()
    assert arena(*command.split(), here=tmp_path, TMPDIR=str(deep)).returncode == code
    assert [*deep.iterdir()] == []
