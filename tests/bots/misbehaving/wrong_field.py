"""Answers its second request with a field, its first argument, that holds its second one.

A number stays a number; with a third argument, so many requests in a row.
"""

import sys

from tests.bots.misbehaving.wire import action, misplay

name, value = sys.argv[1:3]
held = int(value) if value.isdecimal() else value
times = int(sys.argv[3]) if len(sys.argv) > 3 else 1
misplay(2, lambda wire, request: wire.send(action(request, **{name: held})), times=times)
