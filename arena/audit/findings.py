"""Findings of an audit: each thing that does not fit in a league, and its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Misfit:
    """One thing that does not fit. `where` names a match, an event or, in words, another part."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Misfits:
    """The findings of an audit, in the order in which they were met."""

    def __init__(self) -> None:
        self.all: list[Misfit] = []

    def __repr__(self) -> str:
        return f"<Misfits {len(self.all)}>"

    def __bool__(self) -> bool:
        return bool(self.all)

    def add(self, where: object, what: str) -> None:
        self.all.append(Misfit(str(where), what))

    @contextmanager
    def guard(self, where: object) -> Iterator[None]:
        """Make any exception in the block a finding, so that damage does not end the audit."""
        try:
            yield
        # A damaged value may be anything, so code that reads it may raise any exception.
        except Exception as error:
            why = str(error).removeprefix(f"{where}: ") or type(error).__name__
            self.add(where, f"cannot be read: {why}")
