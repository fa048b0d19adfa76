"""Connections with limits of their own: none is held open by doing nothing, or by not reading.

uvicorn's parser for HTTP/1.1 (h11) waits for the rest of a request for ever, and for a reader of
an answer as well. Here both have a time, and there are so many connections at most: then the one
that has waited longest with its request makes room for the newest.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

# For the head of a request, from its first byte or from the beginning of the connection.
HEAD_SECONDS = 10.0
# For a reader that has let its receive buffers and ours fill up.
STALL_SECONDS = 20.0
# Open connections; the server sets it by the limit of descriptors.
DEFAULT_MOST = 4_000


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1, with deadlines for the bytes that a visitor owes."""

    most_connections = DEFAULT_MOST
    # All that owe a request, the one that has owed it longest first.
    waiting: ClassVar[dict[BoundedProtocol, None]] = {}

    _head_due: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        if len(self.connections) > self.most_connections:
            if (oldest := next(iter(self.waiting), None)) is None:
                transport.abort()
                return
            oldest.transport.abort()
            oldest._head_came()
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look_who_is_next()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing():
            self._look_who_is_next()

    def _look_who_is_next(self) -> None:
        """Begin to wait for a request where none is being read or answered."""
        if self.conn.their_state is h11.IDLE and self.conn.our_state is h11.IDLE:
            self._await_head()
        else:
            self._head_came()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_came()
        self._went_on()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALL_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._went_on()
        super().resume_writing()

    def _await_head(self) -> None:
        if self._head_due is None:
            self._head_due = self.loop.call_later(HEAD_SECONDS, self.transport.abort)
            self.waiting[self] = None

    def _head_came(self) -> None:
        self.waiting.pop(self, None)
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None

    def _went_on(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
