"""`--tap`: every frame in both directions, decoded, with its time; and one request to be read."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator

import msgpack

from arena.referee.clock import Now
from arena.referee.wire.connection import OtherEnd
from arena.text import plain
from protocol import limits

# Of the lines of a request that is told as evidence.
WIDTH = 84


class PrintingTap:
    """Prints a line for each frame: milliseconds, bot, direction, content."""

    def __init__(self, now: Now, echo: Callable[[str], None]):
        self._now = now
        self._began = now()
        self._echo = echo

    def sent(self, link: OtherEnd, data: bytes) -> None:
        """Print a frame to a bot, given with its header."""
        self._line(link, "<-", data[limits.HEADER_BYTES :])

    def came(self, link: OtherEnd, body: bytes) -> None:
        """Print a body from a bot."""
        self._line(link, "->", body)

    def _line(self, link: OtherEnd, arrow: str, body: bytes) -> None:
        at = (self._now() - self._began) / 1000
        self._echo(f"{at:10.3f} ms  {plain(link.name)} {arrow} {decoded(body)}")


def decoded(body: bytes) -> str:
    """Return a body as JSON, or as hexadecimal if it cannot be read."""
    try:
        return plain(json.dumps(msgpack.unpackb(body), ensure_ascii=False, separators=(",", ":")))
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException):
        return f"unreadable: {body[:200].hex(' ')}" + (" ..." if len(body) > 200 else "")


def told_request(text: str) -> Iterator[str]:
    """Yield a request in lines of some width: the views of games are long. `text`: as JSON, or
    what is wrong with it."""
    # A blank after each comma, also in the few texts that have one: it is here to be read.
    first, *more = textwrap.wrap(text.replace(",", ", "), WIDTH, break_on_hyphens=False)
    yield f"  request:  {first}"
    yield from (f"            {line}" for line in more)
