"""Sends hellos without end when it is first asked."""

from tests.bots.misbehaving.wire import Message, Wire, hello, misplay


def flood(wire: Wire, request: Message) -> None:
    hellos = hello() * 1_000
    while True:
        wire.send(hellos)


misplay(1, flood)
