"""Gives its second answer as often as its argument says."""

import sys

from tests.bots.misbehaving.wire import action, misplay

misplay(2, lambda wire, request: wire.send(action(request) * int(sys.argv[1])))
