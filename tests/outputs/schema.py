"""docs/standings.md from the schema: `python -m tests.outputs.schema --write`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from arena.outputs.json_ import KEYS
from tests.markdown import code, table

FILE = Path(__file__).parents[2] / "docs" / "standings.md"

BEFORE = """\
# standings.json

What `arena table --json` prints and `arena publish` writes, for other programs.
Keys are only ever added; what changes the meaning of one, or takes it away, is a new `version`.
Names, versions, authors, languages and reasons are what bots chose: escape them wherever you show them.
Shares are between 0 and 1, numbers are rounded to six digits after the point, and nothing in it comes from a set that is not complete.

`standings.csv` has the same rows for spreadsheets: one line a bot, also those without a rating, with the bar of each mean in a column of its own.
"""  # noqa: E501


def document() -> str:
    return "\n".join([BEFORE, *tables()])


def tables() -> Iterator[str]:
    for section, keys in KEYS.items():
        title = "The whole" if section == "document" else f"`{section}`"
        yield f"## {title}"
        yield ""
        yield from table(("key", "what"), ((code(key), what) for key, what in keys.items()))
        yield ""


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(document())
    else:
        print(document())
