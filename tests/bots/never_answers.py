"""Reads everything and answers nothing."""

from tests.bots.wire import greeted

wire = greeted()
while True:
    wire.receive()
