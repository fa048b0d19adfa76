"""Messages between the referee and the warden: tuples of plain values, with a length in front.

To the warden:
    ("start", number, command, environment, folder, open_files, printing, rules)
    ("look", number)                                  it runs: hold its scratch folder open
    ("tails", number)
    ("plays", number, word)                           it prints in another match from now on
    ("has played", number)                            write what it printed in the match
    ("end", number, grace_ms)
    ("sweep", folder)                                 remove it after all bots have ended
From the warden:
    ("started", number, pid)
    ("refused", number, stage, errno)
    ("tails", number, stdout, stderr, reached)        both: (first bytes, last bytes, total)
    ("written", number)                               what it printed in its match
    ("printed", number, stream, skipped, data)        bytes that were skipped before these
    ("exited", number, status, left, stdout, stderr, reached)
    ("broken", traceback)

`printing` are the arguments of `Printing`, `rules` those of `Rules` as a dict, `reached` the words
of `Child.reached`.

They are packed with marshal, because it is built in and has bytes values. It is safe here: both
ends run the same Python, and all that a bot can write into a message is inside a bytes value.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator

HEADER_BYTES = 4


def pack(message: tuple[object, ...]) -> bytes:
    """Pack a message for the link."""
    body = marshal.dumps(message)  # type: ignore[arg-type]  # plain values, as said above
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def unpack(buffer: bytearray) -> Iterator[tuple[object, ...]]:
    """Yield each complete message, and remove it from the front of the buffer."""
    while len(buffer) >= HEADER_BYTES:
        end = HEADER_BYTES + int.from_bytes(buffer[:HEADER_BYTES], "big")
        if len(buffer) < end:
            return
        message = marshal.loads(bytes(buffer[HEADER_BYTES:end]))
        del buffer[:end]
        yield message
