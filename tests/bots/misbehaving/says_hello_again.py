"""Says hello again while it is asked."""

from tests.bots.misbehaving.wire import action, hello, misplay

misplay(2, lambda wire, request: wire.send(hello() + action(request)))
