"""The mark of a clean end of `complete.db`: whoever opens it next need not read all of it.

To look through the copy of 100,000 matches takes seconds. After a clean end SQLite has everything
on disk, so the copy can be damaged only by whoever wrote to the file since, and then the system
tells other times of it, or another file. The mark is what the system told when the copy was closed.
It is no proof against a disk that changes bytes by itself; `arena verify` reads every row.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path

from arena.league.store.folder import CLEAN_END

# Linux takes the times of files from this clock, which ticks every 1 to 10 ms. A second change in
# one tick would not be seen, so a mark is made when the tick of the last change is over. Python has
# no name for it.
_CLOCK_REALTIME_COARSE = 5
_LOOK_AGAIN_SECONDS = 0.001
_MOST_LOOKS = 50


def make_mark(path: Path) -> None:
    """Mark the copy at this path as closed by a clean end. If that fails there is no mark."""
    with suppress(OSError):
        mark = _facts(path)
        for _ in range(_MOST_LOOKS):
            if time.clock_gettime_ns(_CLOCK_REALTIME_COARSE) > _last_change(path):
                break
            time.sleep(_LOOK_AGAIN_SECONDS)
        else:
            return  # the clock was set back, or the file is of another machine
        if mark == _facts(path):
            own = os.open(_place_of(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(own, "w") as file:
                file.write(json.dumps(mark))


def has_mark(path: Path) -> bool:
    """Tell whether the copy is as a clean end left it."""
    if any(path.with_name(f"{path.name}{ending}").exists() for ending in ("-wal", "-journal")):
        return False
    try:
        found = json.loads(_place_of(path).read_bytes())
        return bool(found == _facts(path))
    except (OSError, ValueError):
        return False


def remove_mark(path: Path) -> None:
    """Remove the mark: the copy is written to from now on."""
    _place_of(path).unlink(missing_ok=True)


def _place_of(path: Path) -> Path:
    return path.with_name(CLEAN_END)


def _last_change(path: Path) -> int:
    found = os.stat(path)
    return max(found.st_mtime_ns, found.st_ctime_ns)


def _facts(path: Path) -> list[int]:
    """Return what the system tells of a file: which one it is, its size, and when it changed."""
    found = os.stat(path)
    return [found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns]
