"""What a bot prints: read in bounded slices, the end of it kept."""

from __future__ import annotations

import os

# Enough for a traceback and what led to it.
KEPT_BYTES = 16_384
# What a pipe holds: one read empties it, and nobody else waits longer than one such read.
SLICE_BYTES = 65_536
# A bot may print 50 MB in a second and is not held up. One that prints more waits until its
# turn is over; else the machine's time would go into reading what nobody will ever see.
TURN_SECONDS = 0.02
TURN_BYTES = 1_048_576
# A file of output, where one is wanted, is for reading.
FILE_BYTES = 1_048_576


class Output:
    """The reading end of one bot's stdout or stderr."""

    __slots__ = ("_file", "_file_room", "_kept", "descriptor", "in_turn", "total")

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.total = 0
        self.in_turn = 0
        self._kept = b""
        self._file_room = FILE_BYTES
        self._file: int | None = None

    def copy_to(self, path: str) -> None:
        """Write what comes to a file too, up to FILE_BYTES."""
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)

    def read_slice(self) -> bool:
        """Read once without waiting; False when nothing will ever come again."""
        try:
            data = os.read(self.descriptor, SLICE_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not data:
            return False
        self.total += len(data)
        self.in_turn += len(data)
        self._kept = (self._kept + data)[-KEPT_BYTES:]
        if self._file is not None:
            self._write(data)
        return True

    def read_rest(self) -> None:
        """What is left in the pipe of a bot that is gone, and no more than a pipe may hold."""
        for _ in range(TURN_BYTES // SLICE_BYTES):
            before = self.total
            if not self.read_slice() or self.total == before:
                return

    def tail(self) -> tuple[bytes, int]:
        """The last bytes, and how many there were in all."""
        return self._kept, self.total

    def close(self) -> None:
        os.close(self.descriptor)
        if self._file is not None:
            os.close(self._file)

    def _write(self, data: bytes) -> None:
        assert self._file is not None
        try:
            self._file_room -= os.write(self._file, data[: self._file_room])
        except OSError:  # a full disk costs the file, not the bot
            self._file_room = 0
        if not self._file_room:
            os.close(self._file)
            self._file = None
