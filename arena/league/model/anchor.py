"""The anchor of a league's scale: bots, and the Elo that their mean is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Anchor:
    """Bots by name with their weights, and the Elo of their weighted mean.

    Without bots it is the mean of all of them.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    elo: float = 0.0

    def in_words(self) -> str:
        """Say where the scale has its zero."""
        match [*self.weights]:
            case []:
                pinned = "the mean of all bots"
            case [name]:
                pinned = name
            case names:
                pinned = f"the mean of {', '.join(names)}"
        return f"{pinned} is {self.elo:g}"
