"""Folders of bots, made and removed with whatever a bot has left in them."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from arena.bots.warden import folders
from arena.bots.warden.folders import Scratch, make, remove


def made_deep(folder: Path, levels: int) -> None:
    """Make folders in folders, as a program does that changes into each."""
    top = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("a", dir_fd=top)
        inner = os.open("a", os.O_RDONLY, dir_fd=top)
        os.close(top)
        top = inner
    os.close(top)


def test_a_folder_is_made_for_its_user_alone(tmp_path: Path) -> None:
    make((str(tmp_path / "new"),))
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_a_folder_is_removed_with_all_that_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "inner" / "more").mkdir(parents=True)
    (folder / "inner" / "more" / "file").touch()
    (folder / ".hidden").touch()
    os.mkfifo(folder / "pipe")
    (folder / "broken").symlink_to("nowhere")
    remove((str(folder), str(tmp_path / "gone")))
    assert not list(tmp_path.iterdir())


def test_a_link_is_removed_and_not_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(kept)
    remove((str(folder),))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (kept / "file").exists()
    (tmp_path / "link").symlink_to(kept)
    remove((str(tmp_path / "link"),))
    assert (kept / "file").exists()


def test_folders_that_their_owner_has_closed_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "closed" / "inner").mkdir(parents=True)
    (folder / "closed" / "inner").chmod(0)
    (folder / "closed").chmod(0)
    remove((str(folder),))
    assert not folder.exists()


def test_folders_deeper_than_calls_and_longer_than_paths_are_removed(tmp_path: Path) -> None:
    """A bot would end the warden by them, and with it all other bots."""
    folder = tmp_path / "folder"
    folder.mkdir()
    made_deep(folder, sys.getrecursionlimit() * 3)
    remove((str(folder),))
    assert not folder.exists()


def test_a_scratch_folder_is_looked_at_as_a_process_of_the_bot_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.listdir("/proc/self/fd")
    free = os.statvfs(tmp_path)
    scratch = Scratch(os.getpid(), str(tmp_path))
    assert len(os.listdir("/proc/self/fd")) == len(before) + 1
    assert not scratch.is_full
    monkeypatch.setattr(folders, "_FULL_BYTES", 2 * free.f_bavail * free.f_frsize)
    assert scratch.is_full
    scratch.close()
    assert not scratch.is_full
    scratch.close()
    assert len(os.listdir("/proc/self/fd")) == len(before)


def test_a_scratch_folder_that_nobody_sees_is_not_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_FULL_BYTES", 1 << 80)
    (tmp_path / "file").touch()
    for name in ("missing", "file"):
        scratch = Scratch(os.getpid(), str(tmp_path / name))
        assert not scratch.is_full
        scratch.close()
