"""The table [stop] of league.toml: what ends a league before its format would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Stopping:
    """Rules that end a league; the first that holds does. None, or False: the rule is not asked
    for. `arena.league.plan.stop` applies them."""

    separated: bool = False  # every two neighbours of the table
    bars_below: float | None = None  # Elo: half of the widest bar of the table
    test: tuple[float, float] | None = None  # of two bots: the bounds of the stop test, in Elo
    sets: int | None = None
    hours: float | None = None  # since the first match began, with all rests

    def asked_for(self) -> Mapping[str, object]:
        """Return the rules that hold, by their keys in the file."""
        return {name: rule for name, rule in asdict(self).items() if rule not in (None, False)}
