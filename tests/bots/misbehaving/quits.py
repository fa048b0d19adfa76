"""Closes its connection at its second request and ends with exit code 0."""

from tests.bots.misbehaving.wire import Message, Wire, misplay


def quit_cleanly(wire: Wire, request: Message) -> None:
    wire.sock.close()
    raise SystemExit(0)


misplay(2, quit_cleanly)
