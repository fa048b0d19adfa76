"""An entrant as the league's database has it, and its presence as the events tell it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.record.timing import BotClock

UNKNOWN_CONTENT = "dials in"
"""Stands in the place of a hash of its sources for a bot that dials in."""


@dataclass(frozen=True)
class KnownEntrant:
    """A bot of a league, with no file that starts it."""

    name: str
    owner: str
    content: str  # the hash of its sources
    said: Mapping[str, str]  # version, author, language, from its last hello
    clock: BotClock | None = None  # as the events tell it; None: that of the league


@dataclass(frozen=True)
class Presence:
    """A bot that dials in and came, as the last event about it tells."""

    name: str
    is_here: bool  # else it is away
    since: str  # UTC, the time of that event: "2026-01-31T12:00:00Z"
