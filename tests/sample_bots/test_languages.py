"""The sample bots in other languages: built, tested with the vectors, checked, and playing.

A row of `languages.ROWS` is all that a new one needs.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from arena import data
from arena.bots.botfile import read_bot, runnable
from arena.bots.contents import BUILD_OUTPUT
from arena.bots.program import Program
from arena.record.timing import Timing
from arena.referee.house import open_house
from arena.referee.table import sit_down
from tests.bots.programs import SAFETY_SECONDS, Family
from tests.cli.test_main import run
from tests.referee.real_match import a_good_bot, a_plan, all_ready, see_off
from tests.sample_bots.conftest import Built, done
from tests.sample_bots.languages import ROWS, Row
from tests.vectors import FOLDER as VECTORS

# The build of every other one fetches packages.
NEED_NO_PACKAGES = {"c-random", "c-search", "cpp-random", "ruby-random", "php-random"}

# The tests of one language write to one folder, so they have one worker.
by_folder = pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=row.folder, marks=pytest.mark.xdist_group(row.folder)) for row in ROWS],
)


@pytest.mark.languages
@by_folder
def test_its_own_tests_pass_with_the_vectors(row: Row, built: Callable[[Row], Built]) -> None:
    done(row.tests, built(row).work, ARENA_VECTORS=str(VECTORS))


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
    built: Callable[[Row], Built],
    tmp_path: Path,
) -> None:
    folder = built(row).work
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
def test_its_formatter_would_change_nothing(row: Row, built: Callable[[Row], Built]) -> None:
    if not row.formatted or shutil.which(row.formatted[0]) is None:
        pytest.skip(f"no formatter here for {row.folder}")
    done(row.formatted, built(row).work)


@pytest.mark.languages
@by_folder
def test_arena_check_builds_it_confined_and_finds_nothing(
    row: Row, confined: tuple[str, ...]
) -> None:
    _skip_without(row)
    code, output = run("check", row.folder, "--json", *confined)
    assert code == 0, output
    report = json.loads(output[output.index("{") :])
    assert report["findings"] == []
    assert report["measures"]["decisions"] > 500


@pytest.mark.languages
@by_folder
def test_without_a_network_its_build_works_or_names_the_key(
    row: Row, confined: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _skip_without(row)
    if "none" in confined:
        pytest.skip("no rung works here, so no build is without a network")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    code, output = run("build", row.folder, "--no-network", *confined)
    if row.folder in NEED_NO_PACKAGES:
        assert code == 0, output
    else:
        assert code == 1
        assert "`network = false` stands under [build] in league.toml" in output


@pytest.mark.languages
@by_folder
async def test_it_plays_over_tcp_without_a_fault(row: Row, built: Callable[[Row], Built]) -> None:
    family = Family()
    bot = read_bot(built(row).bot)
    program = Program(row.folder, runnable(bot.command), bot.folder, bot.env, tcp=True)
    with trio.fail_after(SAFETY_SECONDS):
        async with open_house() as house:
            players = await all_ready(house, [program, a_good_bot(family)])
            assert players[0].link.sock.family == socket.AF_INET
            for game in ("nyet", "nope"):
                played = await sit_down(a_plan(2, Timing(), game, options={}), players)
                assert played.is_begun
                assert played.evidence == ()
            await see_off(players)


def _skip_without(row: Row) -> None:
    if missing := row.missing():
        pytest.skip(f"{row.folder} needs {', '.join(missing)}")


@by_folder
def test_its_bot_file_says_what_is_expected_of_a_starter(row: Row) -> None:
    folder = data.sample_bots() / row.folder
    values = tomllib.loads((folder / "bot.toml").read_text())
    assert values["name"] == row.folder
    assert values["games"] == "any"
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
