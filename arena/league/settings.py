"""What a store keeps of the league's file: plain values, so that the table needs no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from arena.games import GAMES
from arena.league.config import Format, League
from arena.league.ratings import Anchor


@dataclass(frozen=True)
class Settings:
    """One league, as it was begun; its bots and its schedule are kept beside it."""

    name: str
    game: str
    seats: int
    sets: int
    options: Mapping[str, Any]
    format: Format
    challenger: str | None
    duplicate: bool
    seed: str | None
    decision_ms: int
    bank_ms: int
    hang_ms: int
    faults_to_forfeit: int
    start_ms: int
    owners_may_meet: bool
    show_names: bool
    anchor: Mapping[str, float] = field(default_factory=dict)
    anchor_elo: float = 0.0

    @classmethod
    def of(cls, league: League) -> Settings:
        timing = league.timing
        return cls(
            league.name,
            league.game,
            league.seats,
            league.sets,
            dict(league.options),
            league.format,
            league.challenger,
            league.duplicate,
            league.seed,
            timing.decision_ms,
            timing.bank_ms,
            timing.hang_ms,
            timing.faults_to_forfeit,
            league.start_ms,
            league.owners_may_meet,
            league.show_names,
            dict(league.anchor.weights),
            league.anchor.elo,
        )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Settings:
        return msgspec.convert(values, cls)

    def to_json(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = msgspec.to_builtins(self)
        return found

    @property
    def matches_of_a_set(self) -> int:
        return self.seats if self.duplicate else 1

    @property
    def rounds(self) -> int | None:
        """How many rounds every match has; None where they have none, or are not fixed."""
        view = GAMES[self.game].deal(self.seats, b"", self.options).view(None)
        if view["options"].get("target") is not None:
            return None
        rounds: int | None = view.get("rounds")
        return rounds

    def anchor_in_words(self) -> str:
        """Where the scale has its zero."""
        anchor = Anchor(self.anchor, self.anchor_elo)
        if not anchor.weights:
            return f"the mean of all bots is {anchor.elo:g}"
        if len(anchor.weights) == 1:
            return f"{next(iter(anchor.weights))} is {anchor.elo:g}"
        return f"the mean of {', '.join(anchor.weights)} is {anchor.elo:g}"
