"""Connects, says nothing, and prints the reason of the bye it gets."""

from tests.bots.misbehaving.wire import Wire

print(Wire().receive()["reason"], flush=True)
