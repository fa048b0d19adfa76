"""Pieces of Markdown, for the generated parts of SPEC.md, and the reading of its tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return ["| " + " | ".join(map(str, line)) + " |" for line in lines]


def code(text: object) -> str:
    return f"`{text}`"


def cells(line: str) -> list[str]:
    """The cells of a line of a table, without code marks."""
    return [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]
