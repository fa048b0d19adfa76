"""One thread beside an event loop: it does the calls handed to it in order, one after the other.

It is a daemon: a process that is to end does not wait for a long reading of a league.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")


class ThreadBusy(Exception):
    """So much waits for the thread already that nothing more is taken."""


class OneThread:
    """A thread for calls that take a while, such as reading a league and making a page."""

    def __init__(self, name: str, most: int):
        """`most`: calls that may wait, the running one included."""
        self._most = most
        self._queue: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._waiting = 0
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def __repr__(self) -> str:
        return f"<OneThread, {self._waiting} waiting>"

    async def run(self, call: Callable[[], Result], *, always: bool = False) -> Result:
        """Do a call there and return its result. Raises ThreadBusy, unless `always`."""
        if self._waiting >= self._most and not always:
            raise ThreadBusy
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Result] = loop.create_future()

        def work() -> None:
            try:
                result = call()
            except BaseException as error:
                told = _told(done.set_exception, error)
            else:
                told = _told(done.set_result, result)
            # A loop that is closed needs no answer.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(told)

        self._waiting += 1
        self._queue.put(work)
        try:
            return await asyncio.shield(done)
        finally:
            self._waiting -= 1

    def _work(self) -> None:
        while True:
            self._queue.get()()


def _told(tell: Callable[[Any], None], value: object) -> Callable[[], None]:
    def told() -> None:
        with suppress(asyncio.InvalidStateError):
            tell(value)

    return told
