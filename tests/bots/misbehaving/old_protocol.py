"""Speaks a protocol from before the first."""

from tests.bots.misbehaving.wire import Wire, hello

wire = Wire()
wire.send(hello(protocol=0))
assert wire.receive()["reason"] == "bad-version"
