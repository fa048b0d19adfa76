"""What a settled board means for the tricks: which cards serve which, and which card takes.

SPEC 11.4 (following) and 11.5 (taking) as tables, one set for each trump and supertrump.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias

from arena.games.nyet.cards import Deck
from arena.games.nyet.rulesets import Discard

NO_POWER = -1  # of a card that does not serve and is no trump: below every rung


@dataclass(frozen=True, slots=True)
class Ladder:
    """The kinds from the weakest to the strongest, as far as a round has such an order: a card
    takes from one of its suit below it, and from rung `ruff` up from one of any suit."""

    kind: bytes  # by rung; a table for bytes.translate
    rung: bytes  # by kind, likewise
    suit: Sequence[int]  # by rung: the index of a colour
    low: Sequence[bool]  # by rung
    others: Sequence[bytes]  # by suit: the rungs of the other suits
    ruff: int


Led: TypeAlias = tuple[bytes, Sequence[int]]
"""What a card led means for its trick: the kinds that do not serve it, and by kind the strength:
the strongest takes, among equals the one played last. A plain pair, for it is taken apart at
every card played."""


@dataclass(frozen=True, slots=True)
class Trumps:
    """What rows 3 and 4 mean for the tricks. Colours are indices; None: there is none."""

    trump: int | None
    supertrump: int | None
    ladder: Ladder
    led: Sequence[Led]  # by kind


@dataclass(frozen=True)
class Terms:
    """The five open boxes of a round, by name, and what they mean."""

    open_boxes: Sequence[str]
    first: int
    discard: Discard
    trumps: Trumps
    points: int

    @cached_property
    def words(self) -> Mapping[str, int | str]:
        """As views have it. Worked out when asked for: a search bot's rounds are never seen."""
        _, discard, trump, supertrump, _ = (box.split(":")[1] for box in self.open_boxes)
        return {
            "first": self.first,
            "discard": discard,
            "trump": trump,
            "supertrump": supertrump,
            "points": self.points,
        }


def is_supertrump(deck: Deck, kind: int, supertrump: int | None) -> bool:
    """A low-rank card in row 4's colour."""
    return kind in deck.low and deck.colours[kind] == supertrump


def suit_of(deck: Deck, kind: int, trump: int | None, supertrump: int | None) -> int:
    """A card's suit is its printed colour; a double agent's is the trump colour (SPEC 11.4)."""
    if deck.rules.supertrump_joins_trump and is_supertrump(deck, kind, supertrump):
        assert trump is not None  # where supertrumps join trump, there always is one
        return trump
    return deck.colours[kind]


@cache
def trumps_of(deck: Deck, trump: int | None, supertrump: int | None) -> Trumps:
    """The tables of every round with this trump and supertrump."""
    ladder = ladder_of(deck, trump, supertrump)
    led = [led_by_suit(deck, ladder, suit) for suit in range(len(deck.rules.colours))]
    by_kind = tuple(led[ladder.suit[ladder.rung[kind]]] for kind in deck.all_kinds)
    return Trumps(trump, supertrump, ladder, by_kind)


def ladder_of(deck: Deck, trump: int | None, supertrump: int | None) -> Ladder:
    """Supertrumps beat trumps, trumps the other cards; among each rank decides (SPEC 11.5)."""

    def strength(kind: int) -> tuple[bool, bool, int]:
        return (
            is_supertrump(deck, kind, supertrump),
            deck.colours[kind] == trump,
            deck.ranks[kind],
        )

    order: list[int] = sorted(range(deck.size), key=strength)
    suit = tuple(suit_of(deck, kind, trump, supertrump) for kind in order)
    return Ladder(
        kind=bytes(order) + bytes(range(deck.size, 256)),
        rung=bytes(map(order.index, range(deck.size))) + bytes(range(deck.size, 256)),
        suit=suit,
        low=tuple(kind in deck.low for kind in order),
        others=[
            bytes(rung for rung, its in enumerate(suit) if its != colour)
            for colour in range(len(deck.rules.colours))
        ],
        ruff=sum(strength(kind) < (False, True) for kind in order),
    )


def led_by_suit(deck: Deck, ladder: Ladder, suit: int) -> Led:
    """A card of this suit was led: the cards of other suits (SPEC 11.4), and the strengths."""
    rungs = ladder.rung[: deck.size]
    return (
        bytes(kind for kind, rung in enumerate(rungs) if ladder.suit[rung] != suit),
        tuple(
            rung if ladder.suit[rung] == suit or rung >= ladder.ruff else NO_POWER for rung in rungs
        ),
    )
