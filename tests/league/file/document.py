"""The generated parts of docs/league.md, and its example.

    python -m tests.league.file.document --write

writes the tables anew from `arena.league.file.keys` and `arena.league.entry.changes`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from arena.league.entry.changes import BOUNDED, FIXED
from arena.league.file.keys import KEYS
from tests.markdown import code, table

DOCUMENT = Path(__file__).parents[3] / "docs" / "league.md"

_MARKED = re.compile(r"(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_EXAMPLE = re.compile(r"```toml\n(.*?)```", re.DOTALL)
TOP = "top"
BOTS = "bots"
CHANGES = "changes"
WHOLE = ("stop",)  # tables whose keys have one rule in common


def keys(name: str) -> list[str]:
    """The keys of one table of the file."""
    rows = []
    for key_name, key in KEYS["" if name == TOP else name].items():
        default = "must be there" if key.default is None else key.default or "\u2013"
        example = key.example.replace("\n", " ")
        cells = (code(key_name), key.must, default, key.why, code(example))
        rows.append([cell.replace("|", "\\|") for cell in cells])
    return table(("key", "what it must be", "left out", "what for", "example"), rows)


def names() -> list[str]:
    """Every key of the file, as `arena.league.changes` spells it.

    A table is told by its keys. `[options]` has the keys of a game instead, and `[[bots]]` a rule
    as a list, so these two are told as a whole.
    """
    found = []
    for table_name, keys_of_it in KEYS.items():
        if table_name in WHOLE:
            found.append(f"[{table_name}]")
            continue
        for key_name in keys_of_it:
            if table_name:
                opening = "[[bots]]" if table_name == BOTS else f"[{table_name}]"
                found.append(f"{key_name} of {opening}")
            elif key_name == BOTS:
                found.append("[[bots]]")
            elif key_name == "options":
                found.append("[options]")
            elif key_name not in KEYS:
                found.append(key_name)
    return found


def changes() -> list[str]:
    """Every key of the file: whether it may change once the league has begun, and why not."""
    told = {each.key: (f"only {each.may}" if each.may else "no", each.why) for each in BOUNDED}
    told |= {each.key: ("no", each.why) for each in FIXED.values()}
    rows = [
        (" of ".join(map(code, name.split(" of "))), *told.get(name, ("yes", "")))
        for name in names()
    ]
    return table(("key", "may change", "why not otherwise"), rows)


def written(text: str) -> str:
    """The text with every table as the code has it now."""
    return _MARKED.sub(
        lambda match: match[1] + "\n".join(_table(match[2])) + "\n" + match[4],
        text,
    )


def _table(name: str) -> list[str]:
    return changes() if name == CHANGES else keys(name)


def example() -> str:
    """The whole league that the document begins with."""
    match = _EXAMPLE.search(DOCUMENT.read_text(encoding="utf-8"))
    assert match is not None
    return match[1]


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
