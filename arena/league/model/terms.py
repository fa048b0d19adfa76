"""The part of a league's settings that decides who plays whom, and when the league is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import msgspec

from arena.league.model.anchor import Anchor
from arena.league.model.stopping import Stopping

SETS_PER_TABLE = 1
MOST_SETS_PER_TIE = 16

FIRST_PAIRING = 1
"""The number of the first rules by which a format finds opponents, and of leagues older than that
number."""


@dataclass(frozen=True)
class LeagueTerms:
    """What a planner knows of a league besides its bots and results.

    Fields that a format has no use for keep their defaults.
    """

    format: str
    seats: int
    sets: int | None  # in all; None: as many as the format plays, for a ladder without end
    duplicate: bool = True
    owners_may_meet: bool = False
    challengers: tuple[str, ...] = ()  # of a gauntlet
    sets_per_line_up: int | None = None  # instead of `sets`
    rounds: int | None = None  # of swiss; None: the usual ones for the bots of the first round
    sets_per_table: int = SETS_PER_TABLE  # in a round of swiss, or a wave of a knockout
    most_sets_per_tie: int = MOST_SETS_PER_TIE  # of a knockout
    pairing: int = FIRST_PAIRING  # the number of the rules by which the format finds opponents
    stop: Stopping | None = None
    anchor: Anchor = field(default_factory=Anchor)  # of the bars in rules of `stop`

    @classmethod
    def of(cls, settings: object) -> LeagueTerms:
        """Take the terms out of the settings of a league, or of all that its file says."""
        return cls(**{one.name: getattr(settings, one.name) for one in fields(cls)})

    @classmethod
    def of_event(cls, event: Mapping[str, Any]) -> LeagueTerms:
        """Read the terms in a `league` event, of this version or an earlier one."""
        known = {one.name for one in fields(cls)} - {"anchor"}
        values = with_challengers(event)
        anchor = {"weights": event.get("anchor", {}), "elo": event.get("anchor_elo", 0.0)}
        found = {name: values[name] for name in known & values.keys()}
        return msgspec.convert({**found, "anchor": anchor}, cls)


def usual_rounds(bots: int) -> int:
    """Return how often so many bots can be halved until one is left."""
    return max(1, (bots - 1).bit_length())


def with_challengers(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return settings of an earlier version, which had one `challenger`, as they are now."""
    if "challenger" not in values:
        return values
    others = {name: value for name, value in values.items() if name != "challenger"}
    one = values["challenger"]
    return {"challengers": [] if one is None else [one], **others}
