"""Decisions of recorded matches as rows of numbers, for programs that learn: written and read."""

from arena.dataset.reading import Decisions, read_decisions

__all__ = ["Decisions", "read_decisions"]
