"""The progress of a long command, on a terminal's standard error; nowhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from arena.outputs.progress import Progress, in_words

# Seconds until progress is first shown, and between two times.
FIRST_SECONDS = 1.0
NEXT_SECONDS = 0.2


@contextmanager
def progress() -> Iterator[Progress]:
    """Yield a function to be called with the things counted, their number so far, and their
    total."""
    is_live = sys.stderr.isatty()
    due = time.monotonic() + FIRST_SECONDS
    is_shown = False

    def tell(what: str, done: int, of: int) -> None:
        nonlocal due, is_shown
        if is_live and time.monotonic() >= due:
            due = time.monotonic() + NEXT_SECONDS
            is_shown = True
            click.echo(f"\r\x1b[K{in_words(what, done, of)}", nl=False, err=True)

    try:
        yield tell
    finally:
        if is_shown:
            click.echo("\r\x1b[K", nl=False, err=True)
