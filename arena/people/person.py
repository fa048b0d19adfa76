"""A person as a bot: dials in to the referee's door, and speaks for a page that may come and go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import trio

from protocol.bot_end import BotEnd

READ_BYTES = 65_536


class Person:
    """The connection of a seat to the door; the referee's messages go to `tell`."""

    def __init__(self, tell: Callable[[Mapping[str, Any]], None]):
        self._tell = tell
        self._end = BotEnd()
        self._stream: trio.SocketStream | None = None
        self._sending = trio.Lock()
        self._has_left = False

    def __repr__(self) -> str:
        return f"<Person {self._end!r}>"

    async def play(self, path: str, token: str) -> None:
        """Connect to the Unix socket at `path`, and pass on each message until the end."""
        if self._has_left:
            return
        self._stream = await trio.open_unix_socket(path)
        async with self._stream:
            await self._stream.send_all(self._end.hello(token, author="", language="a person"))
            while data := await self._read():
                message = self._end.receive(data)
                while message is not None:
                    if message["type"] != "welcome":
                        self._tell(message)
                    message = self._end.receive()

    async def _read(self) -> bytes:
        assert self._stream is not None
        try:
            return bytes(await self._stream.receive_some(READ_BYTES))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return b""

    async def choose(self, match: str, number: int, action: str) -> bool:
        """Answer the open request; False if it is none that is open, so nothing was sent.

        A page may answer a request that was settled meanwhile: the clock ran out, or another page
        of the same visitor was quicker.
        """
        asked = self._end.asked
        if asked is None or (asked["match"], asked["id"]) != (match, number):
            return False
        if action not in asked["legal"] or self._stream is None:
            return False
        frame = self._end.action(action)
        async with self._sending:
            try:
                await self._stream.send_all(frame)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return False
        return True

    async def leave(self) -> None:
        """Hang up: the referee finds the seat gone, and plays on without it."""
        self._has_left = True
        if self._stream is not None:
            await self._stream.aclose()
