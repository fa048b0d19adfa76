"""File names. A bot's name is its own choice, and may be anything at all."""

from __future__ import annotations

import re
from hashlib import sha256

from arena.league.sets import Place

_SAFE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_DIGITS = 10


def file_of_bot(name: str) -> str:
    """The same for the same name, whoever else is in the league; different for different ones.

    Lower-case names of plain letters are kept. All others get a digest after a dot, which no
    kept name has: so two names that differ in case alone differ on any file system.
    """
    if _SAFE.fullmatch(name):
        return f"{name}.html"
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower())[:30].strip("-") or "bot"
    return f"{readable}.{sha256(name.encode(errors='surrogatepass')).hexdigest()[:_DIGITS]}.html"


def older_file_of_bot(name: str, page: int) -> str:
    """A page of a bot's older matches, from 1."""
    return f"{file_of_bot(name).removesuffix('.html')}.p{page}.html"


def file_of_match(place: Place) -> str:
    return f"{place.set}-{place.turn + 1}.html"
