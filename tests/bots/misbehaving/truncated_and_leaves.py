"""Answers with half a frame, and ends."""

from tests.bots.misbehaving.wire import Message, Wire, action, misplay


def truncate(wire: Wire, request: Message) -> None:
    wire.send(action(request)[:-5])
    raise SystemExit(0)


misplay(2, truncate)
