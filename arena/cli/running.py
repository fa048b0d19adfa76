"""Commands that run in Trio: Ctrl-C and errors end them in words, not in traces."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import click
import trio

from arena.exits import INTERRUPTED
from arena.groups import leaves


def run(main: Callable[[], Awaitable[int]], told: tuple[type[Exception], ...] = ()) -> int:
    """The exit code of `main`; what it raises for people, click's errors and those `told`, is
    raised anew without its groups."""
    try:
        return trio.run(main)
    except BaseException as error:
        found = list(leaves(error))
        if any(isinstance(each, KeyboardInterrupt) for each in found):
            click.echo("stopped", err=True)
            return INTERRUPTED
        for each in found:
            if isinstance(each, (click.ClickException, *told)):
                raise each from None
        raise


@asynccontextmanager
async def until_ctrl_c() -> AsyncIterator[trio.CancelScope]:
    """What is in here is called off by Ctrl-C; what comes after it still tells what there is."""
    with trio.open_signal_receiver(signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:

            async def wait() -> None:
                async for _ in signals:
                    scope.cancel()

            nursery.start_soon(wait)
            with trio.CancelScope() as scope:
                yield scope
            nursery.cancel_scope.cancel()
