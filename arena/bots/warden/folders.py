"""Folders of one bot: made for its user alone, removed with all that it left in them."""

from __future__ import annotations

import contextlib
import os

# A scratch folder below this free space is full, for every purpose.
_FULL_BYTES = 65_536

_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def make(folders: tuple[str, ...]) -> None:
    """Make new folders that this user alone may enter. Raises OSError."""
    for folder in folders:
        os.mkdir(folder, 0o700)


def remove(folders: tuple[str, ...]) -> None:
    """Remove folders with all that is in them; what cannot be removed stays.

    No process that could change them may be left. Links are removed and not followed.
    """
    for folder in folders:
        with contextlib.suppress(OSError):
            top = os.open(folder, _OPEN_FOLDER)
            try:
                _empty(top)
            finally:
                os.close(top)
            os.rmdir(folder)


def _empty(top: int) -> None:
    """Remove all that is in an open folder.

    Every folder below is moved to the top before it is emptied, under a number as its name.
    `shutil.rmtree` calls itself for each level instead, and a bot can make more levels than Python
    has calls, and longer paths than the kernel takes.
    """
    # A name of its own for each run, so that no folder of the bot has it.
    tag = os.urandom(8).hex()
    moved = 0
    left = ["."]
    while left:
        name = left.pop()
        with contextlib.suppress(OSError):
            folder = os.open(name, _OPEN_FOLDER, dir_fd=top)
            try:
                for inner in os.listdir(folder):
                    new = f"{tag}-{moved}"
                    if _is_moved(folder, inner, top, new):
                        moved += 1
                        left.append(new)
            finally:
                os.close(folder)
            if name != ".":
                os.rmdir(name, dir_fd=top)


def _is_moved(folder: int, name: str, top: int, new: str) -> bool:
    """Remove an entry of a folder; move it to the top instead if it is a folder itself."""
    with contextlib.suppress(OSError):
        os.unlink(name, dir_fd=folder)
        return False
    with contextlib.suppress(OSError):
        # To move a folder one must be allowed to write to it.
        os.chmod(name, 0o700, dir_fd=folder)
        os.rename(name, new, src_dir_fd=folder, dst_dir_fd=top)
        return True
    return False


class Scratch:
    """The file system of a bot's scratch folder, held open so that it can be looked at."""

    __slots__ = ("_descriptor",)

    def __init__(self, pid: int, path: str) -> None:
        """Open it as the process `pid` sees it; without one there is nothing to look at."""
        self._descriptor: int | None = None
        with contextlib.suppress(OSError):
            flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
            self._descriptor = os.open(f"/proc/{pid}/root{path}", flags)

    @property
    def is_full(self) -> bool:
        if self._descriptor is None:
            return False
        now = os.fstatvfs(self._descriptor)
        return now.f_bavail * now.f_frsize < _FULL_BYTES

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
