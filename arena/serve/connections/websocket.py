"""WebSockets with limits: a bounded rate of frames, and a reader that has to read.

uvicorn's implementation parses all frames that came before anybody else has a turn, answers each
ping whether or not its answers are read, and waits for ever for a reader of what is sent. A page
sends a message for each choice of a person and a pong every 20 seconds, so far less than here is
allowed.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from uvicorn.protocols.websockets.wsproto_impl import WSProtocol
from wsproto.events import BytesMessage, Event, Ping, Pong, TextMessage
from wsproto.utilities import RemoteProtocolError

# Frames, or parts of long ones, at once and then a second. Each costs some 20 microseconds.
MOST_FRAMES, FRAMES_A_SECOND = 100, 20.0
# For a reader, from the moment when bytes had to be kept for it.
STALL_SECONDS = 20.0
# For the answer to a close frame.
CLOSE_SECONDS = 2.0


class TooManyFrames(Exception):
    """A connection sent more than it may; nothing more of it is looked at."""


class BoundedWebSocket(WSProtocol):
    """uvicorn's WebSocket, ended when it sends too much or does not read."""

    _stalled: asyncio.TimerHandle | None = None

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.close_timeout = CLOSE_SECONDS
        self._frames_left, self._frames_at = float(MOST_FRAMES), time.monotonic()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        # A single byte that has to wait counts as a stall: what is sent is small.
        transport.set_write_buffer_limits(high=0)

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        # ValueError: of bytes that are no text, in a header that has to be.
        except (TooManyFrames, RemoteProtocolError, ValueError):
            self.transport.abort()

    def handle_message(self, event: TextMessage | BytesMessage) -> None:
        self._spend(event)
        super().handle_message(event)

    def handle_ping(self, event: Ping) -> None:
        self._spend(event)
        super().handle_ping(event)

    def handle_pong(self, event: Pong) -> None:
        self._spend(event)
        super().handle_pong(event)

    def _spend(self, _: Event) -> None:
        """Count a frame, or a part of one; raises TooManyFrames."""
        now = time.monotonic()
        more = (now - self._frames_at) * FRAMES_A_SECOND
        self._frames_left = min(MOST_FRAMES, self._frames_left + more) - 1
        self._frames_at = now
        if self._frames_left < 0:
            raise TooManyFrames

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALL_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._went_on()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._went_on()
        super().connection_lost(exc)

    def _went_on(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
