"""Gives an answer, and at once another one to the request that has not come yet."""

from tests.bots.misbehaving.wire import action, misplay

misplay(2, lambda wire, asked: wire.send(action(asked) + action(asked, id=asked["id"] + 1)))
