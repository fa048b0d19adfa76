"""Write the typed views of every language anew: `python -m tests.sample_bots.views --write`.

Without --write, name those that are not as they should be.
"""

from __future__ import annotations

import sys

from tests.sample_bots.views.languages import targets
from tests.sample_bots.views.shapes import shapes


def main(arguments: list[str]) -> int:
    stale = 0
    for target in targets():
        text = target.text(shapes())
        if target.file.is_file() and target.file.read_text() == text:
            continue
        if arguments == ["--write"]:
            target.file.write_text(text)
            print(f"written: {target.file}")
        else:
            stale += 1
            print(f"not in step with the games: {target.file}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
