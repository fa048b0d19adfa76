"""Says hello and then neither reads nor writes."""

from tests.bots.misbehaving.wire import greeted, wait_for_ever

wire = greeted()
wait_for_ever()
