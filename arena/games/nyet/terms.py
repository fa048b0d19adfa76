"""What a settled board means for the tricks: which cards serve which, and which card takes.

SPEC 11.4 (following) and 11.5 (taking) as a table, one for each trump and supertrump.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from arena.games.nyet.cards import Deck
from arena.games.nyet.rulesets import Discard

SUPERTRUMP_POWER = 200
TRUMP_POWER = 100  # above every rank
RANK_POWER = 1  # above no power at all: the low rank may be 0
NO_POWER = 0


Led: TypeAlias = tuple[bytes, Sequence[int]]
"""What a card led means for its trick: the kinds that do not serve it, and by kind the strength:
the strongest takes, among equals the one played last. A plain pair: it is taken apart for every
card played."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The five open boxes of a round. Colours are indices; None: there is none."""

    first: int
    discard: Discard
    trump: int | None
    supertrump: int | None
    points: int
    led: Sequence[Led]  # by kind
    ladder: Ladder
    # As views have it: the five rows, and the boxes left open.
    words: Mapping[str, int | str]
    open_boxes: Sequence[str]


def is_supertrump(deck: Deck, kind: int, supertrump: int | None) -> bool:
    """A low-rank card in row 4's colour."""
    return kind in deck.low and deck.colours[kind] == supertrump


def suit_of(deck: Deck, kind: int, trump: int | None, supertrump: int | None) -> int:
    """A card's suit is its printed colour; a double agent's is the trump colour (SPEC 11.4)."""
    if deck.rules.supertrump_joins_trump and is_supertrump(deck, kind, supertrump):
        assert trump is not None  # where supertrumps join trump, there always is one
        return trump
    return deck.colours[kind]


@dataclass(frozen=True, slots=True)
class Ladder:
    """The kinds from the weakest to the strongest, as far as a round has such an order: a card
    takes from one of its suit below it, and from rung `ruff` up from one of any suit."""

    rung: bytes  # by kind; a table for bytes.translate
    kind: bytes  # by rung, likewise
    suit: Sequence[int]  # by rung
    others: Sequence[bytes]  # by suit: the rungs of the other suits
    ruff: int


@cache
def ladder_of(deck: Deck, trump: int | None, supertrump: int | None) -> Ladder:
    """The order of a round with this trump and supertrump (SPEC 11.5)."""

    def ruffs(kind: int) -> bool:
        return deck.colours[kind] == trump or is_supertrump(deck, kind, supertrump)

    def strength(kind: int) -> tuple[bool, bool, int]:
        return is_supertrump(deck, kind, supertrump), ruffs(kind), deck.ranks[kind]

    order: list[int] = sorted(range(deck.size), key=strength)
    kinds = bytes(order)
    suits = tuple(suit_of(deck, kind, trump, supertrump) for kind in kinds)
    return Ladder(
        bytes(map(kinds.index, range(deck.size))).ljust(256),
        kinds.ljust(256),
        suits,
        [
            bytes(rung for rung, other in enumerate(suits) if other != suit)
            for suit in range(len(deck.rules.colours))
        ],
        deck.size - sum(map(ruffs, kinds)),
    )


@cache
def led_table(deck: Deck, trump: int | None, supertrump: int | None) -> tuple[Led, ...]:
    """By kind led: the cards of other suits (SPEC 11.4); the strengths in that trick (11.5)."""
    suits = [suit_of(deck, kind, trump, supertrump) for kind in range(deck.size)]

    def power(kind: int, led: int) -> int:
        if is_supertrump(deck, kind, supertrump):
            return SUPERTRUMP_POWER
        if deck.colours[kind] == trump:
            return TRUMP_POWER + deck.ranks[kind]
        if deck.colours[kind] == led:
            return RANK_POWER + deck.ranks[kind]
        return NO_POWER

    by_suit = [
        (
            bytes(kind for kind in range(deck.size) if suits[kind] != led),
            tuple(power(kind, led) for kind in range(deck.size)),
        )
        for led in range(len(deck.rules.colours))
    ]
    return tuple(by_suit[suit] for suit in suits)
