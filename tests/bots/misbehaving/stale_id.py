"""Answers its first request again before its second."""

from tests.bots.misbehaving.wire import action, misplay

misplay(2, lambda wire, request: wire.send(action(request, id=1) + action(request)))
