"""One runner at a time, and readers that can tell whether there is one."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from arena.league.store.lock import FILE_NAME, AlreadyRunning, is_held, locked


def test_a_second_runner_is_told_which_process_has_the_league(tmp_path: Path) -> None:
    folder = tmp_path / "cup.arena"
    waits: list[float] = []
    with locked(folder):
        with pytest.raises(AlreadyRunning) as caught, locked(folder, waits.append):
            raise AssertionError("not reached")
        assert str(caught.value) == (
            f"{folder}: this league is being played by process {os.getpid()}; wait for it, or"
            " stop it with Ctrl-C"
        )
    assert len(waits) == 4
    with locked(folder):
        """The first has ended."""


def test_a_lock_file_that_names_nobody_yet_holds_too(tmp_path: Path) -> None:
    with locked(tmp_path):
        os.truncate(tmp_path / FILE_NAME, 0)
        second = locked(tmp_path, lambda _: None)
        with pytest.raises(AlreadyRunning, match=r"by process \?;"), second:
            raise AssertionError("not reached")


def test_the_lock_is_held_as_long_as_its_runner_runs(tmp_path: Path) -> None:
    assert not is_held(tmp_path / "nowhere")
    assert not is_held(tmp_path)
    with locked(tmp_path):
        assert is_held(tmp_path)
    assert (tmp_path / FILE_NAME).exists()
    assert not is_held(tmp_path)


def test_a_reader_that_looks_at_the_lock_keeps_no_runner_from_it(tmp_path: Path) -> None:
    """The runner comes in the moment in which the reader has the lock, and tries again."""
    (tmp_path / FILE_NAME).touch()
    looking = os.open(tmp_path / FILE_NAME, os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)

    def looked(_: float) -> None:
        os.close(looking)

    with locked(tmp_path, looked):
        assert is_held(tmp_path)


def test_readers_do_not_take_each_other_for_a_runner(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()
    other = os.open(tmp_path / FILE_NAME, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_SH)
    assert not is_held(tmp_path)
    os.close(other)


def test_a_longer_number_of_an_earlier_runner_leaves_no_digit(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("9" * 20 + "\n")
    with locked(tmp_path):
        assert (tmp_path / FILE_NAME).read_text() == f"{os.getpid()}\n"
