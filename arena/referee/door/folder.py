"""Folders whose path is short enough for a Unix socket, whatever TMPDIR says.

Bots connect to the socket by its path, which the kernel limits. So where TMPDIR is too long the
socket, and nothing else, gets a folder elsewhere.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from arena.referee.door.addresses import MOST_PATH_BYTES, CannotListen

DOOR = "door"
# The longest name of a socket in such a folder: one of `arena check`.
LONGEST = "check/door99999"
# Tried in this order.
SHORT = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"))


def folder_for_door(folder: Path, short: Sequence[Path] = SHORT) -> Path:
    """Return `folder` if the path of a socket in it fits, else a new private folder in one of
    `short`, for the caller to remove. Raises CannotListen."""
    if fits(folder):
        return folder
    for place in short:
        try:
            made = Path(tempfile.mkdtemp(prefix="arena-", dir=place))
        except OSError:
            continue
        if fits(made):
            return made
        made.rmdir()
    raise CannotListen(
        f"the path of a Unix socket has at most {MOST_PATH_BYTES} bytes, and one in {folder} has"
        f" more; nothing can be written to {', '.join(map(str, short))} either: set TMPDIR to a"
        " folder with a shorter name"
    )


def fits(folder: Path) -> bool:
    """Tell whether the paths of all sockets in this folder are short enough."""
    return len(os.fsencode(folder / LONGEST)) <= MOST_PATH_BYTES


def check_folder() -> None:
    """Raise CannotListen if no door can be made here.

    For a caller that starts another process to listen: that one could not say it so well.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="arena-"))
    except OSError as error:
        raise CannotListen(f"no temporary folder can be made: {error}") from None
    try:
        made = folder_for_door(folder)
        if made != folder:
            made.rmdir()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
