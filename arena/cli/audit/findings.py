"""What does not fit in a league, and where."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """`where` is a place of the schedule, an event, or a part of the league in words."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Findings:
    """All of them, in the order in which they were met."""

    def __init__(self) -> None:
        self.all: list[Finding] = []

    def __repr__(self) -> str:
        return f"<Findings {len(self.all)}>"

    def __bool__(self) -> bool:
        return bool(self.all)

    def add(self, where: object, what: str) -> None:
        self.all.append(Finding(str(where), what))

    @contextmanager
    def guard(self, where: object) -> Iterator[None]:
        """What is so damaged that looking at it fails is a finding, and what comes next is
        looked at all the same."""
        try:
            yield
        # A damaged value may be anything, and break whatever reads it in any way.
        except Exception as error:
            why = str(error).removeprefix(f"{where}: ") or type(error).__name__
            self.add(where, f"cannot be read: {why}")
