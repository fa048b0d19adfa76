"""What the two sides of a door hear of each other's end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio
from trio.testing import memory_stream_pair

from arena.door.bots import BotLeft
from arena.door.passing import Passing
from arena.door.stamped import StampedStream


class FullBot:
    """A bot whose connection takes no more bytes, and that still has not closed it."""

    @property
    def tcp(self) -> StampedStream:
        raise AssertionError("nothing was sent to it")

    async def receive(self) -> bytes:
        await trio.sleep_forever()
        raise AssertionError("slept for ever")

    async def send(self, data: bytes) -> None:
        raise BotLeft

    async def say_goodbye(self) -> None:
        raise AssertionError("it has left already")


class LeagueSide:
    """A referee with bytes for the bot; notes what it hears of it."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.bytes_for_it, self.door = memory_stream_pair()

    async def send(self, data: bytes, arrived_us: int) -> None:
        raise AssertionError("the bot said nothing")

    async def receive(self, settled: Callable[[int], Awaitable[None]]) -> bytes:
        return bytes(await self.door.receive_some())

    def note_sent(self, sent_us: int, full_until_us: int) -> None:
        self.heard.append("sent")

    async def bot_left(self) -> None:
        self.heard.append("left")

    def close(self) -> None:
        self.heard.append("closed")


async def test_a_referee_hears_that_a_bot_left_that_takes_no_more_bytes() -> None:
    """Without the word it would take the end of the connection for one of the door: the match
    would be void instead of lost."""
    referee = LeagueSide()
    await referee.bytes_for_it.send_all(b"a view")
    await Passing(FullBot(), referee).run()
    assert referee.heard == ["left"]
