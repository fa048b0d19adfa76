"""Names of leagues and bots: a title that can be shown, a name that is still free."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from arena.bots.botfile import MAX_NAME_CHARS
from arena.league.file.keys import MAX_TITLE_CHARS


def another_name(name: str, taken: Iterable[str]) -> str:
    """Return a name much like this one that is not taken."""
    lower = {other.lower() for other in taken}
    numbered = (f"{name[: MAX_NAME_CHARS - 4]}-{number}" for number in count(2))
    return next(other for other in numbered if other.lower() not in lower)


def title_of(folder: str) -> str:
    """Return the title of a league that has none of its own, from the characters of its folder's
    name that can be printed."""
    title = "".join(filter(str.isprintable, folder))[:MAX_TITLE_CHARS]
    return title if is_title(title) else "league"


def is_title(text: str) -> bool:
    """Tell whether a text can stand above a table: there is something to see, and nothing that a
    terminal or a browser would take for more, such as marks that turn its direction round."""
    return text.isprintable() and bool(text.strip())
