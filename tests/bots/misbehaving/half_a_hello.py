"""Connects and says half a hello."""

from tests.bots.misbehaving.wire import Wire, hello, wait_for_ever

wire = Wire()
wire.send(hello()[:20])
wait_for_ever()
