"""Raises an exception at its second request."""

from tests.bots.misbehaving.wire import Message, Wire, misplay


def crash(wire: Wire, request: Message) -> None:
    raise RuntimeError("no such card: R0")


misplay(2, crash)
