"""What a league is: who plays what, how often, under which clock. Values only.

`arena.league.file` reads them from a league.toml.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from arena.league.ratings import Anchor
from arena.referee.botfile import Bot
from arena.referee.clock import START_MS, Timing

DIAL_IN_MS = 600_000
"""For so long a league waits for who dials in: somebody must be told, and start it."""

UNKNOWN_CONTENT = "dials in"
"""In the place of a hash of its sources."""

Format: TypeAlias = Literal["round-robin", "gauntlet"]


@dataclass(frozen=True)
class Entrant:
    """A bot in a league, under the name its row has. Versions of one bot share an owner."""

    name: str
    bot: Bot | None  # None: it dials in, and we know nothing of it
    owner: str


@dataclass(frozen=True)
class League:
    """All that league.toml says."""

    name: str
    game: str
    seats: int
    entrants: tuple[Entrant, ...]
    sets: int  # in all
    options: Mapping[str, object] = field(default_factory=dict)
    format: Format = "round-robin"
    challenger: str | None = None  # of a gauntlet: who is at every table
    duplicate: bool = True  # each set in every seating; else single matches, seats drawn
    seed: str | None = None  # in the place of the secret key: "deals predictable"
    timing: Timing = field(default_factory=Timing)
    start_ms: int = START_MS
    dial_in_ms: int = DIAL_IN_MS
    listen: str | None = None  # where bots dial in
    owners_may_meet: bool = False
    show_names: bool = False  # bots are told who sits where
    anchor: Anchor = field(default_factory=Anchor)
    jobs: int = 1  # referee processes, each on a core of its own with its own bots
    at_once: int | None = None  # matches of one job; None: cores - 1, at least 1

    @property
    def matches_of_a_set(self) -> int:
        return self.seats if self.duplicate else 1

    @property
    def bots(self) -> Mapping[str, Bot]:
        """By the name of its row, those that we start."""
        return {each.name: each.bot for each in self.entrants if each.bot is not None}

    @property
    def callers(self) -> tuple[str, ...]:
        """Those that dial in."""
        return tuple(entrant.name for entrant in self.entrants if entrant.bot is None)

    def entrant(self, name: str) -> Entrant:
        """The entrant of this name, who must be there."""
        return next(entrant for entrant in self.entrants if entrant.name == name)
