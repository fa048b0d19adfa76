"""The 104 cards: their kinds in their fixed order, copies, numbers and colours (SPEC 12.1).

A card is its kind, a small int; copies of a kind are one card. A hand, a pile or a set in
the making is `bytes` of kinds. Sets of colours are four bits, in the order of COLOURS.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

COLOURS = "RGBY"
COLOUR_WORDS = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
ALL_COLOURS = 0b1111

_ONE_COLOURED_COPIES = {1: 2, 2: 2, 3: 1}
_TWO_COLOURED_COPIES = {1: 4, 2: 4, 3: 3}
_EVERY_COLOUR = (*COLOURS,)
_PAIRS = tuple("".join(pair) for pair in combinations(COLOURS, 2))

# Name, copies, number (0: an action card), colours shown; [N1] fixes see-through and select.
_TABLE: tuple[tuple[str, int, int, str], ...] = (
    *((f"{c}{n}", k, n, c) for c in _EVERY_COLOUR for n, k in _ONE_COLOURED_COPIES.items()),
    *((f"{p}{n}", k, n, p) for p in _PAIRS for n, k in _TWO_COLOURED_COPIES.items()),
    ("J", 4, 1, COLOURS),
    ("X", 4, 0, COLOURS),
    *((f"T{c}", 1, 0, c) for c in _EVERY_COLOUR),
    *((f"S{c}", 1, 0, c) for c in _EVERY_COLOUR),
    ("S*", 2, 0, COLOURS),
)


def colour_bits(letters: str) -> int:
    """The set of these colours."""
    return sum(1 << COLOURS.index(letter) for letter in letters)


def colour_letters(bits: int) -> str:
    """These colours as text, in the order of COLOURS."""
    return "".join(letter for i, letter in enumerate(COLOURS) if bits >> i & 1)


def colour_list(letters: str) -> str:
    """Colours in words, for people: "red or green"."""
    return "any colour" if letters == COLOURS else " or ".join(COLOUR_WORDS[c] for c in letters)


KINDS: tuple[str, ...] = tuple(name for name, _, _, _ in _TABLE)
COPIES: tuple[int, ...] = tuple(copies for _, copies, _, _ in _TABLE)
NUMBERS: tuple[int, ...] = tuple(number for _, _, number, _ in _TABLE)
SHOWS: tuple[int, ...] = tuple(colour_bits(shown) for _, _, _, shown in _TABLE)
KIND_OF: dict[str, int] = {name: kind for kind, name in enumerate(KINDS)}

JOKER = KIND_OF["J"]
RESET = KIND_OF["X"]
SEE_THROUGHS = bytes(range(KIND_OF["TR"], KIND_OF["SR"]))
SELECTS = bytes(range(KIND_OF["SR"], len(KINDS)))
SELECT_ANY = KIND_OF["S*"]
FIRST_ACTION_CARD = RESET  # the action cards are the last kinds

# A pile of one card, for each kind.
ONE: tuple[bytes, ...] = tuple(bytes([kind]) for kind in range(len(KINDS)))

# All cards in kind order, copies adjacent: a deal shuffles these (SPEC 12.2).
DECK: bytes = b"".join(ONE[kind] * copies for kind, copies in enumerate(COPIES))
DECK_WITHOUT_ACTIONS: bytes = bytes(kind for kind in DECK if kind < FIRST_ACTION_CARD)


def deck(actions: bool) -> bytes:
    """The cards in play, with or without the 14 action cards (SPEC 12.8)."""
    return DECK if actions else DECK_WITHOUT_ACTIONS


def named(cards: Iterable[int]) -> list[str]:
    """The cards by name, in the order given."""
    return [KINDS[kind] for kind in cards]
