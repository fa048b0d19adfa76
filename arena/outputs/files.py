"""Files replaced in one step: no reader sees half a file, even if the writer is killed."""

from __future__ import annotations

import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path


def replace(path: Path, text: str) -> bool:
    """Replace the content of the file in one step; return False if it had this content already.

    An unchanged file is left alone, so that caches need not fetch it again. A new file gets the
    rights of any new file of this user; an old one keeps its own. There is no fsync: all that is
    published can be made again.

    The text is first written into a temporary file in the same folder, always under the same
    name: the next writer overwrites the leftovers of a killed one, so they do not pile up. A
    lock on it makes two writers wait for each other.
    """
    data = text.encode("utf-8", "backslashreplace")
    mode = None
    with suppress(FileNotFoundError):
        if path.read_bytes() == data:
            return False
        mode = stat.S_IMODE(path.stat().st_mode)
    beside = path.with_name(f".{path.name}.new")
    descriptor = _open_alone(beside)
    try:
        os.ftruncate(descriptor, 0)
        with open(descriptor, "wb", closefd=False) as file:
            file.write(data)
        if mode is not None:
            os.fchmod(descriptor, mode)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    return True


def _open_alone(path: Path) -> int:
    """Open the file at this path, made if it is not there, and lock it until it is closed."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            # While we waited for the lock, its holder may have renamed this file: then try again.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), path.stat()):
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
