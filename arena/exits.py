"""Exit codes of commands that a signal ended, as a shell has them: 128 and the signal's number."""

from __future__ import annotations

INTERRUPTED = 130  # by Ctrl-C
TERMINATED = 143
