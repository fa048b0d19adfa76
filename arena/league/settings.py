"""What a store keeps of the league's file: plain values, so that the table needs no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from arena.games import GAMES
from arena.league.config import Format, League
from arena.league.ratings import Anchor
from arena.referee.clock import Timing


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
            name=league.name,
            game=league.game,
            seats=league.seats,
            sets=league.sets,
            options=dict(league.options),
            format=league.format,
            challenger=league.challenger,
            duplicate=league.duplicate,
            seed=league.seed,
            decision_ms=timing.decision_ms,
            bank_ms=timing.bank_ms,
            hang_ms=timing.hang_ms,
            faults_to_forfeit=timing.faults_to_forfeit,
            start_ms=league.start_ms,
            owners_may_meet=league.owners_may_meet,
            show_names=league.show_names,
            anchor=dict(league.anchor.weights),
            anchor_elo=league.anchor.elo,
        )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Settings:
        return msgspec.convert(values, cls)

    def to_json(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = msgspec.to_builtins(self)
        return found

    @property
    def timing(self) -> Timing:
        return Timing(self.decision_ms, self.bank_ms, self.hang_ms, self.faults_to_forfeit)

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
