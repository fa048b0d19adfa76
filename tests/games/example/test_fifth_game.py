"""A fifth game needs no change outside its own file but its line in the registry.

Each test runs our programs with the worked example registered: Python imports `sitecustomize`
as it starts, so jobs, builders and publishers that a program starts know the game too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.games.example import EXAMPLE

ROOT = Path(__file__).parents[3]
REGISTER = """\
from arena.games import GAMES
from tests.games.example import EXAMPLE

GAMES[EXAMPLE.name] = EXAMPLE
"""
LEAGUE = f"""\
name = "small"
game = "{EXAMPLE.name}"
seats = 3
sets = 4

[[bots]]
sample = "python-random"

[[bots]]
sample = "python-bare"

[[bots]]
sample = "python-random"
name = "third"
"""

Run: TypeAlias = Callable[..., str]


@pytest.fixture
def python(tmp_path: Path) -> Run:
    """Runs `python -m WORDS...` in the temporary folder, with the game registered; its output."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(REGISTER)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(ROOT)])}

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{words}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    return run


def test_arena_games_lists_and_explains_it(python: Run) -> None:
    assert "\nmatch-up 2 to 4 seats   options: hand, max_turns\n" in python("arena", "games")
    told = python("arena", "games", "match-up")
    assert "hand: a whole number from 1 to 6" in told
    assert "out: somebody laid the last card" in told
    assert "Actions, in their fixed order (29)" in told


def test_bots_that_play_any_game_play_it(python: Run) -> None:
    output = python(
        *("arena", "match", "match-up", "python-random", "python-bare", "python-random"),
        *("--seed", "7", "--record", "match.json"),
    )
    assert "place 1:" in output
    assert " lays " in python("arena", "replay", "match.json", "--open")


@pytest.mark.slow
def test_arena_check_meets_every_kind_of_its_decisions(python: Run) -> None:
    report = json.loads(python("arena", "check", "python-random", "--game", "match-up", "--json"))
    assert report["conforms"]
    assert report["findings"] == []
    titles = [step["title"] for step in report["steps"]]
    assert [title for title in titles if title.startswith("match-up: ")] == [
        "match-up: a match at every size of table",
        "match-up: every kind of decision",
        "match-up: the longest lists and the largest views",
        "match-up: other options than the defaults",
    ]


@pytest.mark.slow
def test_a_league_of_it_is_played_published_and_verified(python: Run, tmp_path: Path) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    assert "python-bare" in python("arena", "league", "league.toml")
    (folder,) = tmp_path.glob("league*/")
    python("arena", "publish", str(folder), "--to", "pages")
    page = (tmp_path / "pages" / "sets" / "000" / "1.html").read_text()
    assert "match-up for 3" in page
    assert '"drawing":{"name":"fields","details":{}}' in page.replace(" ", "")
    assert (tmp_path / "pages" / "index.html").is_file()
    python("arena", "verify", str(folder))


@pytest.mark.slow
def test_tests_of_all_games_take_it_in(python: Run) -> None:
    """Those that are held for every entry of GAMES, or used to list its entries."""
    files = (
        "tests/games/test_contract.py",
        "tests/games/test_registry.py",
        "tests/games/test_playthroughs.py",
        "tests/check/test_decisions.py",
        "tests/check/test_catalogue.py",
        "tests/record/test_replay.py",
        "tests/record/test_transcript.py",
        "tests/outputs/test_set_page.py",
        "tests/cli/test_games.py",
        "tests/test_spec_games.py",
        "tests/protocol/test_spec.py",
        "tests/league/file/test_reading.py",
        "tests/referee/test_match.py",
        "tests/referee/test_simulation.py",
    )
    python("pytest", "-q", "-p", "no:cacheprovider", *(str(ROOT / file) for file in files))
