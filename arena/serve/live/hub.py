"""One stream of messages for many watchers, which may come, leave, fall behind and come back.

Nothing here waits for a watcher. Each has a short queue; one that does not read in time loses the
messages in it, and gets one new snapshot instead.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

# Messages that wait for a watcher before it has to begin anew.
MOST_WAITING = 8
# Messages that are kept for watchers that come back: a minute of them.
KEPT = 60
# A comment is sent after so long without a message, so that nothing between takes it for dead.
QUIET_SECONDS = 15.0
COMMENT = b": still here\n\n"


def server_sent(kind: str, number: str, data: str) -> bytes:
    """Return a message in the form of server-sent events. `data`: one line."""
    return f"event: {kind}\nid: {number}\ndata: {data}\n\n".encode("utf-8", "replace")


def compact(value: object) -> str:
    """Return a value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Watcher:
    """The place of one reader of a stream."""

    def __init__(self) -> None:
        self._queue: deque[bytes] = deque()
        self._is_behind = False
        self._news = asyncio.Event()
        self._is_over = False

    def __repr__(self) -> str:
        state = "behind" if self._is_behind else f"{len(self._queue)} waiting"
        return f"<Watcher, {state}>"

    def put(self, message: bytes) -> None:
        """Add a message; a full queue is thrown away, for a snapshot."""
        if len(self._queue) >= MOST_WAITING:
            self._queue.clear()
            self._is_behind = True
        if not self._is_behind:
            self._queue.append(message)
        self._news.set()

    def end(self) -> None:
        """Have the stream end at once."""
        self._is_over = True
        self._news.set()

    async def take(self, snapshot: Callable[[], bytes]) -> bytes | None:
        """Wait for the next message to send; None at the end."""
        while not self._is_over:
            if self._is_behind:
                self._is_behind = False
                self._queue.clear()
                return snapshot()
            if self._queue:
                return self._queue.popleft()
            self._news.clear()
            try:
                async with asyncio.timeout(QUIET_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                return COMMENT
        return None


class Hub:
    """The stream of one league.

    The number of a message is `BOOT-COUNT`, where `boot` differs from server to server: after a
    restart nobody resumes in the wrong place.
    """

    def __init__(self, boot: str, most: int):
        """`most`: watchers at once."""
        self._boot = boot
        self._most = most
        self._count = 0
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self._whole: Callable[[], object] = dict  # makes the content of a snapshot
        self._watchers: set[Watcher] = set()
        self._is_over = False

    def __repr__(self) -> str:
        return f"<Hub, {len(self._watchers)} watchers, {self._count} messages>"

    def __len__(self) -> int:
        return len(self._watchers)

    @property
    def is_full(self) -> bool:
        return len(self._watchers) >= self._most

    def publish(self, news: object, whole: Callable[[], object]) -> None:
        """Tell all watchers. `whole`: makes the content of snapshots from now on."""
        self._count += 1
        self._whole = whole
        message = server_sent("news", self._number(), compact(news))
        self._kept.append((self._count, message))
        for watcher in self._watchers:
            watcher.put(message)

    def begin(self, whole: Callable[[], object]) -> None:
        """Set the content of snapshots before the first message."""
        self._whole = whole

    def close(self) -> None:
        """End all streams, and those that come after."""
        self._is_over = True
        for watcher in self._watchers:
            watcher.end()

    async def stream(self, last: str) -> AsyncIterator[bytes]:
        """Yield messages to a watcher. `last`: the number of the last message it had, or ""."""
        with self._place() as watcher:
            for message in self._missed(last):
                yield message
            while (next_one := await watcher.take(self.snapshot)) is not None:
                yield next_one

    def snapshot(self) -> bytes:
        """Return all there is to know now."""
        return server_sent("snapshot", self._number(), compact(self._whole()))

    @contextmanager
    def _place(self) -> Iterator[Watcher]:
        watcher = Watcher()
        if self._is_over:
            watcher.end()
        self._watchers.add(watcher)
        try:
            yield watcher
        finally:
            self._watchers.discard(watcher)

    def _missed(self, last: str) -> list[bytes]:
        """Return the messages after the last one that a watcher had, or a snapshot."""
        boot, _, count = last.rpartition("-")
        if boot == self._boot and count.isdecimal() and len(count) < 12:
            missed = [message for number, message in self._kept if number > int(count)]
            if len(missed) == self._count - int(count):
                return missed
        return [self.snapshot()]

    def _number(self) -> str:
        return f"{self._boot}-{self._count}"
