"""Calls into the program of somebody else: Ctrl-C ends them, and what they print goes aside."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt in this block at Ctrl-C, and send its prints to standard error.

    Trio would only note the signal until the next wait, which a program that loops never reaches.
    Standard output is the result's, which another program may read.
    """
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with redirect_stdout(sys.stderr):
            yield
    finally:
        signal.signal(signal.SIGINT, before)
