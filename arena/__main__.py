"""The entry point of `arena` and `python -m arena`: from here on Ctrl-C ends it with one word.

So everything that takes long to load is imported inside `main`.
"""

from __future__ import annotations

import sys

from arena.exits import INTERRUPTED, is_interrupt


def main() -> None:
    """Run the command that the arguments of this process name."""
    try:
        from arena.cli import main as commands

        commands(prog_name="arena")
    except (KeyboardInterrupt, RuntimeError) as error:
        if not is_interrupt(error):
            raise
        print("stopped", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()
