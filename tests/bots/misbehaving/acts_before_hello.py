"""Begins with an action."""

from tests.bots.misbehaving.wire import Wire, framed

wire = Wire()
wire.send(framed({"type": "action", "match": "m", "id": 1, "action": "R1"}))
assert wire.receive()["reason"] == "not-hello"
