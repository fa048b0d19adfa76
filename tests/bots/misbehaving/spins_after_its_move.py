"""Plays well, and computes while the others think."""

import time

from tests.bots.misbehaving.wire import action, greeted

wire = greeted()
while True:
    wire.send(action(wire.request()))
    until = time.monotonic() + 0.02
    while time.monotonic() < until:
        pass
