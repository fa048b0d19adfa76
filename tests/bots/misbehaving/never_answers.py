"""Reads everything and answers nothing."""

from tests.bots.misbehaving.wire import greeted

wire = greeted()
while True:
    wire.receive()
