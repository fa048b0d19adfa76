"""NOPE!: gives away its last card, and ends with exit code 0 when that was read."""

import time

from tests.bots.misbehaving.wire import action, greeted

wire = greeted()
while True:
    request = wire.request()
    wire.send(action(request))
    if len(request["view"]["hand"]) == 1 and request["view"]["demand"] is not None:
        time.sleep(0.05)
        break
