"""The lock of a league: one runner at a time.

It is on a file of its own, and not on the store: SQLite's locks belong to the process, and closing
any descriptor of the store would drop them. The kernel releases it when its process ends,
however that ends; so a league with a lock is running, and all others are not.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.league.store.database import StoreError

FILE_NAME = "lock"
# `is_held` takes the lock for a moment: so a runner that finds it taken tries again.
TRIES = 5
WAIT_SECONDS = 0.02


class AlreadyRunning(Exception):
    """Another runner has this league."""


@contextmanager
def locked(folder: Path, wait: Callable[[float], object] = time.sleep) -> Iterator[None]:
    """Hold the lock of the league in this folder; raises AlreadyRunning, and StoreError for a user
    who may not write there.

    `wait` is called with the seconds between two tries.
    """
    path = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except PermissionError as error:
        raise StoreError(
            f"{error.filename}: this user may not write it; it is for the owner of the league"
        ) from None
    try:
        if not _taken(descriptor, wait):
            pid = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            raise AlreadyRunning(
                f"{folder}: this league is being played by process {pid or '?'}; wait for it, "
                "or stop it with Ctrl-C"
            )
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int, wait: Callable[[float], object]) -> bool:
    """Try to take the lock a few times; return whether it is ours."""
    for tries in range(TRIES):
        if tries:
            wait(WAIT_SECONDS)
        if _try(descriptor, fcntl.LOCK_EX):
            return True
    return False


def is_held(folder: Path) -> bool:
    """Tell whether a runner holds the lock of the league in this folder.

    Raises StoreError for a user who may not read the lock.
    """
    try:
        descriptor = os.open(folder / FILE_NAME, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except PermissionError as error:
        raise StoreError(
            f"{error.filename}: this user may not read it; it is for the owner of the league"
        ) from None
    try:
        # Shared, so that readers never take each other for a runner.
        return not _try(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _try(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
