"""The serving process restricted by Landlock to reading public files.

It keeps the socket that it was given and the files named here; it opens no other file, writes
none, starts no program, makes no TCP connection and signals no process. Of a league it may read
four files by their inodes, so a file that takes the place of one of them is not readable: the
process that started this one notices and starts another (`supervisor`).
"""

from __future__ import annotations

import ctypes
import importlib
import os
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

import arena
from arena import data
from arena.bots.warden.landlock import READ_DIR, READ_FILE, abi, restrict, rights_of
from arena.league.store.folder import COMPLETE_SETS
from arena.league.store.lock import FILE_NAME
from arena.serve.files import JUDGED, public_files

_PR_SET_NO_NEW_PRIVS = 38
_READ = READ_FILE | READ_DIR
# Python asks for these while it runs, and the collector of metrics for itself.
_OF_THE_SYSTEM = ("/proc/self", "/proc/stat", "/dev/null", "/dev/urandom", "/usr/share/zoneinfo")


def confine(folders: Sequence[Path]) -> str:
    """Restrict this process for good, and return a line that describes the restriction."""
    version = abi()
    if not version:
        return "not confined: this kernel has no Landlock, so file rights alone keep secrets"
    paths = [*_of_arena(folders), *map(Path, _OF_THE_SYSTEM)]
    for folder in folders:
        paths += public_files(folder)
    files, tcp, scopes = rights_of(version)
    _no_new_privileges()
    restrict(files, tcp, scopes, tuple((str(path), _READ) for path in paths))
    return (
        f"confined by Landlock {version}: it reads {COMPLETE_SETS}, {FILE_NAME} and {JUDGED}/ of"
        " its leagues, and writes nothing"
    )


def _of_arena(folders: Sequence[Path]) -> Iterator[Path]:
    """Yield where Python and its packages are, but for places with a league inside."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    found = [
        *(Path(sysconfig.get_path(name)) for name in names),
        Path(arena.__file__).parent,
        data.spec(),
        data.sample_bots(),
    ]
    leagues = [folder.resolve() for folder in folders]
    for path in dict.fromkeys(each.resolve() for each in found):
        if not any(league.is_relative_to(path) for league in leagues):
            yield path


def _no_new_privileges() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def load_all() -> None:
    """Load modules that are usually loaded at first use: later a folder may be out of reach."""
    for name in _LOADED_LATE:
        importlib.import_module(name)


_LOADED_LATE = (
    "anyio._backends._asyncio",
    "encodings.idna",
    "encodings.unicode_escape",
    "uvicorn.lifespan.on",
    "uvicorn.loops.asyncio",
    "uvicorn.protocols.websockets.wsproto_impl",
)
