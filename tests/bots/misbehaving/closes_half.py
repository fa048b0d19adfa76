"""Closes its own direction of the connection at its second request, and lives on."""

import socket

from tests.bots.misbehaving.wire import Message, Wire, misplay, wait_for_ever


def close(wire: Wire, request: Message) -> None:
    wire.sock.shutdown(socket.SHUT_WR)
    wait_for_ever()


misplay(2, close)
