"""Run commands in Trio: Ctrl-C and errors end them in words, not in tracebacks."""

from __future__ import annotations

import errno
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import click
import trio

from arena.bots.refused import ProcessError
from arena.cli.unusable import unusable
from arena.exits import INTERRUPTED
from arena.groups import leaves
from arena.referee.door.addresses import CannotListen
from arena.referee.door.descriptors import limit


def run(main: Callable[[], Awaitable[int]], told: tuple[type[Exception], ...] = ()) -> int:
    """Run `main` and return its exit code.

    Errors for people, which are those of click and of the types `told`, are raised out of their
    groups; others that are no bug of ours become errors of click.
    """
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
        for each in found:
            if (words := in_words(each)) is not None:
                raise click.ClickException(words) from None
        raise


def in_words(error: BaseException) -> str | None:
    """Return words for an error that the machine or its user has made; None for any other."""
    match error:
        case ProcessError() | CannotListen():
            return str(error)
        case OSError(errno=errno.EMFILE | errno.ENFILE, strerror=why):
            return (
                f"{why}: this process may have {limit()} open files, and"
                " needs more; raise the limit (ulimit -n)"
            )
        case OSError():
            return unusable(error)
        case _:
            return None


@asynccontextmanager
async def stopped_by(ask: Callable[[], None], *signals: signal.Signals) -> AsyncIterator[list[int]]:
    """Call `ask` at each of these signals; yields the list of those that came so far."""
    came: list[int] = []
    with trio.open_signal_receiver(*signals) as receiver:
        async with trio.open_nursery() as nursery:

            async def listen() -> None:
                async for each in receiver:
                    came.append(each)
                    ask()

            nursery.start_soon(listen)
            yield came
            nursery.cancel_scope.cancel()


@asynccontextmanager
async def until_ctrl_c() -> AsyncIterator[trio.CancelScope]:
    """Yield a scope that Ctrl-C cancels; the code after it still prints the results."""
    with trio.CancelScope() as scope:
        async with stopped_by(scope.cancel, signal.SIGINT):
            yield scope
