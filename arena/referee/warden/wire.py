"""Messages between the referee and the warden: tuples of plain values, length in front.

To the warden:
    ("start", number, command, environment, folder, open_files, logs)
    ("tails", number)
    ("end", number, grace_ms)
    ("sweep", folder)                                 away, when everything else has ended
From the warden:
    ("started", number, pid)
    ("refused", number, stage, errno)
    ("tails", number, stdout, stderr)                 each: (last bytes, bytes in all)
    ("exited", number, status, left, stdout, stderr)
    ("broken", traceback)

marshal, because it is there without an import and holds bytes; both ends are one Python, and
neither reads anything here that a bot could have written as anything but a bytes value.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator

HEADER_BYTES = 4


def pack(message: tuple[object, ...]) -> bytes:
    """A message as it crosses the link."""
    body = marshal.dumps(message)  # type: ignore[arg-type]  # plain values, as said above
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def unpack(buffer: bytearray) -> Iterator[tuple[object, ...]]:
    """Each complete message, taken off the front of the buffer."""
    while len(buffer) >= HEADER_BYTES:
        end = HEADER_BYTES + int.from_bytes(buffer[:HEADER_BYTES], "big")
        if len(buffer) < end:
            return
        message = marshal.loads(bytes(buffer[HEADER_BYTES:end]))
        del buffer[:end]
        yield message
