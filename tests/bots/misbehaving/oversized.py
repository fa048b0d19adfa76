"""Answers with a frame of a megabyte, or as much of it as is taken."""

import contextlib

from tests.bots.misbehaving.wire import Message, Wire, framed, misplay


def oversize(wire: Wire, request: Message) -> None:
    with contextlib.suppress(OSError):
        wire.send(framed({"type": "action", "action": "R1" * 500_000}))


misplay(2, oversize)
