"""Begins with a line of text."""

from tests.bots.misbehaving.wire import Wire

wire = Wire()
wire.send(b"Hello, world!\n")
assert wire.receive()["reason"] == "frame-too-long"
