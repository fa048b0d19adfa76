"""Built folders copied, hashed and searched; all that an author's code may have left in them."""

from __future__ import annotations

import os
import socket
import stat
import sys
from pathlib import Path

import pytest

from arena.bots.builds.tree import copied, digest, entries, names_its_place, size
from arena.bots.warden.folders import remove
from tests.bots.warden.test_folders import made_deep

LEVELS = sys.getrecursionlimit() + 100


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "built"
    (folder / "inner").mkdir(parents=True)
    (folder / "fox").write_text("program")
    (folder / "fox").chmod(0o755)
    (folder / "inner" / "data").write_text("data")
    (folder / "link").symlink_to("inner/data")
    return folder


def test_a_copy_has_the_same_files_links_modes_and_times(built: Path, tmp_path: Path) -> None:
    os.utime(built / "fox", ns=(1, 10**18))
    copied(built, tmp_path / "copy")
    copy = tmp_path / "copy"
    assert (copy / "fox").read_text() == "program"
    assert stat.S_IMODE((copy / "fox").stat().st_mode) == 0o755
    assert (copy / "fox").stat().st_mtime_ns == 10**18
    assert os.readlink(copy / "link") == "inner/data"
    assert digest(copy) == digest(built)
    assert size(copy) == len("program") + len("data")


def test_no_copy_runs_as_its_owner(built: Path, tmp_path: Path) -> None:
    """A build of another user could else leave a program that runs as root."""
    (built / "fox").chmod(0o6755)
    copied(built, tmp_path / "copy")
    assert stat.S_IMODE((tmp_path / "copy" / "fox").stat().st_mode) == 0o755


def test_pipes_and_sockets_are_left_out(built: Path, tmp_path: Path) -> None:
    before = digest(built)
    os.mkfifo(built / "pipe")
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(str(built / "socket"))
    copied(built, tmp_path / "copy")
    assert sorted(os.listdir(tmp_path / "copy")) == ["fox", "inner", "link"]
    assert digest(built) == before


def test_a_link_is_not_followed(built: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("key")
    (built / "folder").symlink_to(secret)
    (built / "file").symlink_to(secret / "key")
    copied(built, tmp_path / "copy")
    assert (tmp_path / "copy" / "folder").is_symlink()
    assert (tmp_path / "copy" / "file").is_symlink()
    assert size(built) == len("program") + len("data")


def test_every_change_changes_the_digest(built: Path) -> None:
    found = [digest(built)]
    (built / "fox").chmod(0o644)
    found.append(digest(built))
    (built / "inner" / "data").write_text("date")
    found.append(digest(built))
    (built / "link").unlink()
    (built / "link").symlink_to("fox")
    found.append(digest(built))
    (built / "empty").mkdir()
    found.append(digest(built))
    (built / "fox").rename(built / "owl")
    found.append(digest(built))
    assert len(set(found)) == len(found)


def test_a_program_that_holds_the_path_of_its_folder_is_found(built: Path) -> None:
    assert names_its_place(built) is None
    (built / "inner" / "data").write_text(f"note: {built}")
    assert names_its_place(built) is None
    (built / "inner" / "script").write_text(f"#!{built}/python\n")
    (built / "inner" / "script").chmod(0o755)
    assert names_its_place(built) == built / "inner" / "script"


def test_a_link_that_holds_the_path_of_its_folder_is_found(built: Path) -> None:
    (built / "lib").symlink_to(built / "inner")
    assert names_its_place(built) == built / "lib"


def test_an_empty_program_holds_nothing(built: Path) -> None:
    (built / "empty").touch(0o755)
    assert names_its_place(built) is None


def test_a_tree_may_be_deeper_than_python_has_calls(tmp_path: Path) -> None:
    """A build makes as many levels as the name of a path has room for."""
    deep, copy = tmp_path / "deep", tmp_path / "copy"
    deep.mkdir()
    made_deep(deep, LEVELS)
    try:
        copied(deep, copy)
        assert digest(copy) == digest(deep)
        assert len(list(entries(deep))) == LEVELS
    finally:
        # pytest cannot do it.
        remove((str(deep), str(copy)))
