"""Closes its connection at its second request, and lives on."""

from tests.bots.misbehaving.wire import Message, Wire, misplay, wait_for_ever


def close(wire: Wire, request: Message) -> None:
    wire.sock.close()
    wait_for_ever()


misplay(2, close)
