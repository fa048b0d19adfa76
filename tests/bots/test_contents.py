"""What of a folder counts as a bot, and the copy that it runs in."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena import data
from arena.bots.botfile import Bot, bot_of_command_line
from arena.bots.contents import (
    BUILD_OUTPUT,
    changed_last,
    changed_mode,
    content_hash,
    prepare_scratch,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "fox"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "main.py").write_text("print('fox')\n")
    (folder / "bot.toml").write_text("...")
    return folder


def a_bot(folder: Path, build: tuple[str, ...] | None = None) -> Bot:
    return Bot("fox", ("./fox",), folder, build=build)


def files(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def test_every_change_of_a_source_changes_the_hash(folder: Path) -> None:
    seen = {content_hash(a_bot(folder))}
    main = folder / "src" / "main.py"

    def lead_elsewhere() -> None:
        (folder / "link").unlink()
        (folder / "link").symlink_to("bot.toml")

    changes: list[Callable[[], object]] = [
        lambda: main.write_text("print('wolf')\n"),
        lambda: main.chmod(0o755),
        lambda: main.rename(folder / "src" / "fox.py"),
        lambda: (folder / "empty").touch(),
        lambda: (folder / ".dotfile").touch(),
        lambda: (folder / "link").symlink_to("src"),
        lead_elsewhere,
    ]
    for change in changes:
        change()
        seen.add(content_hash(a_bot(folder)))
    assert len(seen) == len(changes) + 1


def test_what_is_included_is_copied_and_hashed_as_if_it_lay_in_the_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "sample_bots", lambda: tmp_path / "samples")
    tricks = tmp_path / "samples" / "owl" / "tricks"
    (tricks / "__pycache__").mkdir(parents=True)
    (tricks / "play.py").write_text("print('hoo')\n")
    (tricks / "__pycache__" / "play.pyc").touch()
    (tricks.parent / "cards.py").write_text("")
    bot = replace(a_bot(folder), include=("owl/tricks", "owl/cards.py"))
    copy = prepare_scratch(bot, tmp_path / "copy")
    assert files(copy) == files(folder) | {"tricks/play.py", "cards.py"}
    before = content_hash(bot)
    assert before == content_hash(a_bot(copy))
    (tricks / "play.py").write_text("print('hoot')\n")
    assert before != content_hash(bot) != content_hash(a_bot(folder))
    os.utime(tricks / "play.py", (2**31, 2**31))
    assert changed_last(bot) == "tricks/play.py"
    now = content_hash(bot)
    (tricks / "play.py").chmod(0o755)
    assert changed_mode(bot, now) == tricks / "play.py"


def test_what_is_built_and_what_is_hidden_does_not_change_the_hash(folder: Path) -> None:
    before = content_hash(a_bot(folder))
    for name in (*BUILD_OUTPUT, ".git", "src/.cache", "src/__pycache__"):
        (folder / name).mkdir()
        (folder / name / "file").write_text("anything")
    os.mkfifo(folder / "fifo")
    assert content_hash(a_bot(folder)) == before


@pytest.mark.parametrize(
    "name",
    ["bot.py~", ".bot.py.swp", ".bot.py.swo", "#bot.py#", ".DS_Store", "._bot.py", "Thumbs.db"],
)
def test_what_editors_and_desktops_leave_behind_is_no_part_of_a_bot(
    folder: Path, tmp_path: Path, name: str
) -> None:
    before = content_hash(a_bot(folder))
    (folder / name).write_text("anything")
    (folder / "src" / name).write_text("anything")
    (folder / ".#bot.py").symlink_to("somebody@somewhere")
    assert content_hash(a_bot(folder)) == before
    for number, build in enumerate((None, ("make",))):
        copy = prepare_scratch(a_bot(folder, build), tmp_path / str(number))
        assert files(copy) == {"bot.toml", "src/main.py"}


@pytest.mark.parametrize("name", [".npmrc", ".swp", "notes.swp", "a~b", "#define", ".env"])
def test_a_dot_file_that_may_be_read_counts_and_is_there_where_the_bot_runs(
    folder: Path, tmp_path: Path, name: str
) -> None:
    """What runs is what was hashed, whatever it is called."""
    before = content_hash(a_bot(folder))
    (folder / name).write_text("something")
    assert content_hash(a_bot(folder)) != before
    assert name in files(prepare_scratch(a_bot(folder), tmp_path / "copy"))


def test_the_file_that_was_written_last_is_named(folder: Path) -> None:
    for at, name in enumerate(("bot.toml", "src/main.py", "fox~")):
        (folder / name).touch()
        os.utime(folder / name, (at, at))
    assert changed_last(a_bot(folder)) == "src/main.py"
    os.utime(folder / "bot.toml", (3, 3))
    assert changed_last(a_bot(folder)) == "bot.toml"


def test_a_hash_is_the_same_as_in_every_league_there_is(folder: Path) -> None:
    """It is stored: a bot that has not changed must not look as if it had."""
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "link").symlink_to("src")
    assert content_hash(a_bot(folder)) == (
        "dfd3631efe9d3e43220097156997dac2da862059083f58383127ba93e3b4f5ed"
    )


def test_a_file_of_which_only_the_permission_to_run_has_changed_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = folder / "src" / "main.py"
    (folder / "link").symlink_to("src")
    (folder / "src" / "more.py").touch()
    before = content_hash(a_bot(folder))
    assert changed_mode(a_bot(folder), before) is None
    main.chmod(0o755)
    after = content_hash(a_bot(folder))
    assert changed_mode(a_bot(folder), before) == main
    main.chmod(0o644)
    assert changed_mode(a_bot(folder), after) == main
    main.write_text("print('wolf')\n")
    assert changed_mode(a_bot(folder), before) is None
    monkeypatch.chdir(folder)
    bare = bot_of_command_line("python3 src/main.py")
    before = content_hash(bare)
    main.chmod(0o755)
    assert changed_mode(bare, before) == main


def test_a_program_of_a_command_line_is_named_wherever_it_lies(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is hashed because the words name it, though the sources of a folder leave it out."""
    monkeypatch.chdir(folder)
    for program in (folder / "build" / "bot", folder / ".tools" / "bot"):
        program.parent.mkdir(exist_ok=True)
        program.touch(mode=0o755)
        for words in (str(program.relative_to(folder)), str(program)):
            program.chmod(0o755)
            bare = bot_of_command_line(words)
            before = content_hash(bare)
            program.chmod(0o644)
            assert changed_mode(bare, before) == program


def test_the_place_does_not_change_the_hash_nor_does_copying(folder: Path, tmp_path: Path) -> None:
    (folder / "inside").symlink_to(folder / "src")  # absolute, and still its own
    (folder / "outside").symlink_to("../elsewhere")
    bot = a_bot(folder, build=("make",))
    copy = prepare_scratch(bot, tmp_path / "deep" / "scratch")
    assert content_hash(a_bot(copy)) == content_hash(bot)


def test_a_copy_has_the_sources_and_runs_no_stale_build(folder: Path, tmp_path: Path) -> None:
    (folder / "target").mkdir()
    (folder / "target" / "fox").touch()
    (folder / ".git").mkdir()
    (folder / ".git" / "config").touch()
    sources = {"bot.toml", "src/main.py"}
    copy = prepare_scratch(a_bot(folder, build=("make",)), tmp_path / "1")
    assert files(copy) == sources
    copy = prepare_scratch(a_bot(folder), tmp_path / "2")
    assert files(copy) == sources | {"target/fox"}


def test_a_program_may_still_be_executed_in_the_copy(folder: Path, tmp_path: Path) -> None:
    (folder / "fox").touch(mode=0o755)
    copy = prepare_scratch(a_bot(folder), tmp_path / "copy")
    assert os.access(copy / "fox", os.X_OK)
    assert not os.access(copy / "bot.toml", os.X_OK)


def test_links_are_not_followed_and_lead_where_they_led(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret").write_text("secret")
    (folder / "outside").symlink_to("../elsewhere")
    (folder / "src" / "inside").symlink_to(folder / "bot.toml")
    (folder / "dangling").symlink_to("nowhere")
    copy = prepare_scratch(a_bot(folder), tmp_path / "deep" / "copy")
    assert (copy / "outside").is_symlink()
    assert (copy / "outside" / "secret").read_text() == "secret"
    assert (copy / "src" / "inside").resolve() == copy / "bot.toml"
    assert os.readlink(copy / "dangling") == "nowhere"
    before = content_hash(a_bot(folder))
    (tmp_path / "elsewhere" / "secret").write_text("another")
    assert content_hash(a_bot(folder)) == before


def test_a_copy_is_never_made_over_something_else(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        prepare_scratch(a_bot(folder), tmp_path)


def test_of_a_command_line_the_words_count_and_the_files_they_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(folder)
    bot = bot_of_command_line("python3 src/main.py")
    before = content_hash(bot)
    (folder / "bot.toml").write_text("changed")
    assert content_hash(bot) == before
    assert content_hash(bot_of_command_line("python3 src/main.py 1")) != before
    (folder / "src" / "main.py").write_text("changed")
    assert content_hash(bot) != before
    assert prepare_scratch(bot, tmp_path / "copy") == folder
