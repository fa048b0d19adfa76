"""Answers with a byte that msgpack does not have, always."""

from tests.bots.misbehaving.wire import misplay

misplay(1, lambda wire, request: wire.send(b"\0\0\0\x01\xc1"), times=1000)
