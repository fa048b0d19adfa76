"""Standard streams that take any text, whatever encoding the environment gives them."""

from __future__ import annotations

import codecs
import io
import sys

# By character that ASCII does not have: what looks like it, in as many columns if it may stand in
# a table.
LOOK_ALIKES = {
    "─": "-",
    "–": "-",
    "±": "~",
    "×": "x",
    "→": ">",
    "…": "...",
    "\N{REPLACEMENT CHARACTER}": "?",
}
_NAME = "arena-look-alikes"


def take_any_text() -> None:
    """Have standard output and standard error write all that their encoding does not have, such
    as a line in a table under Latin-1 or a file name that is no text, as a look-alike or an
    escape; else printing it would raise."""
    codecs.register_error(_NAME, replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def replaced(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII for the characters that cannot be encoded, and the place to go on from."""
    assert isinstance(error, UnicodeEncodeError)
    came = error.object[error.start : error.end]
    text = "".join(
        LOOK_ALIKES.get(c) or c.encode("ascii", "backslashreplace").decode() for c in came
    )
    return text, error.end
