"""A Unix socket in a folder, for its owner alone, whatever the length of the folder's path."""

from __future__ import annotations

import errno
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MODE = 0o600


@contextmanager
def address_in(folder: Path, name: str) -> Iterator[str]:
    """Yield the path of a socket, short enough for an address (107 bytes) in any folder."""
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}/{name}"
    finally:
        os.close(descriptor)


@contextmanager
def listening_in(
    folder: Path, name: str, backlog: int, kind: socket.SocketKind = socket.SOCK_STREAM
) -> Iterator[socket.socket]:
    """Listen at a socket of this name, for this user alone; remove it at the end.

    The caller has made sure that nobody else listens there: a socket that is there was left by a
    process that was killed, and is replaced. Raises FileExistsError over any other file.
    """
    with address_in(folder, name) as address, socket.socket(socket.AF_UNIX, kind) as listener:
        # Linux gives the file the mode of the socket, so that it never is open to others.
        os.fchmod(listener.fileno(), MODE)
        with suppress(FileNotFoundError):
            if not stat.S_ISSOCK(os.stat(address, follow_symlinks=False).st_mode):
                where = str(folder / name)
                raise FileExistsError(errno.EEXIST, "a league listens here: move it away", where)
            os.unlink(address)
        listener.bind(address)
        ours = os.stat(address, follow_symlinks=False)
        listener.listen(backlog)
        listener.setblocking(False)
        try:
            yield listener
        finally:
            with suppress(FileNotFoundError):
                if os.path.samestat(ours, os.stat(address, follow_symlinks=False)):
                    os.unlink(address)
