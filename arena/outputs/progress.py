"""How far a publishing is, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, int, int], object]
"""Called with what is counted ("sets read"), how many there are by now, and of how many."""

# What the runner's child says between a request and its answer begins so.
AT = "at "


def untold(what: str, done: int, of: int) -> None:
    """Nobody waits."""


def in_words(what: str, done: int, of: int) -> str:
    return f"{what}: {done:,} of {of:,}"


def as_lines(answer: Callable[[str], object]) -> Progress:
    """A line at each hundredth. Few enough that a pipe takes them all, though nobody may read
    it: a publisher that is no longer waited for goes on."""
    last: tuple[str, int] | None = None

    def tell(what: str, done: int, of: int) -> None:
        nonlocal last
        if (now := (what, 100 * done // of)) != last:
            last = now
            answer(f"{AT}{in_words(what, done, of)}")

    return tell
