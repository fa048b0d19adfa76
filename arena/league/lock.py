"""One runner at a time for each league.

A lock of its own file, and not the store's: SQLite's locks belong to the process, and closing
any descriptor of the store would drop them. The kernel lets go of it when we end, however.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILE_NAME = "lock"


class AlreadyRunning(Exception):
    """Another runner has this league."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the league in this folder; raises AlreadyRunning."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE_NAME
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            raise AlreadyRunning(
                f"{folder}: this league is being played by process {pid or '?'}; wait for it, "
                "or stop it with Ctrl-C"
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)
