"""The output of bots as lines on standard error, each with the name of its bot."""

from __future__ import annotations

import click

from arena.text import plain

# A bot may print for ever without an end of line.
MOST_LINE_BYTES = 4_096


class Lines:
    """Prints each line as it is whole; a process that ends in the middle of one is told at the end.

    Standard output of a bot is told apart, because it is more often there by mistake.
    """

    def __init__(self) -> None:
        self._begun: dict[tuple[int, str], bytes] = {}  # by process and stream, a line not whole
        self._names: dict[int, str] = {}
        self._closed = False

    def __repr__(self) -> str:
        return f"<Lines of {sorted({*self._names.values()})}>"

    def __call__(self, name: str, process: int, stream: str, skipped: int, data: bytes) -> None:
        """Take output as it comes; an `OnPrinted`."""
        self._names[process] = name
        key = process, stream
        begun = self._begun.pop(key, b"")
        if skipped:
            if begun:
                self._print(name, stream, begun.decode("utf-8", "replace"))
            self._print(name, stream, f"[{skipped:,} bytes are left out here]")
            begun = b""
        *lines, rest = (begun + data).split(b"\n")
        for line in lines:
            self._print(name, stream, line.decode("utf-8", "replace"))
        while len(rest) > MOST_LINE_BYTES:
            self._print(name, stream, rest[:MOST_LINE_BYTES].decode("utf-8", "replace"))
            rest = rest[MOST_LINE_BYTES:]
        if rest:
            self._begun[key] = rest

    def end(self) -> None:
        """Print the lines that never became whole."""
        for (process, stream), rest in self._begun.items():
            self._print(self._names[process], stream, rest.decode("utf-8", "replace"))
        self._begun.clear()

    def _print(self, name: str, stream: str, line: str) -> None:
        """Print a line; never raises, because it is called from within matches."""
        if self._closed:
            return
        origin = plain(name) if stream == "stderr" else f"{plain(name)} ({stream})"
        try:
            click.echo(f"{origin}: {plain(line.removesuffix(chr(13)))}", err=True)
        except OSError:  # nobody reads standard error any more
            self._closed = True
