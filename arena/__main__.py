"""Where `arena` begins, and `python -m arena`: Ctrl-C ends it in a word from here on.

What takes a while to load is loaded in here, not above, for that reason.
"""

from __future__ import annotations

import sys

from arena.exits import INTERRUPTED


def main() -> None:
    """The command line, as the words of this process have it."""
    try:
        from arena.cli import main as commands

        commands(prog_name="arena")
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()
