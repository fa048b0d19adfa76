"""How far a long command is, on a terminal's standard error; nowhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

# Not before, and then not more often.
FIRST_SECONDS = 1.0
NEXT_SECONDS = 0.2


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Hands out what is to be called with how many are done, and of how many."""
    is_live = sys.stderr.isatty()
    due = time.monotonic() + FIRST_SECONDS
    is_shown = False

    def tell(done: int, of: int) -> None:
        nonlocal due, is_shown
        if is_live and time.monotonic() >= due:
            due = time.monotonic() + NEXT_SECONDS
            is_shown = True
            click.echo(f"\r\x1b[K{what}: {done:,} of {of:,}", nl=False, err=True)

    try:
        yield tell
    finally:
        if is_shown:
            click.echo("\r\x1b[K", nl=False, err=True)
