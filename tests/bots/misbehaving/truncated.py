"""Answers with half a frame, and then nothing any more."""

from tests.bots.misbehaving.wire import Message, Wire, action, misplay, wait_for_ever


def truncate(wire: Wire, request: Message) -> None:
    wire.send(action(request)[:-5])
    wait_for_ever()


misplay(2, truncate)
