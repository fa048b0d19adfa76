"""Exit codes of commands that a signal ended, as a shell tells them: 128 and its number."""

from __future__ import annotations

INTERRUPTED = 130  # by Ctrl-C
TERMINATED = 143
