"""Lives, and never connects."""

from tests.bots.wire import wait_for_ever

wait_for_ever()
