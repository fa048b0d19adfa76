"""Says hello with a token that is nobody's, and lives on."""

from tests.bots.misbehaving.wire import Wire, hello, wait_for_ever

wire = Wire()
wire.send(hello(token="nobody's"))
wait_for_ever()
