"""The generated table of docs/builds.md.

    python -m tests.bots.builds.document --write

writes it anew from `arena.bots.builds.variables`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from arena.bots.builds.variables import CERTIFICATES, REGISTRIES, TOOLCHAINS
from tests.markdown import code, table

DOCUMENT = Path(__file__).parents[3] / "docs" / "builds.md"

_MARKED = re.compile(r"(<!-- generated: variables -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_KINDS = {"certificates": CERTIFICATES, "registries": REGISTRIES, "toolchains": TOOLCHAINS}


def written(text: str) -> str:
    """The text with the table as the code has it now."""
    rows = [
        (kind, code(name), why) for kind, names in _KINDS.items() for name, why in names.items()
    ]
    lines = table(("kind", "variable", "what for"), rows)
    return _MARKED.sub(lambda match: match[1] + "\n".join(lines) + "\n" + match[3], text)


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
