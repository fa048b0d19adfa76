"""Connects and says nothing."""

from tests.bots.wire import Wire, wait_for_ever

wire = Wire()
wait_for_ever()
