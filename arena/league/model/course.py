"""The course of a league beside its ratings: the standing of a swiss, the bracket of a knockout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = str | int | float | None

BOT_COLUMN = "bot"
"""The column of names: outputs escape them, and pages make them links."""


@dataclass(frozen=True)
class CourseTable:
    """One table, made by the format of the league, that every output shows as it is."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]  # a value for each column; None: there is none
    note: str  # how to read it
    winners: Sequence[str] = ()  # of the league, once this table decides it; several if they tie


def in_words(value: Value) -> str:
    """Return a value as a table for people has it."""
    match value:
        case None:
            return ""
        case float():
            return f"{value:.2f}"
        case _:
            return str(value)
