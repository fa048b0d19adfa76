"""File names of pages. A bot's name is chosen by its author, and may be any text."""

from __future__ import annotations

import re
from hashlib import sha256

from arena.league.model.sets import Place

_SAFE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_DIGITS = 10

BOTS, SETS, MATCHES = "bots", "sets", "matches"
SETS_IN_A_FOLDER = 1000


def file_of_bot(name: str) -> str:
    """Return the file of a bot's page: it depends on the name alone, and no two names share one.

    Names of lower-case letters, digits, - and _ are kept. All others get a digest after a dot,
    which no kept name has: so names that differ only in case differ on any file system.
    """
    if _SAFE.fullmatch(name):
        return f"{name}.html"
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower())[:30].strip("-") or "bot"
    return f"{readable}.{sha256(name.encode(errors='surrogatepass')).hexdigest()[:_DIGITS]}.html"


def older_file_of_bot(name: str, page: int) -> str:
    """Return the file of a page of a bot's older matches; `page` counts from 1.

    A long league has many, so each bot has a folder of its own for them.
    """
    return f"{file_of_bot(name).removesuffix('.html')}/{page}.html"


def former_file_of_bot(name: str, page: int) -> str:
    """Return the file that such a page had before."""
    return f"{file_of_bot(name).removesuffix('.html')}.p{page}.html"


def file_of_set(number: int) -> str:
    """Return the file of a set's page. No folder holds more than SETS_IN_A_FOLDER of them."""
    return f"{SETS}/{number // SETS_IN_A_FOLDER:03}/{number}.html"


def address_of_match(place: Place) -> str:
    """Return the address of a match from the folder of index.html."""
    return f"{file_of_set(place.set)}#match={place.turn + 1}"


def older_file_of_match(place: Place) -> str:
    """Return the file that a match had before the matches of a set shared a page."""
    return f"{MATCHES}/{place.set}-{place.turn + 1}.html"
