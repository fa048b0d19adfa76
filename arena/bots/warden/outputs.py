"""The output of a bot: read in bounded slices, its beginning and its end kept.

Where it is asked for, a copy goes to a file as it comes, what comes in a match is kept for a file
of its own, and lines are passed on to the referee; each of these is bounded, so a bot that floods
its output costs no more than the reading.
"""

from __future__ import annotations

import contextlib
import os
import time

# Both ends are kept, because either may hold the one line that matters: Java and Node print the
# error before the stack trace, Python after it. Each part has room for a traceback.
FIRST_BYTES = 4_096
LAST_BYTES = 12_288
# Of a match, for the logs of a league: each end may be this long.
PIECE_BYTES = 32_768
# The size of a pipe: one read empties it, and other bots wait for one read at most.
SLICE_BYTES = 65_536
# A bot may print TURN_BYTES in each turn, 50 MB a second, without being held up. One that prints
# more waits for the next turn: else the machine spends its time on output that is thrown away.
TURN_SECONDS = 0.02
TURN_BYTES = 1_048_576
# Most bytes of a file: people read it. A full one is kept as the older of two.
FILE_BYTES = 4_194_304
# Passed on to the referee: so much a second, which is more than anybody reads.
SHOWN_SECONDS = 1.0
SHOWN_BYTES = 65_536


class Ends:
    """The beginning and the end of a stream, each at most so many bytes, and its length."""

    __slots__ = ("_first", "_first_bytes", "_last", "_last_bytes", "total")

    def __init__(self, first_bytes: int, last_bytes: int) -> None:
        self.total = 0
        self._first_bytes = first_bytes
        self._last_bytes = last_bytes
        self._first = bytearray()
        self._last = bytearray()  # the last bytes of those after `_first`, and some before them

    def add(self, data: bytes) -> None:
        """Add the bytes that came."""
        self.total += len(data)
        room = self._first_bytes - len(self._first)
        if room:
            self._first += data[:room]
            data = data[room:]
        self._last += data
        # Not at each slice: to move the end of a long one is the work of a copy.
        if len(self._last) > 2 * self._last_bytes:
            del self._last[: -self._last_bytes]

    @property
    def kept(self) -> tuple[bytes, bytes, int]:
        """The first bytes kept, the last bytes kept, and the number of bytes in all."""
        return bytes(self._first), bytes(self._last[-self._last_bytes :]), self.total


class Output:
    """The reading end of a pipe that is the stdout or stderr of a bot.

    `logs`: a folder for its copy as it comes, None for none. `in_pieces`: keep what comes for
    `take_piece`. `is_shown`: keep what comes for `take_shown`.
    """

    __slots__ = (
        "_logs",
        "_piece",
        "_shown",
        "_shown_bytes",
        "_shown_until",
        "_skipped",
        "_tail",
        "descriptor",
        "in_turn",
        "stream",
    )

    def __init__(
        self,
        descriptor: int,
        stream: str = "stdout",
        *,
        logs: str | None = None,
        in_pieces: bool = False,
        is_shown: bool = False,
    ) -> None:
        self.descriptor = descriptor
        self.stream = stream
        self.in_turn = 0
        self._tail = Ends(FIRST_BYTES, LAST_BYTES)
        self._logs = logs
        self._piece = Ends(PIECE_BYTES, PIECE_BYTES) if in_pieces else None
        self._shown = bytearray() if is_shown else None
        self._shown_bytes = 0  # passed on until `_shown_until`, a time of time.monotonic()
        self._shown_until = 0.0
        self._skipped = 0

    @property
    def total(self) -> int:
        """The number of bytes that came."""
        return self._tail.total

    def read_slice(self) -> bool:
        """Read once without waiting; False when the other end is closed."""
        try:
            data = os.read(self.descriptor, SLICE_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not data:
            return False
        self.in_turn += len(data)
        self._tail.add(data)
        if self._piece is not None:
            self._piece.add(data)
        if self._shown is not None:
            self._shown += data
        if self._logs is not None:
            with contextlib.suppress(OSError):  # a full disk loses the copy, and not the bot
                append(self._logs, self.stream, data)
        return True

    def read_rest(self) -> None:
        """Read all that is left in the pipe of a bot that is gone; TURN_BYTES at most."""
        for _ in range(TURN_BYTES // SLICE_BYTES):
            before = self.total
            if not self.read_slice() or self.total == before:
                return

    def tail(self) -> tuple[bytes, bytes, int]:
        """Return the first bytes kept, the last bytes kept, and the number of bytes in all."""
        return self._tail.kept

    def take_piece(self) -> bytes:
        """Return what came since the last call, a line in the place of what was too much."""
        if self._piece is None or not self._piece.total:
            return b""
        first, last, total = self._piece.kept
        self._piece = Ends(PIECE_BYTES, PIECE_BYTES)
        left_out = total - len(first) - len(last)
        return first + (b"\n[%d bytes are left out here]\n" % left_out if left_out else b"") + last

    def take_shown(self, *, has_room: bool) -> tuple[int, bytes] | None:
        """Return the number of bytes that were skipped, and what to pass on; None for nothing.

        `has_room`: the referee takes what it is sent; else all of it is skipped.
        """
        if not self._shown:
            return None
        data = bytes(self._shown)
        self._shown.clear()
        now = time.monotonic()
        if now >= self._shown_until:
            self._shown_bytes, self._shown_until = 0, now + SHOWN_SECONDS
        room = SHOWN_BYTES - self._shown_bytes if has_room else 0
        shown, skipped = data[:room], self._skipped
        self._shown_bytes += len(shown)
        self._skipped = len(data) - len(shown)
        if not shown:
            self._skipped += skipped
            return None
        return skipped, shown

    def take_skipped(self) -> int:
        """Return the number of bytes that were skipped at the end."""
        skipped, self._skipped = self._skipped, 0
        return skipped

    def close(self) -> None:
        """Close the pipe. Its number may soon be that of another pipe."""
        os.close(self.descriptor)
        self.descriptor = -1


def append(folder: str, stream: str, data: bytes) -> None:
    """Append to the file of a stream; one that would be too long becomes the older of two.

    Opened for each slice, because all processes of a bot write to one file. Raises OSError.
    """
    path, older = (os.path.join(folder, f"{stream}{end}.txt") for end in ("", ".1"))
    with contextlib.suppress(FileNotFoundError):
        if os.lstat(path).st_size + len(data) > FILE_BYTES:
            # Not replaced: a file system may write a file to the disk for that.
            with contextlib.suppress(FileNotFoundError):
                os.unlink(older)
            os.rename(path, older)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(path, flags, 0o644)
    try:
        os.write(file, data)
    finally:
        os.close(file)
