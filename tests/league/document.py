"""The generated parts of docs/league.md, and its example.

    python -m tests.league.document --write

writes the tables anew from `arena.league.keys`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from arena.league.keys import KEYS
from tests.markdown import code, table

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "league.md"

_MARKED = re.compile(r"(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_EXAMPLE = re.compile(r"```toml\n(.*?)```", re.DOTALL)
TOP = "top"


def keys(name: str) -> list[str]:
    """The keys of one table of the file."""
    rows = []
    for key_name, key in KEYS["" if name == TOP else name].items():
        default = "must be there" if key.default is None else key.default or "\u2013"
        example = key.example.replace("\n", " ")
        cells = (code(key_name), key.must, default, key.why, code(example))
        rows.append([cell.replace("|", "\\|") for cell in cells])
    return table(("key", "what it must be", "left out", "what for", "example"), rows)


def written(text: str) -> str:
    """The text with every table as the code has it now."""
    return _MARKED.sub(
        lambda match: match[1] + "\n".join(keys(match[2])) + "\n" + match[4],
        text,
    )


def example() -> str:
    """The whole league that the document begins with."""
    match = _EXAMPLE.search(DOCUMENT.read_text(encoding="utf-8"))
    assert match is not None
    return match[1]


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
