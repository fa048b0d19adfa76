"""A log that a crowd cannot fill: one line of a kind a minute, and a count of the others."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

EVERY_SECONDS = 60.0


class RareLog:
    """Writes to `log`. `now` returns seconds of a clock that never goes back."""

    def __init__(self, log: logging.Logger, now: Callable[[], float]):
        self._log = log
        self._now = now
        self._written: dict[tuple[str, object], float] = {}  # by kind: when the last line was
        self._left_out: dict[tuple[str, object], int] = {}  # by kind: lines since then

    def __repr__(self) -> str:
        return f"<RareLog of {self._log.name}, {sum(self._left_out.values())} left out>"

    def warning(self, message: str, *values: object) -> None:
        """Write a line. Lines with one message are of one kind, whatever their values are."""
        if (more := self._more((message, None))) is not None:
            self._log.warning(f"{message}%s", *values, more)

    def exception(self, message: str) -> None:
        """Write a line and the traceback of the exception that is being handled.

        Lines with one message and one type of exception are of one kind.
        """
        if (more := self._more((message, sys.exc_info()[0]))) is not None:
            self._log.exception("%s%s", message, more)

    def _more(self, kind: tuple[str, object]) -> str | None:
        """Return words about lines left out, to append to a line; None if it is left out too."""
        now = self._now()
        written = self._written.get(kind)
        if written is not None and now - written < EVERY_SECONDS:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return None
        self._written[kind] = now
        left_out = self._left_out.pop(kind, 0)
        return f" (left out since the last such line: {left_out})" if left_out else ""
