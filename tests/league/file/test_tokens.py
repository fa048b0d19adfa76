"""The files for the authors of bots that dial in."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from arena.league.file.tokens import (
    file_of,
    names_of_files,
    remove_file,
    token_in_file,
    write_file,
)

HERE = "tcp:127.0.0.1:4000"


def lines(folder: Path, name: str) -> list[str]:
    return file_of(folder, name).read_text().splitlines()


def test_a_shell_can_read_the_file(tmp_path: Path) -> None:
    write_file(tmp_path, "fox", HERE, "tK3x")
    comment, *rest = lines(tmp_path, "fox")
    assert comment.startswith("# For the author of fox: ")
    assert rest == ["ARENA_RETRY_S=5", f"ARENA_CONNECT={HERE}", "ARENA_TOKEN=tK3x"]
    assert token_in_file(tmp_path, "fox") == "tK3x"


@pytest.mark.parametrize("is_copied", [False, True])
def test_nobody_else_on_the_machine_may_read_it(tmp_path: Path, is_copied: bool) -> None:
    """Also where the folder was copied by a program that does not keep modes."""
    write_file(tmp_path, "fox", HERE, "tK3x")
    if is_copied:
        file_of(tmp_path, "fox").chmod(0o644)
        file_of(tmp_path, "fox").parent.chmod(0o755)
        write_file(tmp_path, "fox", HERE, "tK3x")
    assert stat.S_IMODE(file_of(tmp_path, "fox").stat().st_mode) == 0o600
    assert stat.S_IMODE(file_of(tmp_path, "fox").parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "cut", [b"", b"ARENA_CONNECT=x\n", b"ARENA_TOKEN=half-a-tok", b"ARENA_TOKEN=\n", b"\xff\n"]
)
def test_a_file_that_was_cut_short_holds_no_token(tmp_path: Path, cut: bytes) -> None:
    write_file(tmp_path, "fox", HERE, "tK3x")
    file_of(tmp_path, "fox").write_bytes(cut)
    assert token_in_file(tmp_path, "fox") is None


def test_files_are_found_and_removed_by_name(tmp_path: Path) -> None:
    assert [*names_of_files(tmp_path)] == []
    assert token_in_file(tmp_path, "fox") is None
    for name in ("owl", "fox"):
        write_file(tmp_path, name, HERE, "tK3x")
    assert [*names_of_files(tmp_path)] == ["fox", "owl"]
    for _ in "12":
        remove_file(tmp_path, "fox")
    assert [*names_of_files(tmp_path)] == ["owl"]


def test_it_is_told_whether_a_file_was_another(tmp_path: Path) -> None:
    assert write_file(tmp_path, "fox", HERE, "tK3x")
    assert not write_file(tmp_path, "fox", HERE, "tK3x")
    assert write_file(tmp_path, "fox", "tcp:arena.example:4000", "tK3x")
    assert "ARENA_CONNECT=tcp:arena.example:4000" in lines(tmp_path, "fox")
