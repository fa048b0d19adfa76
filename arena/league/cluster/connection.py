"""Dask's client, as the runner uses it: see the workers, run a function on one of them.

The client lives in an asyncio loop of its own. Its errors become those of `lost`. Here and in the
other modules of this room Dask is imported where it is used: it is an extra.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import trio

from arena.league.cluster.bridge import Bridge, open_bridge
from arena.league.cluster.lost import SchedulerGone, TaskFailed, TaskLost
from arena.league.cluster.placing import SeenWorker
from arena.league.worker.plan import RESOURCE
from arena.league.worker.sealed import Sealed

CONNECT_SECONDS = 15.0
if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

# The scheduler answers within milliseconds; one that takes so long is gone, or cut off.
ANSWER_SECONDS = 20.0


class SchedulerLink:
    """A connection to a scheduler. Made by `connected`."""

    def __init__(self, bridge: Bridge, client: Client) -> None:
        self._bridge = bridge
        self._client = client

    def __repr__(self) -> str:
        return f"<SchedulerLink {self._client.status}>"

    async def workers(self) -> Mapping[str, SeenWorker]:
        """Return the workers that offer slots, by address. Raises SchedulerGone."""
        with trio.move_on_after(ANSWER_SECONDS):
            return await self._bridge.call(self._workers)
        raise SchedulerGone(f"it has not answered for {ANSWER_SECONDS:.0f} s")

    async def run(
        self,
        function: Callable[..., Sealed],
        *args: Sealed,
        key: str,
        address: str,
        takes_slot: bool = False,
    ) -> Sealed:
        """Call a function of `tasks` on a worker and return its result; raises TaskLost or
        TaskFailed."""
        return await self._bridge.call(self._run, function, args, key, address, takes_slot)

    # In the asyncio loop.

    async def _workers(self) -> Mapping[str, SeenWorker]:
        if self._client.status != "running" or self._client.scheduler is None:
            raise SchedulerGone("the connection to it is lost")
        try:
            told = await self._client.scheduler.identity(n_workers=-1)
        except OSError as error:
            raise SchedulerGone(str(error)) from error
        return {
            address: SeenWorker(address, str(worker["name"]), int(worker["resources"][RESOURCE]))
            for address, worker in told["workers"].items()
            if worker["resources"].get(RESOURCE, 0) >= 1 and worker["status"] == "running"
        }

    async def _run(
        self,
        function: Callable[..., Sealed],
        args: tuple[Sealed, ...],
        key: str,
        address: str,
        takes_slot: bool,
    ) -> Sealed:
        from distributed.client import FutureCancelledError

        if self._client.status != "running":
            raise TaskLost("the connection to the scheduler is lost")
        future = self._client.submit(
            function,
            *args,
            key=key,
            pure=False,
            workers=[address],
            allow_other_workers=False,
            resources={RESOURCE: 1} if takes_slot else None,
            retries=0,
        )
        try:
            result: Sealed = await future
        except (FutureCancelledError, OSError) as error:
            raise TaskLost(str(error)) from None
        except Exception as error:
            # Ours catch everything, so it is Dask's: it cannot import them, or gives them up.
            raise TaskFailed(f"{type(error).__name__}: {error}") from None
        finally:
            # The scheduler forgets the task, and its worker the result, or that it is wanted.
            future.release()
        return result


@asynccontextmanager
async def connected(address: str, security: Security | None) -> AsyncIterator[SchedulerLink]:
    """Connect to a scheduler. Raises SchedulerGone."""
    async with open_bridge() as bridge:
        try:
            client = await bridge.call(_client, address, security)
        except (OSError, TimeoutError, ValueError) as error:
            raise SchedulerGone(_reason(error)) from error
        try:
            yield SchedulerLink(bridge, client)
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(CONNECT_SECONDS):
                await bridge.call(_close, client)


async def _client(address: str, security: Security | None) -> Client:
    from distributed import Client

    return await Client(
        address,
        asynchronous=True,
        security=security,
        timeout=CONNECT_SECONDS,
        set_as_default=False,
    )


async def _close(client: Client) -> None:
    await client.close(timeout=2)


def _reason(error: BaseException) -> str:
    """Return the first cause of an error, which Dask wraps in others."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error) or type(error).__name__


@contextmanager
def logged(handler: logging.Handler) -> Iterator[None]:
    """Have Dask's log go to a handler, and not to standard error, where a table is drawn.

    Some of it comes by loggers that are called after modules of Dask, without its name: so the
    handler is set at the root, for all that is not arena's, which has a way of its own.
    """
    importlib.import_module("distributed")  # which sets its log up, when it is first imported
    handler.addFilter(lambda record: record.name.split(".")[0] != "arena")
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    loggers = [logging.getLogger(name) for name in names]
    before = [(each, each.handlers, each.propagate) for each in loggers]
    for each in loggers:
        each.handlers, each.propagate = [], True
    logging.root.addHandler(handler)
    try:
        yield
    finally:
        logging.root.removeHandler(handler)
        for each, handlers, propagate in before:
            each.handlers, each.propagate = handlers, propagate
