"""What a settled board means for the tricks: which cards serve which, and which card takes.

SPEC 11.4 (following) and 11.5 (taking) as tables, one pair for each trump and supertrump.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from arena.games.nyet.cards import Deck
from arena.games.nyet.rulesets import Discard

SUPERTRUMP_POWER = 200
TRUMP_POWER = 100  # above every rank
RANK_POWER = 1  # above no power at all: the low rank may be 0
NO_POWER = 0


@dataclass(frozen=True, slots=True)
class Terms:
    """The five open boxes of a round. Colours are indices; None: there is none."""

    first: int
    discard: Discard
    trump: int | None
    supertrump: int | None
    points: int
    suit: Sequence[int]  # by kind
    # By kind led: the kinds that do not serve it.
    others: Sequence[bytes]
    # By kind led, a table for bytes.translate from kinds to their strength: the strongest
    # takes; among equals the one played last.
    power: Sequence[bytes]
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


@cache
def suit_table(deck: Deck, trump: int | None, supertrump: int | None) -> tuple[int, ...]:
    """By kind, its suit: the index of a colour."""
    return tuple(suit_of(deck, kind, trump, supertrump) for kind in range(deck.size))


@cache
def others_table(deck: Deck, trump: int | None, supertrump: int | None) -> tuple[bytes, ...]:
    """By kind led, what does not serve it: the cards of other suits (SPEC 11.4)."""
    suits = suit_table(deck, trump, supertrump)
    others = [
        bytes(kind for kind in range(deck.size) if suits[kind] != suit)
        for suit in range(len(deck.rules.colours))
    ]
    return tuple(others[suit] for suit in suits)


@cache
def power_table(deck: Deck, trump: int | None, supertrump: int | None) -> tuple[bytes, ...]:
    """By kind led, the strength of every kind in that trick (SPEC 11.5)."""

    def power(kind: int, led: int) -> int:
        if is_supertrump(deck, kind, supertrump):
            return SUPERTRUMP_POWER
        if deck.colours[kind] == trump:
            return TRUMP_POWER + deck.ranks[kind]
        if deck.colours[kind] == led:
            return RANK_POWER + deck.ranks[kind]
        return NO_POWER

    by_suit = [
        bytes(power(kind, led) for kind in range(deck.size)).ljust(256, b"\0")
        for led in range(len(deck.rules.colours))
    ]
    return tuple(by_suit[suit] for suit in suit_table(deck, trump, supertrump))
