"""The endings of a match that no rule of its game knows; a game names its own endings."""

from __future__ import annotations

FORFEIT = "forfeit"
"""Only one seat was left that had not forfeited."""

NOT_BEGUN = "not-begun"
"""A seat stayed empty, so nothing was played. No bot is ever told this ending."""

VOID = "void"
"""The machine was too slow to judge fairly; the set is played anew."""
