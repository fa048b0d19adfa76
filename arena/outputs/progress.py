"""The progress of a publishing, for people that wait for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from arena.league.model.publisher_pipe import AT

Progress: TypeAlias = Callable[[str, int, int], object]
"""Called with the things that are counted ("sets read"), their number by now, and that of all."""


def untold(what: str, done: int, of: int) -> None:
    """Do nothing: nobody waits for the publishing."""


def in_words(what: str, done: int, of: int) -> str:
    return f"{what}: {done:,} of {of:,}"


def as_lines(answer: Callable[[str], object]) -> Progress:
    """Send a line at each hundredth of the work.

    A hundred lines fit into a pipe: a publisher goes on even if nobody reads its answers any more.
    """
    last: tuple[str, int] | None = None

    def tell(what: str, done: int, of: int) -> None:
        nonlocal last
        if (now := (what, 100 * done // of)) != last:
            last = now
            answer(f"{AT}{in_words(what, done, of)}")

    return tell
