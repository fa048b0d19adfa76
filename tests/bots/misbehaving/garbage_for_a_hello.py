"""Begins with a good frame of garbage."""

from tests.bots.misbehaving.wire import Wire

wire = Wire()
wire.send(b"\0\0\0\x03\xc1\xc1\xc1")
assert wire.receive()["reason"] == "bad-hello"
