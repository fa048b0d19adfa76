"""The folder of the workers of a machine: parcels, scratch folders, logs; used by some, or cleaned.

parcels/        the bots that came, each unpacked, by the hash of its bytes
running/        a folder for each worker that runs: scratch files of it, its referees and Dask
referees.log    complaints of referee processes
lock            held by every worker that uses the folder
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from arena.bots.builds.cache import users_cache
from arena.bots.contents import remove_scratch

# The variables by which a worker's process is told its folder, how bots are confined at least, and
# further paths that they may read, with ':' between.
FOLDER = "ARENA_WORKER_FOLDER"
CONFINE = "ARENA_WORKER_CONFINE"
READ = "ARENA_WORKER_READ"

PARCELS, LOG = "parcels", "referees.log"
_RUNNING, _LOCK = "running", "lock"


class FolderInUse(Exception):
    """The folder cannot be had; the text says why."""


def usual_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of this user's workers, by the rules of XDG."""
    return users_cache(environ).folder.parent / "worker"


def folder_of(environ: Mapping[str, str]) -> Path:
    """Return the folder of a worker's process, which `arena worker` has told it."""
    return Path(environ.get(FOLDER) or usual_folder(environ))


@contextmanager
def used(folder: Path) -> Iterator[None]:
    """Hold a folder as one of its workers, so that nobody cleans it. Raises FolderInUse."""
    _make(folder)
    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(f"{folder} is being cleaned; try again") from None
        yield
    finally:
        os.close(descriptor)


@contextmanager
def own_place(folder: Path) -> Iterator[Path]:
    """Make a folder for the scratch files of one worker, and remove it in the end; with it go those
    of workers that were killed.

    A warden removes the folders of killed processes; but a process that is killed before it has a
    warden leaves them here.
    """
    places = folder / _RUNNING
    places.mkdir(mode=0o700, exist_ok=True)
    for place in places.iterdir():
        with _held(place) as is_ours:
            if is_ours:
                remove_scratch(place)
    while True:
        place = Path(tempfile.mkdtemp(dir=places))
        with _held(place) as is_ours:
            # Until it is held, another worker that begins now takes it for one that is left.
            if not (is_ours and place.exists()):
                continue
            try:
                yield place
            finally:
                remove_scratch(place)
            return


@contextmanager
def _held(place: Path) -> Iterator[bool]:
    """Hold a folder, unless another process does, or has just removed it; yield whether it is
    held."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_ours = True
    except BlockingIOError:
        is_ours = False
    try:
        yield is_ours
    finally:
        os.close(descriptor)


def clean(folder: Path) -> list[str]:
    """Remove all that workers have left, and return the names of the removed files. Raises
    FolderInUse while a worker uses it."""
    if not folder.exists():
        return []
    _make(folder)
    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(f"a worker is using {folder}: stop it first") from None
        found = []
        for name in (PARCELS, _RUNNING, LOG):
            path = folder / name
            if path.exists():
                found.append(name)
                if path.is_dir():
                    remove_scratch(path)
                else:
                    path.unlink()
        (folder / _LOCK).unlink()
        return found
    finally:
        os.close(descriptor)


def _make(folder: Path) -> None:
    """Make the folder; refuse one that is another user's, or that others may write to."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = folder.stat()
    if state.st_uid != os.geteuid():
        raise FolderInUse(f"{folder} belongs to another user: name another with --folder")
    folder.chmod(0o700)
