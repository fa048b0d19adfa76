"""Says hello on a second connection with the same token; plays on when that was refused."""

from tests.bots.misbehaving.wire import Wire, greeted, hello

wire = greeted()
assert wire.receive()["type"] == "welcome"
second = Wire()
second.send(hello())
assert second.receive()["reason"] == "token-used"
wire.play_on()
