"""The restriction of a process by Landlock."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots.warden import landlock
from tests.referee.real_match import ROOT

# Restricts itself to the paths that are its arguments, all but the first, and reads the first.
READER = """
import sys
from arena.bots.warden import landlock
from arena.bots.warden.enter import PR_SET_NO_NEW_PRIVS, prctl
prctl(PR_SET_NO_NEW_PRIVS, 1)
landlock.restrict(
    landlock.READ_FILE, 0, 0, tuple((path, landlock.READ_FILE) for path in sys.argv[2:])
)
print(open(sys.argv[1]).read())
"""


def reads(path: Path, *allowed: Path) -> bool:
    """Tell if a process that may read these paths alone could read this file."""
    if landlock.abi() == 0:
        pytest.skip("this kernel has no Landlock")
    ran = subprocess.run(
        [sys.executable, "-c", READER, str(path), *map(str, allowed)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "text\n" or "PermissionError" in ran.stderr, ran.stderr
    return ran.stdout == "text\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_text("text")
    return path


def test_only_what_is_allowed_can_be_read(file: Path) -> None:
    assert reads(file, file.parent)
    assert reads(file, file)
    assert not reads(file, Path("/usr"))


def test_a_path_that_is_not_there_takes_nothing_from_those_after_it(file: Path) -> None:
    assert reads(file, file.parent / "missing", file / "below a file", file.parent)


def test_rights_that_no_kernel_knows_are_refused_with_their_errno() -> None:
    """And nothing is restricted."""
    if landlock.abi() == 0:
        pytest.skip("this kernel has no Landlock")
    with pytest.raises(OSError, match="Invalid argument") as caught:
        landlock.restrict(1 << 62, 0, 0, ())
    assert caught.value.errno == errno.EINVAL


# Does something after it has restricted itself to files and folders of one kind of right, as told.
DOER = """
import os, sys
from arena.bots.warden import landlock
from arena.bots.warden.enter import PR_SET_NO_NEW_PRIVS, prctl
before = set(os.listdir("/proc/self/fd"))
prctl(PR_SET_NO_NEW_PRIVS, 1)
handled, allowed = int(sys.argv[1]), int(sys.argv[2])
paths = ((sys.argv[3], allowed), (sys.argv[4], landlock.READ_DIR), ("/proc", landlock.READ_DIR))
landlock.restrict(handled, 0, 0, paths)
assert set(os.listdir("/proc/self/fd")) == before, "a descriptor was left open"
for action in (
    lambda: open(sys.argv[3] + "/file").close(),
    lambda: open(sys.argv[3] + "/file", "a").close(),
    lambda: os.listdir(sys.argv[3]),
    lambda: os.mkdir(sys.argv[3] + "/new"),
    lambda: os.rmdir(sys.argv[3] + "/old"),
    lambda: open(sys.argv[4]).close(),
):
    try:
        action()
        print("done", end=" ")
    except PermissionError:
        print("refused", end=" ")
"""
ALL = landlock.READ_FILE | landlock.WRITE_FILE | landlock.READ_DIR | landlock.MAKE_DIR
ALL |= landlock.REMOVE_DIR


@pytest.mark.parametrize(
    ("handled", "allowed", "done"),
    [
        (ALL, ALL, "done done done done done refused"),
        (ALL, landlock.READ_FILE, "done refused refused refused refused refused"),
        (ALL, landlock.READ_DIR, "refused refused done refused refused refused"),
        (landlock.WRITE_FILE, landlock.READ_FILE, "done refused done done done done"),
        (landlock.READ_FILE, ALL, "done done done done done refused"),
    ],
)
def test_each_right_is_refused_where_it_is_handled_and_not_allowed(
    tmp_path: Path, handled: int, allowed: int, done: str
) -> None:
    """What is allowed beyond that is of no account; a file has no right of a folder."""
    if landlock.abi() == 0:
        pytest.skip("this kernel has no Landlock")
    folder, other = tmp_path / "folder", tmp_path / "other"
    (folder / "old").mkdir(parents=True)
    (folder / "file").touch()
    other.touch()
    words = [str(handled), str(allowed), str(folder), str(other)]
    ran = subprocess.run(
        [sys.executable, "-c", DOER, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.stdout.strip() == done, ran.stderr


def test_a_kernel_without_landlock_has_abi_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "_SYSCALL", lambda *_: -1)
    assert landlock.abi() == 0
    with pytest.raises(OSError, match=r"\[Errno "):
        landlock.restrict(1, 0, 0, ())
    monkeypatch.setattr(landlock, "_SYSCALL", lambda *_: 3)
    assert landlock.abi() == 3


def test_rights_are_the_bits_of_the_kernel() -> None:
    """As in include/uapi/linux/landlock.h."""
    files = (
        "EXECUTE WRITE_FILE READ_FILE READ_DIR REMOVE_DIR REMOVE_FILE MAKE_CHAR MAKE_DIR MAKE_REG"
        " MAKE_SOCK MAKE_FIFO MAKE_BLOCK MAKE_SYM REFER TRUNCATE IOCTL_DEV"
    )
    assert [getattr(landlock, name) for name in files.split()] == [1 << bit for bit in range(16)]
    assert (landlock.BIND_TCP, landlock.CONNECT_TCP) == (1, 2)
    assert (landlock.SCOPE_ABSTRACT_UNIX_SOCKET, landlock.SCOPE_SIGNAL) == (1, 2)


@pytest.mark.parametrize(
    ("version", "rights"),
    [
        (0, (0, 0, 0)),
        (1, (0x1FFF, 0, 0)),
        (2, (0x3FFF, 0, 0)),
        (3, (0x7FFF, 0, 0)),
        (4, (0x7FFF, 3, 0)),
        (5, (0xFFFF, 3, 0)),
        (6, (0xFFFF, 3, 3)),
        (7, (0xFFFF, 3, 3)),
    ],
)
def test_each_version_knows_the_rights_of_those_before_it(
    version: int, rights: tuple[int, int, int]
) -> None:
    assert landlock.rights_of(version) == rights
