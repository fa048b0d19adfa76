"""The cgroups of one bot: made before its start, joined by its first process, removed at its end.

They bound what no limit of a single process can: the memory, the processes and the processor time
of a whole tree. They also find every process of a bot, whatever it did to its session, parents and
environment.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence

from ..rules import Cgroup

# The kernel removes a process from its cgroup a little after its end can be seen.
_GONE_SECONDS = 0.2
_AGAIN_SECONDS = 0.001


class Cgroups:
    """One folder for each controller. `wanted`: as `Rules.cgroups`."""

    __slots__ = ("_folders", "_gauges")

    def __init__(self, wanted: tuple[Cgroup, ...]) -> None:
        """Make them. Raises OSError."""
        self._folders: list[str] = []
        self._gauges: list[tuple[str, str, str]] = []
        try:
            for folder, settings, gauges in wanted:
                # Several bots of one warden share the folder above.
                os.makedirs(os.path.dirname(folder), exist_ok=True)
                os.mkdir(folder)
                self._folders.append(folder)
                for name, value in settings:
                    _write(os.path.join(folder, name), value)
                for file, key, word in gauges:
                    self._gauges.append((os.path.join(folder, file), key, word))
        except BaseException:
            self.remove()
            raise

    def processes(self) -> set[int]:
        """Return the numbers of all processes in them."""
        return processes_in(self._folders)

    def reached(self) -> tuple[str, ...]:
        """Return the words of the limits that were reached."""
        return tuple(word for file, key, word in self._gauges if _count(file, key))

    def remove(self) -> None:
        """Remove them; those that still hold a process stay."""
        remove_folders(self._folders)
        self._folders.clear()


def processes_in(folders: Sequence[str]) -> set[int]:
    """Return the numbers of all processes in these cgroups."""
    found: set[int] = set()
    for folder in folders:
        with contextlib.suppress(OSError), open(os.path.join(folder, "cgroup.procs")) as file:
            found.update(map(int, file.read().split()))
    return found


def remove_folders(folders: Sequence[str]) -> None:
    """Remove cgroups that no process is in any more, and the one around them if it is empty."""
    until = time.monotonic() + _GONE_SECONDS
    for folder in folders:
        while not _is_removed(folder) and time.monotonic() < until:
            time.sleep(_AGAIN_SECONDS)
        with contextlib.suppress(OSError):  # other bots are still in it
            os.rmdir(os.path.dirname(folder))


def _is_removed(folder: str) -> bool:
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:  # EBUSY: a process of it is still being taken away
        return False
    return True


def _write(path: str, value: str) -> None:
    with open(path, "wb", buffering=0) as file:
        file.write(value.encode())


def _count(file: str, key: str) -> int:
    """Read a number from a file of lines "key number"."""
    with contextlib.suppress(OSError, ValueError), open(file) as opened:
        for line in opened:
            name, _, value = line.partition(" ")
            if name == key:
                return int(value)
    return 0
