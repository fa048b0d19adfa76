"""Needs its argument in seconds for its second answer, and is quick otherwise."""

import sys
import time

from tests.bots.misbehaving.wire import Message, Wire, action, misplay


def ponder(wire: Wire, request: Message) -> None:
    time.sleep(float(sys.argv[1]))
    wire.send(action(request))


misplay(2, ponder)
