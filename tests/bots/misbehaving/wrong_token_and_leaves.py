"""Says hello with a token that is nobody's, reads the bye and ends."""

from tests.bots.misbehaving.wire import Wire, hello

wire = Wire()
wire.send(hello(token="nobody's"))
assert wire.receive()["reason"] == "bad-token"
