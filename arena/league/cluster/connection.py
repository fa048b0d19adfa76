"""Dask's client, as the runner uses it: see the workers, run a function on one of them.

The client lives in an asyncio loop of its own. Its errors become those of `lost`. Here and in the
other modules of this room Dask is imported where it is used: it is an extra.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import trio

from arena.league.cluster.bridge import Bridge, open_bridge
from arena.league.cluster.lost import NotScheduler, SchedulerGone, TaskFailed, TaskLost
from arena.league.cluster.placing import SeenWorker
from arena.league.worker.messages import MOST_MACHINE_CHARS
from arena.league.worker.plan import MOST_SLOTS, RESOURCE
from arena.league.worker.sealed import Sealed
from arena.text import plain, shortened

CONNECT_SECONDS = 15.0
# Of the name by which a worker registers; `arena worker` makes it of its machine's and six digits.
MOST_NAME_CHARS = 2 * MOST_MACHINE_CHARS

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

# The scheduler answers within milliseconds; one that takes so long is gone, or cut off.
ANSWER_SECONDS = 20.0

# The scheduler, asked to connect to a worker, goes on trying for half a minute; that is too long.
REACH_SECONDS = 15.0


def slots_of(told: object) -> int:
    """Return the slots of a worker that tells this resource, MOST_SLOTS at most; 0: it has none."""
    if not isinstance(told, int | float) or not told >= 1:  # `not >= 1` also rejects NaN
        return 0
    return int(min(told, MOST_SLOTS))


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

    async def why_unreachable(self, address: str) -> str | None:
        """Return why the scheduler cannot connect to a worker; None if it can, or is gone."""
        with trio.move_on_after(REACH_SECONDS):
            return await self._bridge.call(self._why_unreachable, address)
        # Dask tries a port that refuses as long as one that is silent.
        return f"no connection in {REACH_SECONDS:.0f} s: refused, or no answer"

    # In the asyncio loop.

    async def _why_unreachable(self, address: str) -> str | None:
        if self._client.status != "running" or self._client.scheduler is None:
            return None
        try:
            told = await self._client.scheduler.broadcast(
                msg={"op": "identity"}, workers=[address], on_error="return"
            )
        except Exception as error:  # whatever Dask's messages make of a refusal
            return None if self._client.status != "running" else _reason(error)
        answer = told.get(address)
        return _reason(answer) if isinstance(answer, BaseException) else None

    async def _workers(self) -> Mapping[str, SeenWorker]:
        if self._client.status != "running" or self._client.scheduler is None:
            raise SchedulerGone("the connection to it is lost")
        try:
            told = await self._client.scheduler.identity(n_workers=-1)
        except OSError as error:
            raise SchedulerGone(str(error)) from error
        return {
            address: SeenWorker(
                address,
                shortened(plain(str(worker["name"])), MOST_NAME_CHARS),
                slots,
                float(worker["last_seen"]),
            )
            for address, worker in told["workers"].items()
            if worker["status"] == "running"
            and (slots := slots_of(worker["resources"].get(RESOURCE)))
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


async def asked_for_versions(address: str, security: Security | None) -> Mapping[str, str]:
    """Ask a scheduler for its versions of Python and of Dask's packages. Raises SchedulerGone, and
    NotScheduler for anything else that answers there."""
    async with open_bridge() as bridge:
        try:
            with trio.fail_after(CONNECT_SECONDS):
                return await bridge.call(_versions, address, security)
        except trio.TooSlowError:
            raise SchedulerGone(f"no answer for {CONNECT_SECONDS:.0f} s") from None
        except OSError as error:  # also Dask's errors of a connection that ends
            raise SchedulerGone(_reason(error)) from error
        except Exception as error:  # Dask raises various errors for other servers
            raise NotScheduler(_reason(error)) from error


async def _versions(address: str, security: Security | None) -> Mapping[str, str]:
    from distributed.core import rpc
    from distributed.security import Security

    arguments = (security or Security()).get_connection_args("worker")
    async with rpc(address, timeout=CONNECT_SECONDS, connection_args=arguments) as scheduler:
        kind = (await scheduler.identity(n_workers=0))["type"]
        if kind != "Scheduler":
            raise ValueError(f"it is a {kind}")
        told = await scheduler.versions()
    return {str(name): str(found) for name, found in told["packages"].items()}


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
    # Dask puts the object that it connected by before some errors.
    return re.sub(r"^in <[^>]*>: ", "", str(error)) or type(error).__name__


def _is_for_log(record: logging.LogRecord) -> bool:
    """Tell whether a record says what nothing else says.

    Dask logs the cancelling of its attempts to connect as an error, with a traceback: this process
    cancels them itself when the scheduler is gone, and has told so in a line.
    """
    is_cancelled = record.exc_info is not None and isinstance(
        record.exc_info[1], asyncio.CancelledError
    )
    return record.name.split(".")[0] != "arena" and not is_cancelled


@contextmanager
def logged(handler: logging.Handler) -> Iterator[None]:
    """Have Dask's log go to a handler, and not to standard error, where a table is drawn.

    Some of it comes by loggers that are called after modules of Dask, without its name: so the
    handler is set at the root, for all that is not arena's, which has a way of its own.
    """
    importlib.import_module("distributed")  # which sets its log up, when it is first imported
    handler.addFilter(_is_for_log)
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
