"""Exit codes of commands that a signal ended, as a shell has them: 128 and the signal's number."""

from __future__ import annotations

INTERRUPTED = 130  # by Ctrl-C
TERMINATED = 143


def is_interrupt(error: BaseException) -> bool:
    """Tell whether an error is Ctrl-C. One that comes while a class is made is the cause of a
    RuntimeError in Python 3.11."""
    return isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt)
