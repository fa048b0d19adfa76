"""What a command prints: lines on standard output, as long as they can be written."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click


class Printer:
    """Prints lines until nobody reads them any more (`| head`), or the disk is full; then it is
    `closed`, and in the second case it `failed`: somebody has less than was to be printed."""

    def __init__(self) -> None:
        self.closed = False
        self.failed = False

    def __repr__(self) -> str:
        state = "failed" if self.failed else "closed" if self.closed else "open"
        return f"<Printer {state}>"

    def __call__(self, line: str) -> None:
        """Print it; never raises, because it is called from within matches."""
        if self.closed:
            return
        try:
            click.echo(line)
        except OSError as error:
            self.closed = True
            if not isinstance(error, BrokenPipeError):
                self.failed = True
                with suppress(OSError):  # it may go where standard output goes
                    click.echo(
                        f"standard output: {error.strerror}; nothing more is printed", err=True
                    )
            # Python would complain of what is still in its buffer at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def end(self) -> None:
        """All was printed, or else the command ends here with an error, which was told: what it
        printed would be taken for the whole."""
        if self.failed:
            raise SystemExit(1)
