"""A league as its file describes it: bots, game, number of sets, clock. Values only.

`arena.league.file.reading` reads them from a league.toml.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from arena.bots.botfile import Bot
from arena.bots.confine.confinement import Wish
from arena.bots.confine.limits import Limits
from arena.league.model.anchor import Anchor
from arena.league.model.settings import MATCH_PAGES
from arena.league.model.stopping import Stopping
from arena.league.model.terms import FIRST_PAIRING, MOST_SETS_PER_TIE, SETS_PER_TABLE
from arena.record.timing import START_MS, BotClock, Timing

DIAL_IN_MS = 600_000
"""The time a league waits for a bot that dials in: its author must be told, and start it."""

Versions: TypeAlias = Literal["refused", "new-row"]
Engine: TypeAlias = Literal["jobs", "dask"]
"""The way in which sets are played: by processes of this machine, or by workers on others."""


@dataclass(frozen=True)
class Entrant:
    """A bot in a league, under the name its row has. Versions of one bot share an owner."""

    name: str
    bot: Bot | None  # None: it dials in, and we know nothing of it
    owner: str
    limits: Limits = field(default_factory=Limits)
    clock: BotClock | None = None  # None: that of the league
    connections: int = 1  # with which it may dial in at once


@dataclass(frozen=True)
class EntryLimits:
    """The most bots and connections of a league; None: no limit. They may change at any time."""

    most_bots: int | None = None
    most_bots_per_owner: int | None = None
    most_connections_per_owner: int | None = None  # of its bots that dial in, together


@dataclass(frozen=True)
class Confine:
    """How the bots that are started are confined."""

    by: Wish = Wish.AUTO
    read: tuple[Path, ...] = ()  # further paths that they may read, besides the system's programs
    build_network: bool = True  # builds may reach public addresses


@dataclass(frozen=True)
class Tls:
    """Files by which the machines of a cluster know each other."""

    ca: Path  # of the authority: a holder of its certificate is let in
    cert: Path
    key: Path


@dataclass(frozen=True)
class League:
    """All that league.toml says."""

    name: str
    game: str
    seats: int
    entrants: tuple[Entrant, ...]
    sets: int | None  # in all; None: as many as the format has
    options: Mapping[str, object] = field(default_factory=dict)
    format: str = "round-robin"  # one of arena.league.plan.formats
    challengers: tuple[str, ...] = ()  # of a gauntlet: one of them is at every table
    sets_per_line_up: int | None = None  # of round robin and gauntlet, in the place of `sets`
    rounds: int | None = None  # of swiss
    sets_per_table: int = SETS_PER_TABLE  # in a round of swiss, or a wave of a knockout
    most_sets_per_tie: int = MOST_SETS_PER_TIE  # of a knockout
    pairing: int = FIRST_PAIRING  # of a ladder; no key of the file: the rules of today
    stop: Stopping | None = None  # the rules that end it early
    duplicate: bool = True  # each set in every seating; else single matches, seats drawn
    seed: str | None = None  # in the place of the secret key: "deals predictable"
    timing: Timing = field(default_factory=Timing)
    start_ms: int = START_MS
    dial_in_ms: int = DIAL_IN_MS
    listen: str | None = None  # the address at which bots dial in
    address: str | None = None  # the one their authors are told; None: worked out from `listen`
    owners_may_meet: bool = False
    versions: Versions = "refused"  # what becomes of a bot whose files have changed
    show_names: bool = False  # bots are told the names of all bots at their table
    anchor: Anchor = field(default_factory=Anchor)
    match_pages: str = MATCH_PAGES  # the matches that get pages (`model.match_pages`)
    # Referee processes, each on a core of its own with its own bots; None: one, and one for each
    # core while bots are quick (`play.lanes.spread`).
    jobs: int | None = None
    confine: Confine = field(default_factory=Confine)
    entry_limits: EntryLimits = field(default_factory=EntryLimits)
    at_once: int | None = None  # matches of one job; None: as many as are fair (`play.lanes`)
    engine: Engine = "jobs"
    scheduler: str | None = None  # of the engine dask; None: a cluster on this machine
    tls: Tls | None = None  # for `scheduler`

    @property
    def matches_of_a_set(self) -> int:
        return self.seats if self.duplicate else 1

    @property
    def bots(self) -> Mapping[str, Bot]:
        """The bots that the league starts, by the name of their row."""
        return {each.name: each.bot for each in self.entrants if each.bot is not None}

    @property
    def callers(self) -> tuple[str, ...]:
        """The names of the bots that dial in."""
        return tuple(entrant.name for entrant in self.entrants if entrant.bot is None)

    def entrant(self, name: str) -> Entrant:
        """Return the entrant of this name; there must be one."""
        return next(entrant for entrant in self.entrants if entrant.name == name)
