"""Connects and says nothing."""

from tests.bots.misbehaving.wire import Wire, wait_for_ever

wire = Wire()
wait_for_ever()
