"""The number of connections at a door: in all, and from each address."""

from __future__ import annotations

from collections import Counter

import trio

from arena.referee.door.wrong_tokens import counted_address


class TooMany(Exception):
    """There is no room for a connection; the text says why."""


class Crowd:
    """All connections. `most`: in all, and `most_of_an_address`.

    One that has not named its kind yet makes room for a newer one when the door is full, so that
    connections that say nothing keep no bot out.
    """

    def __init__(self, most: int, most_of_an_address: int):
        self._most = most
        self._most_of_an_address = most_of_an_address
        self._inside = 0
        self._unknown: dict[trio.CancelScope, None] = {}  # the oldest first
        self._by_address: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"<Crowd of {self._inside}, {len(self._unknown)} unknown>"

    def __len__(self) -> int:
        return self._inside

    def enter(self, scope: trio.CancelScope) -> None:
        """Count a connection, and cancel its scope if it has to make room. Raises TooMany."""
        if self._inside >= self._most:
            oldest = next(iter(self._unknown), None)
            if oldest is None:
                raise TooMany(f"{self._most:,} connections are open")
            del self._unknown[oldest]
            oldest.cancel()
        self._inside += 1
        self._unknown[scope] = None

    def know(self, scope: trio.CancelScope) -> None:
        """Note that a connection has named its kind."""
        self._unknown.pop(scope, None)

    def leave(self, scope: trio.CancelScope) -> None:
        """Count a connection no more."""
        self._inside -= 1
        self._unknown.pop(scope, None)

    def enter_from(self, origin: str) -> str:
        """Count a connection of an address; return the key for `leave_from`. Raises TooMany."""
        counted = counted_address(origin)
        if self._by_address[counted] >= self._most_of_an_address:
            raise TooMany(f"{self._most_of_an_address} connections of one address are open")
        self._by_address[counted] += 1
        return counted

    def leave_from(self, counted: str) -> None:
        """Count a connection of an address no more."""
        self._by_address[counted] -= 1
        if not self._by_address[counted]:
            del self._by_address[counted]
