"""The output of a command: lines on standard output, as long as they can be written."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click


class Printer:
    """Prints lines until nobody reads them any more (`| head`) or the disk is full.

    Then it is `closed`. If the disk is full it also `failed`: the output is not whole.
    """

    def __init__(self) -> None:
        self.closed = False
        self.failed = False

    def __repr__(self) -> str:
        state = "failed" if self.failed else "closed" if self.closed else "open"
        return f"<Printer {state}>"

    def __call__(self, line: str) -> None:
        """Print a line; never raises, because it is called from within matches."""
        if self.closed:
            return
        try:
            click.echo(line)
        except OSError as error:
            self.closed = True
            if not isinstance(error, BrokenPipeError):
                self.failed = True
                with suppress(OSError):  # standard error may be the same full disk
                    click.echo(
                        f"standard output: {error.strerror}; nothing more is printed", err=True
                    )
            # At the end Python would complain about the lines that are still in its buffer.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def end(self) -> None:
        """End the command with an error if printing failed, so that its output is not taken for
        whole. The reason was printed before."""
        if self.failed:
            raise SystemExit(1)
