"""The rule sets of the knockout family as data, and the constants of a match (SPEC 12.2, 12.8).

NOPE! and a small deck for exact solving (arena/games/research.py) have one engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.games.nope.cards import DECK, FIRST_ACTION_CARD, KIND_OF, ONE
from arena.games.options import Value

if TYPE_CHECKING:
    from arena.games.nope.game import Nope


@dataclass(frozen=True)
class NopeRules:
    name: str
    cards: bytes  # all kinds, ascending, copies adjacent: a deal shuffles these (SPEC 12.2)
    usual_hands: Mapping[int, int]  # by number of seats, the cards dealt to each
    max_turns: int  # where no option says otherwise
    # False: the discard pile is never shuffled to a new draw pile, so that the deal is all chance.
    reshuffles: bool = True

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(self.usual_hands)

    def deck(self, actions: bool) -> bytes:
        """The cards in play, with or without action cards (SPEC 12.8)."""
        if actions:
            return self.cards
        return bytes(kind for kind in self.cards if kind < FIRST_ACTION_CARD)


NOPE_RULES = NopeRules("nope", DECK, {2: 8, 3: 7, 4: 7, 5: 7, 6: 7}, 1000)
NOPE_SMALL_RULES = NopeRules(
    "nope-small",
    b"".join(ONE[KIND_OF[name]] for name in ("R1", "R1", "R2", "G1", "G1", "G2", "RG1")),
    {2: 2},
    8,
    reshuffles=False,
)


@dataclass(frozen=True, slots=True)
class NopeTable:
    """Seats, dealer and options of one match; every copy of a state shares them."""

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
