"""Lives, and never connects."""

from tests.bots.misbehaving.wire import wait_for_ever

wait_for_ever()
