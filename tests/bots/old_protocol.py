"""Speaks a protocol from before the first."""

from tests.bots.wire import Wire, hello

wire = Wire()
wire.send(hello(protocol=0))
assert wire.receive()["reason"] == "bad-version"
