"""`arena new-bot`: what is made builds, passes the check and plays, and nothing is overwritten."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena import data
from arena.bots.botfile import FILE_NAME, read_bot
from arena.bots.contents import BUILD_OUTPUT
from arena.cli.new_bot import OF_BOTS, STARTERS, VECTORS, no_sources, package_name
from tests.cli.test_main import run
from tests.sample_bots.languages import ROWS

every_language = pytest.mark.parametrize("language", [*STARTERS])


def files(folder: Path) -> set[Path]:
    """What lies in a folder, without what builds and runs leave there."""
    found = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    return {path for path in found if not BUILD_OUTPUT & {*path.parts}}


@every_language
def test_the_new_bot_is_the_sample_bot_under_another_name(language: str, tmp_path: Path) -> None:
    folder = tmp_path / "fox"
    code, output = run("new-bot", "--language", language, str(folder))
    assert code == 0, output
    starter = data.sample_bots() / STARTERS[language].folder
    vectors = {Path("vectors", f"{name}.json") for name in OF_BOTS}
    assert files(folder) == files(starter) | vectors
    for path in vectors:
        assert (folder / path).read_bytes() == (VECTORS / path.name).read_bytes()
    bot, model = read_bot(folder), read_bot(starter)
    assert bot.name == "fox"
    assert (bot.games, bot.connect, bot.language) == (model.games, model.connect, model.language)
    assert (folder / "README.md").read_text().startswith("# fox\n")
    for file in files(folder):
        assert STARTERS[language].folder.encode() not in (folder / file).read_bytes(), file


def test_folders_of_builds_and_tools_are_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(data.sample_bots(), tmp_path / "samples", ignore=no_sources)
    monkeypatch.setattr(data, "sample_bots", lambda: tmp_path / "samples")
    starter = tmp_path / "samples" / STARTERS["python"].folder
    for name in (".mypy_cache", "__pycache__", "build"):
        (starter / name).mkdir()
    assert run("new-bot", "--language", "python", str(tmp_path / "fox"))[0] == 0
    copied = {path.name for path in (tmp_path / "fox").iterdir()}
    assert ".gitignore" in copied
    assert not copied & {".mypy_cache", "__pycache__", "build"}


def test_every_language_with_a_sample_bot_is_offered() -> None:
    folders = {file.parent.name for file in data.sample_bots().glob(f"*-random/{FILE_NAME}")}
    assert {starter.folder for starter in STARTERS.values()} == folders


@every_language
def test_the_packages_named_are_those_its_tests_are_run_with(language: str) -> None:
    starter = STARTERS[language]
    for row in ROWS:
        if row.folder == starter.folder:
            assert starter.packages
            assert {*starter.packages.split()} <= {*row.needs.values()}


def test_without_a_language_they_are_listed_with_what_each_needs() -> None:
    code, output = run("new-bot")
    assert code == 0
    for language, starter in STARTERS.items():
        assert f"  {language:<10}  {starter.in_words()}\n" in output
    code, output = run("new-bot", "fox")
    assert code == 2
    assert "which language? Write --language and one of: python, " in output


def test_an_unknown_language_is_met_with_the_nearest() -> None:
    code, output = run("new-bot", "--language", "pyhton", "fox")
    assert code == 2
    assert "there is no sample bot in 'pyhton'; there are: python, " in output
    assert "Did you mean 'python'? In any other language: `arena spec`" in output


def test_capitals_in_a_language_do_not_matter(tmp_path: Path) -> None:
    assert run("new-bot", "--language", "Python", str(tmp_path / "fox"))[0] == 0


def test_a_language_without_a_folder_asks_for_one() -> None:
    code, output = run("new-bot", "--language", "python")
    assert code == 2
    assert "where? Write a folder's name: arena new-bot --language python my-bot" in output


@pytest.mark.parametrize("kind", ["folder", "file", "dangling link"])
def test_what_is_there_already_is_refused_and_stays(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "fox"
    if kind == "folder":
        path.mkdir()
    elif kind == "file":
        path.write_text("mine")
    else:
        path.symlink_to(tmp_path / "nowhere")
    code, output = run("new-bot", "--language", "python", str(path))
    assert code == 2
    assert f"{path} is there already; choose another name, or move it away" in output
    assert [*tmp_path.iterdir()] == [path]
    assert not path.is_dir() or not [*path.iterdir()]


@pytest.mark.parametrize("name", ["a fox", "füchse", 'a"b', "a\\b", "-f", "f" * 33])
def test_a_name_that_no_bot_can_have_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    code, output = run("new-bot", "--language", "python", f"{tmp_path}/{name}")
    assert code == 2
    assert "a bot is called after its folder, but `name` is" in output
    assert "it must be 1 to 32 letters, digits" in output
    assert str(tmp_path) not in output
    assert not [*tmp_path.iterdir()]


def test_a_place_where_nothing_can_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, output = run("new-bot", "--language", "python", str(tmp_path / "file" / "fox"))
    assert code == 1
    assert f"fox cannot be made: File exists: {tmp_path / 'file'}" in output


def test_build_tools_get_a_name_that_they_take() -> None:
    assert package_name("fox") == "fox"
    assert package_name("Fox.2_b+") == "fox-2-b"
    assert package_name("9lives") == "bot-9lives"


def commands(output: str) -> list[str]:
    """What is printed to be typed next."""
    return [line.strip() for line in output.splitlines() if line.startswith("  ")]


# In the worker that builds the sample bot of the language, so that two workers share the work.
@pytest.mark.parametrize(
    "language",
    [
        pytest.param(language, marks=pytest.mark.xdist_group(starter.folder))
        for language, starter in STARTERS.items()
    ],
)
@pytest.mark.languages
def test_the_printed_commands_work_as_they_stand(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A name that no build tool would take.
    name = "9Fox.x_2+b"
    for row in ROWS:
        if row.folder == STARTERS[language].folder and row.missing():
            pytest.skip(f"{row.folder} needs {', '.join(row.missing())}")
    monkeypatch.chdir(tmp_path)
    code, output = run("new-bot", "--language", language, f"bots/{name}")
    assert code == 0, output
    has_build = read_bot(Path("bots") / name).build is not None
    assert len(commands(output)) == (3 if has_build else 2)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # Toolchains in a home folder are out of a confined bot's sight unless they are named.
    rows = [row for row in ROWS if row.folder == STARTERS[language].folder]
    homes = (Path.home() / below for row in rows for below in row.reads)
    reads = [os.environ["ARENA_READ"], *(str(each) for each in homes if each.is_dir())]
    for command in commands(output):
        done = subprocess.run(
            ["bash", "-ec", command],
            env={**os.environ, "PATH": path, "ARENA_READ": os.pathsep.join(reads)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        if command.startswith("arena check"):
            assert done.stdout.endswith(" 0 errors, 0 warnings\n")


def test_a_language_may_be_meant_by_another_of_its_names(tmp_path: Path) -> None:
    for written, meant in (("C++", "cpp"), ("js", "javascript"), ("rusty", "rust")):
        code, output = run("new-bot", "--language", written, str(tmp_path / "fox"))
        assert (code, f"Did you mean {meant!r}?" in output) == (2, True)


def test_folders_are_made_below_this_one_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    code, output = run("new-bot", "--language", "python", "../nowhere/fox")
    told = f"there is no folder {tmp_path / 'nowhere'} to make it in"
    assert (code, told in " ".join(output.split())) == (2, True)
    assert not (tmp_path / "nowhere").exists()
    assert run("new-bot", "--language", "python", "bots/fox")[0] == 0
    assert run("new-bot", "--language", "python", "../hen")[0] == 0
