"""Paths that cannot be used: each command tells path and reason, and shows no traceback."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.replay import read
from arena.cli.unusable import unusable
from tests.cli.test_main import run
from tests.league.rights import as_nobody

LONG = "n" * 300
LOOP = "Too many levels of symbolic links"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a file, a loop of links, and JSON that is nested too deep."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("moo\n")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "table {}",
        "watch {}",
        "matches {}",
        "export {} --npz out.npz",
        "publish {} --to out",
        "serve {}",
        "admit {}",
        "retire {} fox",
        "invite {} fox",
        "who {}",
        "door {} --listen ws:127.0.0.1:8091",
        "tokens {}",
        "verify {}",
        "league {}",
        "init {}",
        "new-bot {} --language python",
        "build {}",
        "check {}",
        "match nope {} python-random",
        "replay {}",
        "judge {}",
        "ask {} python-random",
        "evidence {}",
    ],
)
def test_a_name_that_is_too_long_is_told(command: str) -> None:
    code, output = run(*command.format(LONG).split())
    assert code in (1, 2)
    assert "Error: " in output, output
    assert LONG in "".join(output.split())


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("init loop", "loop/league.toml cannot be written: File exists"),
        ("init file/below", "file/below/league.toml cannot be written: Not a directory"),
        ("serve league --log loop", f"loop cannot be written: {LOOP}"),
        ("serve league --log file/below", "file/below cannot be written: Not a directory"),
        ("replay deep.json", "deep.json: this is no record: "),
        ("judge deep.json", "deep.json: this is no record: "),
        ("replay /proc/self/mem", "/proc/self/mem cannot be read: Input/output error"),
    ],
)
def test_the_path_and_the_reason_are_told(here: Path, command: str, words: str) -> None:
    league = here / "league.arena"
    league.mkdir()
    for name in ("complete.db", "league.db"):
        (league / name).touch()
    code, output = run(*command.split())
    assert code == 1
    assert f"Error: {words}" in output


@pytest.fixture
def closed() -> Iterator[Path]:
    """A file that only its owner may read, in a folder that everybody may look into."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder, "record.json")
        file.touch(mode=0o600)
        file.chmod(0)
        yield file


def test_a_record_that_this_user_may_not_read_is_told_in_words(closed: Path) -> None:
    found = as_nobody(lambda: read(closed, 0))
    assert found == f"ClickException: {closed} cannot be read: Permission denied"


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EIO, errno.EPIPE])
def test_what_may_be_a_bug_of_ours_is_not_told_in_words(number: int) -> None:
    assert unusable(OSError(number, os.strerror(number), "league.db")) is None


def test_an_error_without_a_path_is_not_told_in_words() -> None:
    assert unusable(PermissionError(errno.EACCES, "Permission denied")) is None
    told = unusable(PermissionError(errno.EACCES, "Permission denied", "cup.toml"))
    assert told == "cup.toml: Permission denied"
