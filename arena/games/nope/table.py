"""The constants of a match (SPEC 12.2, 12.8); every copy of a state shares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.games.options import Value

if TYPE_CHECKING:
    from arena.games.nope.game import Nope


@dataclass(frozen=True, slots=True)
class NopeTable:
    """Seats, dealer and options of one match."""

    game: Nope
    seats: int
    dealer: int
    max_turns: int
    draws: int  # cards drawn at once
    seed: bytes
    options: Mapping[str, Value]  # every one, with its effective value

    def shown_options(self) -> dict[str, Value]:
        """The options as a view shows them, for the reader to keep."""
        shown = dict(self.options)
        hand = shown["hand"]
        if isinstance(hand, list):
            shown["hand"] = hand[:]
        return shown
