"""Changes of a text of lines, as a patch: the lines that differ and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

Change: TypeAlias = tuple[int, int, tuple[str, ...]]
"""The index of a line, how many lines go there, and the lines that come in their place."""


def patch(before: Sequence[str], after: Sequence[str]) -> list[Change]:
    """Return the changes that make `after` of `before`, to be made in their order.

    Lines are compared place by place: a table keeps its lines, and changes within them. Where the
    number of lines differs, all from the first difference to the last is one change. So the cost
    grows with the length alone, and a longest common part is not looked for.
    """
    if len(before) == len(after):
        return list(_in_place(before, after))
    start = _alike(before, after)
    end = _alike(before[start:][::-1], after[start:][::-1])
    return [(start, len(before) - start - end, tuple(after[start : len(after) - end]))]


def patched(before: Sequence[str], changes: Sequence[Change]) -> list[str]:
    """Return the text after these changes, as the script of the page makes it."""
    now = list(before)
    for at, count, lines in changes:
        now[at : at + count] = lines
    return now


def _in_place(before: Sequence[str], after: Sequence[str]) -> Iterator[Change]:
    start = None
    for at, (one, other) in enumerate(zip(before, after, strict=True)):
        if one != other and start is None:
            start = at
        elif one == other and start is not None:
            yield start, at - start, tuple(after[start:at])
            start = None
    if start is not None:
        yield start, len(after) - start, tuple(after[start:])


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines both begin with."""
    for at, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return at
    return min(len(one), len(other))
