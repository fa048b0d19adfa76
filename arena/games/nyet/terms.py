"""The meaning of a settled board for the tricks: which cards serve which, and which card takes.

SPEC 11.4 (following) and 11.5 (taking) as tables, one set for each trump and supertrump.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias, TypeVar

from arena.games.nyet.cards import Deck
from arena.games.nyet.rulesets import Discard

Hand = TypeVar("Hand", bytes, bytearray)

NO_POWER = -1  # the strength of a card that does not serve and is no trump: below every rung


@dataclass(frozen=True, slots=True)
class Ladder:
    """The kinds of a round in order, each on a rung, from the weakest to the strongest.

    A card takes from lower cards of its own suit; from rung `ruff` up it takes from any suit.
    """

    kind: bytes  # by rung; a table for bytes.translate
    rung: bytes  # by kind, likewise
    not_led: bytes  # the rungs of Trumps.not_led
    suit: tuple[int, ...]  # by rung: the index of a colour
    low: tuple[bool, ...]  # by rung
    others: Sequence[bytes]  # by suit: the rungs of the other suits
    ruff: int


Led: TypeAlias = tuple[bytes, tuple[int, ...]]
"""The meaning of the card led for its trick: the kinds that do not serve it, and by kind the
strength: the strongest takes, among equals the one played last. A plain pair, for it is taken
apart at every card played."""


@dataclass(frozen=True, slots=True)
class Trumps:
    """The meaning of rows 3 and 4 for the tricks. Colours are indices; None: there is none.

    These tables alone say which cards may be led, which must follow and which card takes;
    positions, playouts and imagined states read them.
    """

    trump: int | None
    supertrump: int | None
    ladder: Ladder
    not_led: bytes  # the kinds that may not be led while others are held
    led: tuple[Led, ...]  # by kind


@dataclass(frozen=True)
class Terms:
    """The five open boxes of a round, by name, and their meaning."""

    open_boxes: Sequence[str]
    first: int
    discard: Discard
    trumps: Trumps
    points: int

    @cached_property
    def words(self) -> Mapping[str, int | str]:
        """The fields of a view. Made when first asked for: search bots look at few rounds."""
        _, discard, trump, supertrump, _ = (box.split(":")[1] for box in self.open_boxes)
        return {
            "first": self.first,
            "discard": discard,
            "trump": trump,
            "supertrump": supertrump,
            "points": self.points,
        }


def is_supertrump(deck: Deck, kind: int, supertrump: int | None) -> bool:
    """True for a low-rank card in row 4's colour."""
    return kind in deck.low and deck.colours[kind] == supertrump


def suit_of(deck: Deck, kind: int, trump: int | None, supertrump: int | None) -> int:
    """A card's suit is its printed colour; a double agent's is the trump colour (SPEC 11.4)."""
    if deck.rules.supertrump_joins_trump and is_supertrump(deck, kind, supertrump):
        assert trump is not None  # a rule set in which supertrumps join trump always has one
        return trump
    return deck.colours[kind]


@cache
def trumps_of(deck: Deck, trump: int | None, supertrump: int | None) -> Trumps:
    """The tables of every round with this trump and supertrump."""
    barred = not_led(deck, trump, supertrump)
    ladder = ladder_of(deck, trump, supertrump, barred)
    led = [led_by_suit(deck, ladder, suit) for suit in range(len(deck.rules.colours))]
    by_kind = tuple(led[ladder.suit[ladder.rung[kind]]] for kind in deck.all_kinds)
    return Trumps(trump, supertrump, ladder, barred, by_kind)


def not_led(deck: Deck, trump: int | None, supertrump: int | None) -> bytes:
    """The kinds that may not be led while others are held: in these rule sets none (SPEC 11.4)."""
    return b""


def may_play(hand: Hand, barred: bytes) -> Hand:
    """Return the cards of a hand that may be led, played to a trick, or given away.

    These are all that are not barred; if all are barred, all of them.
    """
    return hand.translate(None, barred) or hand


def ladder_of(deck: Deck, trump: int | None, supertrump: int | None, barred: bytes) -> Ladder:
    """Order the kinds by strength: supertrumps, trumps, others; in each by rank (SPEC 11.5)."""

    def strength(kind: int) -> tuple[bool, bool, int]:
        return (
            is_supertrump(deck, kind, supertrump),
            deck.colours[kind] == trump,
            deck.ranks[kind],
        )

    order: list[int] = sorted(range(deck.size), key=strength)
    suit = tuple(suit_of(deck, kind, trump, supertrump) for kind in order)
    rung = bytes(map(order.index, range(deck.size))) + bytes(range(deck.size, 256))
    return Ladder(
        kind=bytes(order) + bytes(range(deck.size, 256)),
        rung=rung,
        not_led=barred.translate(rung),
        suit=suit,
        low=tuple(kind in deck.low for kind in order),
        others=[
            bytes(rung for rung, its in enumerate(suit) if its != colour)
            for colour in range(len(deck.rules.colours))
        ],
        ruff=sum(strength(kind) < (False, True) for kind in order),
    )


def led_by_suit(deck: Deck, ladder: Ladder, suit: int) -> Led:
    """The entry for a card of this suit led: the kinds of other suits (SPEC 11.4); strengths."""
    rungs = ladder.rung[: deck.size]
    return (
        bytes(kind for kind, rung in enumerate(rungs) if ladder.suit[rung] != suit),
        tuple(
            rung if ladder.suit[rung] == suit or rung >= ladder.ruff else NO_POWER for rung in rungs
        ),
    )
