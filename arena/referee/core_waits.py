"""How long the kernel has kept this thread waiting for a processor.

Who is woken on a busy machine does not run at once: another's turn may last milliseconds. The
kernel counts that time for each thread, and it is none of a bot's.
"""

from __future__ import annotations

import os

# Nanoseconds run, nanoseconds waited for a processor, turns.
PATH = "/proc/thread-self/schedstat"


class CoreWaits:
    """Call it for the whole microseconds so far of the thread that called it first."""

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
            return -1  # a kernel that does not count it: then nobody is credited

    def close(self) -> None:
        """Leave no descriptor open; if it is called again, it opens another."""
        if self._fd is not None and self._fd >= 0:
            os.close(self._fd)
        self._fd = None
