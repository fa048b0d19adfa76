"""The match as a person's page knows it, kept for a page that comes back. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

Message: TypeAlias = Mapping[str, Any]

# Faults that a page which comes back is told again; the page shows the last ones.
MOST_FAULTS = 10


class KnownMatch:
    """All that a page needs to go on: how the match began, the table now, and the open request."""

    def __init__(self) -> None:
        self._start: Message | None = None
        self._moved: Message | None = None
        self._request: Message | None = None
        self._asked_at = 0.0
        self._faults: list[Message] = []
        self._end: Message | None = None

    def __repr__(self) -> str:
        asked = None if self._request is None else self._request["id"]
        return f"<KnownMatch, request {asked} is open>"

    @property
    def is_over(self) -> bool:
        return self._end is not None

    @property
    def asked(self) -> Message | None:
        """The open request."""
        return self._request

    def take(self, message: Message, now: float) -> None:
        """Take in a message to the page. `now`: seconds of any steady clock."""
        match message["type"]:
            case "start":
                self._start = message
            case "moved":
                self._moved = message
            case "request":
                self._request, self._asked_at = message, now
            case "fault":
                self._faults = [*self._faults, message][-MOST_FAULTS:]
                if self._request is not None and message["id"] == self._request["id"]:
                    self._request = None
            case "end" | "bye":
                self._request = None
                self._end = self._end or message

    def answered(self) -> None:
        """Note that the open request was answered."""
        self._request = None

    def again(self, now: float) -> Iterator[Message]:
        """Yield the messages to a page that comes back; the clock has gone on meanwhile."""
        for each in (self._start, self._moved, *self._faults):
            if each is not None:
                yield each
        if self._request is not None:
            gone_us = int(1e6 * (now - self._asked_at))
            yield {**self._request, "time_us": max(0, self._request["time_us"] - gone_us)}
        if self._end is not None:
            yield self._end
