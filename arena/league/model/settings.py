"""The settings of a league as its database keeps them: the table needs no file of the league."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import msgspec

from arena.league.model.anchor import Anchor
from arena.league.model.stopping import Stopping
from arena.league.model.terms import (
    FIRST_PAIRING,
    MOST_SETS_PER_TIE,
    SETS_PER_TABLE,
    LeagueTerms,
    with_challengers,
)
from arena.record.timing import Timing

if TYPE_CHECKING:
    from arena.league.model.config import League

# Fields of Timing. The database has them among the other settings, not in a map of their own.
TIMING = tuple(one.name for one in fields(Timing))
# Names in the database for the two fields of Anchor.
ANCHOR = {"anchor": "weights", "anchor_elo": "elo"}

MATCH_PAGES = "last 1000"
"""The matches that get pages where the league's file does not say."""


@dataclass(frozen=True)
class Settings:
    """The settings that a league was begun with; its bots and its schedule are kept beside it.

    Each has the name and the value that it has in a League.
    """

    name: str
    game: str
    seats: int
    sets: int | None
    options: Mapping[str, Any]
    format: str
    challengers: tuple[str, ...]
    duplicate: bool
    seed: str | None
    timing: Timing
    start_ms: int
    owners_may_meet: bool
    show_names: bool
    anchor: Anchor = field(default_factory=Anchor)
    match_pages: str = MATCH_PAGES  # `arena.league.model.match_pages` reads it
    sets_per_line_up: int | None = None
    rounds: int | None = None
    sets_per_table: int = SETS_PER_TABLE
    most_sets_per_tie: int = MOST_SETS_PER_TIE
    pairing: int = FIRST_PAIRING
    stop: Stopping | None = None

    @classmethod
    def of(cls, league: League) -> Settings:
        """Take the settings out of all that the file says."""
        return cls(**{one.name: getattr(league, one.name) for one in fields(cls)})

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Settings:
        """Read settings written by `to_json`, in this version or an earlier one."""
        values = with_challengers(values)
        timing = {name: values[name] for name in TIMING if name in values}
        anchor = {inner: values[name] for name, inner in ANCHOR.items() if name in values}
        flat = timing.keys() | ANCHOR.keys()
        others = {name: value for name, value in values.items() if name not in flat}
        return msgspec.convert({**others, "timing": timing, "anchor": anchor}, cls)

    def to_json(self) -> Mapping[str, Any]:
        """Return the fields by name, those of `timing` and `anchor` among the others."""
        found: dict[str, Any] = {}
        for one in fields(self):
            # Not `to_builtins(self)`: it leaves out a field whose default `convert` filled in.
            name, value = one.name, msgspec.to_builtins(getattr(self, one.name))
            match name:
                case "timing":
                    found |= value
                case "anchor":
                    found |= {outer: value[inner] for outer, inner in ANCHOR.items()}
                case _:
                    found[name] = value
        return found

    @property
    def terms(self) -> LeagueTerms:
        """What a planner knows of the league besides its bots and results."""
        return LeagueTerms.of(self)

    @property
    def matches_of_a_set(self) -> int:
        return self.seats if self.duplicate else 1
