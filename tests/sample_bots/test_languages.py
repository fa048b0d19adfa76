"""The sample bots in other languages: built, tested with the vectors, checked, and playing.

A row of `languages.ROWS` is all that a new one needs.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from arena import data
from arena.referee.botfile import read_bot, runnable
from arena.referee.clock import Timing
from arena.referee.contents import BUILD_OUTPUT, prepare_scratch
from arena.referee.house import Program, open_house
from arena.referee.match import Played
from arena.referee.sitting import sit_down
from tests.cli.test_main import run
from tests.referee.programs import SAFETY_SECONDS, Family
from tests.referee.real_match import a_good_bot, a_plan, all_ready, see_off
from tests.sample_bots.languages import ROWS, Row
from tests.vectors import FOLDER as VECTORS

by_folder = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.folder)


def need(row: Row) -> None:
    """Skip where the toolchain is not here, and say how to get it."""
    if missing := row.missing():
        pytest.skip(
            f"{row.folder} needs {', '.join(missing)}: apt-get install "
            + " ".join(sorted(set(missing.values())))
        )


def done(command: Sequence[str], folder: Path, **env: str) -> None:
    """Run a command that must succeed; what it printed is shown if it does not."""
    result = subprocess.run(
        command, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Copies that were built already, by folder."""
    return {}


def copy_of(row: Row, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built copy, made once for all tests of this module."""
    need(row)
    if row.folder not in built:
        bot = read_bot(data.sample_bots() / row.folder)
        folder = prepare_scratch(bot, tmp_path_factory.mktemp("bots") / row.folder)
        if bot.build is not None:
            done(runnable(bot.build), folder)
        built[row.folder] = folder
    return built[row.folder]


@pytest.mark.languages
@by_folder
def test_its_own_tests_pass_with_the_vectors(
    row: Row, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = copy_of(row, built, tmp_path_factory)
    done(row.tests, folder, ARENA_VECTORS=str(VECTORS))


@pytest.mark.languages
@by_folder
@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("frames", '"04",', '"03",'),
        ("messages", '"There are no more matches for you."', '"There are no more for you."'),
        ("messages", '"author": "Ada"', '"author": "Eve"'),
    ],
    ids=["frames", "a message to read", "a message to write"],
)
def test_its_own_tests_notice_a_wrong_vector(
    row: Row,
    file: str,
    before: str,
    after: str,
    built: dict[str, Path],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = copy_of(row, built, tmp_path_factory)
    vectors = tmp_path / "vectors"
    shutil.copytree(VECTORS, vectors)
    path = vectors / f"{file}.json"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))
    with pytest.raises(AssertionError):
        done(row.tests, folder, ARENA_VECTORS=str(vectors))


@pytest.mark.languages
@by_folder
def test_its_formatter_would_change_nothing(
    row: Row, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    if not row.formatted or shutil.which(row.formatted[0]) is None:
        pytest.skip(f"no formatter here for {row.folder}")
    done(row.formatted, copy_of(row, built, tmp_path_factory))


@pytest.mark.languages
@by_folder
def test_arena_check_finds_nothing(row: Row) -> None:
    need(row)
    code, output = run("check", row.folder, "--json")
    assert code == 0, output
    report = json.loads(output[output.index("{") :])
    assert report["findings"] == []
    assert report["measures"]["decisions"] > 500


@pytest.mark.languages
@by_folder
async def test_it_plays_over_tcp_without_a_fault(
    row: Row, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    family = Family()
    bot = read_bot(data.sample_bots() / row.folder)
    folder = copy_of(row, built, tmp_path_factory)
    program = Program(row.folder, runnable(bot.command), folder, bot.env, tcp=True)
    with trio.fail_after(SAFETY_SECONDS):
        async with open_house() as house:
            players = await all_ready(house, [program, a_good_bot(family)])
            assert players[0].link.sock.family == socket.AF_INET
            for game in ("nyet", "nope"):
                played = await sit_down(a_plan(2, Timing(), game, options={}), players)
                assert isinstance(played, Played)
                assert played.evidence == ()
            await see_off(players)


@by_folder
def test_its_bot_file_says_what_is_expected_of_a_starter(row: Row) -> None:
    folder = data.sample_bots() / row.folder
    values = tomllib.loads((folder / "bot.toml").read_text())
    assert values["name"] == row.folder
    assert values["games"] == ["nyet", "njet", "njet-it", "nope"]
    assert values["connect"] == ["unix", "tcp"]
    assert values["language"]
    assert values["build"]
    assert (folder / "README.md").read_text().startswith(f"# {row.folder}\n")


@by_folder
def test_no_build_output_is_kept_with_it(row: Row) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "."],
        cwd=data.sample_bots() / row.folder,
        capture_output=True,
        text=True,
    )
    if tracked.returncode != 0:
        pytest.skip("no git, or no checkout")
    assert tracked.stdout.splitlines()
    for name in tracked.stdout.splitlines():
        assert not BUILD_OUTPUT & {*Path(name).parts}, name


def test_every_bot_outside_python_has_its_row() -> None:
    folders = {file.parent.name for file in data.sample_bots().glob("*/bot.toml")}
    assert {row.folder for row in ROWS} == {
        name for name in folders if not name.startswith("python-")
    }
