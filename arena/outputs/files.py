"""Files that are there whole or not at all, whoever reads them and whenever we are killed."""

from __future__ import annotations

import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path


def replace(path: Path, text: str) -> bool:
    """Make this the content of the file, in one step; False if it was that already.

    An unchanged file is left alone, so that what caches it need not fetch it again. A new one
    gets the rights that any new file of this user gets; one that was there keeps its own.
    Nothing waits for the disk: what is published can be made again.

    The text is written beside it first, under one name for each file: what a killed writer
    leaves is overwritten by the next, so leftovers do not pile up. Two writers wait for each
    other.
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
    """The file at this path, made if it is not there, and nobody else's while it is open."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            # While we waited, whoever had it may have moved it to where it belongs.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), path.stat()):
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
