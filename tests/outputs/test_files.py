"""Files that are there whole or not at all."""

from __future__ import annotations

import fcntl
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arena.outputs.files import replace

# Writes until it is killed.
WRITER = """
import sys
from pathlib import Path
from arena.outputs.files import replace
number = 0
while True:
    number += 1
    replace(Path(sys.argv[1]), f"{number}\\n" * 200_000)
    if number == 2:
        print("writing", flush=True)
"""


def test_a_file_gets_its_text_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    assert replace(path, "one")
    assert replace(path, "two ±")
    assert path.read_text(encoding="utf-8") == "two ±"
    assert [*tmp_path.iterdir()] == [path]


def test_an_unchanged_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    replace(path, "one")
    before = path.stat()
    assert not replace(path, "one")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_new_file_has_the_usual_rights_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    path, usual = tmp_path / "table.md", tmp_path / "usual"
    usual.write_text("")
    replace(path, "one")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    path.chmod(0o640)
    replace(path, "two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_whoever_reads_meanwhile_has_the_old_text(tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    replace(path, "one")
    with path.open() as reader:
        replace(path, "two")
        assert reader.read() == "one"


def test_a_text_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        replace(path, "one")
    assert [*tmp_path.iterdir()] == [path]


def test_a_text_that_is_written_in_part_only_leaves_the_old_one_and_nothing_else(
    tmp_path: Path,
) -> None:
    path = tmp_path / "table.md"
    replace(path, "one")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            replace(path, "two" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_text() == "one"
    assert [*tmp_path.iterdir()] == [path]


def test_text_that_is_no_unicode_is_written_all_the_same(tmp_path: Path) -> None:
    replace(tmp_path / "table.md", "fo\udcffx")
    assert (tmp_path / "table.md").read_text() == "fo\\udcffx"


def test_what_a_killed_writer_left_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    (tmp_path / ".table.md.new").write_text("half of something much longer than what comes")
    replace(path, "one")
    assert path.read_text() == "one"
    assert [*tmp_path.iterdir()] == [path]


def test_a_writer_waits_for_another_and_neither_text_is_mixed(tmp_path: Path) -> None:
    path, beside = tmp_path / "table.md", tmp_path / ".table.md.new"
    descriptor = os.open(beside, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    thread = threading.Thread(target=replace, args=(path, "ours"))
    thread.start()
    # The other one ends as a writer does, after we may or may not have begun to wait.
    os.write(descriptor, b"theirs")
    os.replace(beside, path)
    os.close(descriptor)
    thread.join()
    assert path.read_text() == "ours"
    assert [*tmp_path.iterdir()] == [path]


class Interrupted(Exception):
    """A signal came."""


def test_a_wait_for_another_writer_that_a_signal_interrupts_leaves_no_descriptor(
    tmp_path: Path,
) -> None:
    """With the lock on it, a descriptor left open would make this process wait for itself."""
    path, beside = tmp_path / "table.md", tmp_path / ".table.md.new"
    waiter = threading.main_thread().ident
    assert waiter is not None

    def raise_interrupted(*_: object) -> None:
        raise Interrupted

    def interrupt() -> None:
        # A line of /proc/locks about a process that waits has an arrow, and ends with the inode.
        waits = re.compile(rf"-> FLOCK .*:{beside.stat().st_ino} 0 EOF")
        while not waits.search(Path("/proc/locks").read_text()):
            os.sched_yield()
        signal.pthread_kill(waiter, signal.SIGUSR1)

    with beside.open("w") as theirs:
        fcntl.flock(theirs, fcntl.LOCK_EX)
        before = os.listdir("/proc/self/fd")
        handler = signal.signal(signal.SIGUSR1, raise_interrupted)
        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            with pytest.raises(Interrupted):
                replace(path, "ours")
        finally:
            thread.join()
            signal.signal(signal.SIGUSR1, handler)
        assert os.listdir("/proc/self/fd") == before
    assert replace(path, "ours")


def test_a_killed_writer_leaves_a_whole_file_and_no_growing_heap(tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "writing\n"
            writer.send_signal(signal.SIGKILL)
        lines = path.read_text().splitlines()
        assert len(lines) == 200_000
        assert len({*lines}) == 1
    assert {each.name for each in tmp_path.iterdir()} <= {"table.md", ".table.md.new"}
    assert replace(path, "one")
    assert [*tmp_path.iterdir()] == [path]
