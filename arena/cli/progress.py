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
    began: dict[str, tuple[float, int]] = {}  # by things: when they were first told, and how many

    def tell(what: str, done: int, of: int) -> None:
        nonlocal due, is_shown
        if not is_live:
            return
        now = time.monotonic()
        first, before = began.setdefault(what, (now, done))
        if now >= due:
            due = now + NEXT_SECONDS
            is_shown = True
            left = remaining(now - first, done - before, of - done)
            click.echo(f"\r\x1b[K{in_words(what, done, of)}{left}", nl=False, err=True)

    try:
        yield tell
    finally:
        if is_shown:
            click.echo("\r\x1b[K", nl=False, err=True)


def remaining(seconds: float, done: int, to_do: int) -> str:
    """Return in words how long the rest will take, at the pace so far; "" while nobody can know.

    `seconds`: that the things took that are `done`.
    """
    if seconds < FIRST_SECONDS or done < 1 or to_do < 1:
        return ""
    minutes, rest = divmod(round(seconds / done * to_do), 60)
    return f", {minutes} min {rest} s left" if minutes else f", {rest} s left"
