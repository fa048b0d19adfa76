"""Read the time for which the kernel kept this thread waiting for a processor.

A thread that is woken on a busy machine does not run at once: another thread's time slice may
last milliseconds. The kernel counts that waiting time for each thread. No bot is charged for it.
"""

from __future__ import annotations

import os

# Three numbers: nanoseconds run, nanoseconds waited for a processor, time slices.
PATH = "/proc/thread-self/schedstat"


class CoreWaits:
    """Sums the time a thread waits for a processor; a call returns it, in whole microseconds.

    The thread is the one that called first: the file is opened then, and stays open.
    """

    def __init__(self, path: str = PATH) -> None:
        self._path = path
        self._fd: int | None = None

    def __call__(self) -> int:
        fd = self._fd
        if fd is None:
            fd = self._fd = self._opened()
        return int(os.pread(fd, 64, 0).split()[1]) // 1000 if fd >= 0 else 0

    def _opened(self) -> int:
        try:
            return os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            # This kernel does not count the waits: they read as 0, and no bot is credited.
            return -1

    def close(self) -> None:
        """Close the descriptor. A later call opens another."""
        if self._fd is not None and self._fd >= 0:
            os.close(self._fd)
        self._fd = None
