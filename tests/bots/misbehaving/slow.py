"""Needs its argument in seconds for each answer."""

import sys
import time

from tests.bots.misbehaving.wire import action, greeted

wire = greeted()
while True:
    request = wire.request()
    time.sleep(float(sys.argv[1]))
    wire.send(action(request))
