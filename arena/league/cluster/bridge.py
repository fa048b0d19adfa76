"""An asyncio loop in a thread, whose coroutines a Trio task can await.

Dask's client speaks asyncio, and all else here Trio. One crosses over by a call: it is cancelled
there when its caller is here, and its result or its error comes back.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, ParamSpec, TypeVar

import trio

P = ParamSpec("P")
T = TypeVar("T")


class Bridge:
    """The loop and its thread. Made by `open_bridge`."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="arena asyncio", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"<Bridge {'running' if self._thread.is_alive() else 'closed'}>"

    async def call(
        self, function: Callable[P, Coroutine[Any, Any, T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Await a coroutine function in the loop. If this is cancelled, so is that."""
        token = trio.lowlevel.current_trio_token()
        over = trio.Event()
        future = asyncio.run_coroutine_threadsafe(function(*args, **kwargs), self._loop)

        def tell(_: object) -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(over.set)

        future.add_done_callback(tell)
        try:
            await over.wait()
        finally:
            future.cancel()
        return future.result()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if left:
            self._loop.run_until_complete(asyncio.wait(left, timeout=1.0))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    def stop(self) -> None:
        """Stop the loop, and wait for its thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


@asynccontextmanager
async def open_bridge() -> AsyncIterator[Bridge]:
    """Open a bridge, and stop its loop at the end."""
    bridge = Bridge()
    try:
        yield bridge
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(bridge.stop)
