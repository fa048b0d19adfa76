"""The cards of a rule set, and how hands are kept.

A *kind* is a colour and a rank; copies of a card are one kind, numbered by colour, then rank.
A hand is two bytes values: the kinds held, ascending, each once; and the spare copies beyond
the first. So the first of them is what may be played, and the operations that a match is made
of (is it held, what of it serves, take it out) are single calls of methods that bytes has.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from arena.games.nyet.rulesets import RuleSet

BYTE = tuple(bytes((n,)) for n in range(256))
"""A number as a bytes value of one."""

ALL = bytes(range(64))
"""More kinds than any rule set has."""


class Deck:
    """The cards of a rule set."""

    def __init__(self, rules: RuleSet):
        self.rules = rules
        ranks = sorted(set(rules.ranks))
        colours = range(len(rules.colours))
        self.names = tuple(f"{colour}{rank}" for colour in rules.colours for rank in ranks)
        self.size = len(self.names)
        self.colours = tuple(colour for colour in colours for _ in ranks)
        self.ranks = tuple(ranks) * len(colours)
        self.copies = tuple(rules.ranks.count(rank) for rank in self.ranks)
        self.low = bytes(kind for kind, rank in enumerate(self.ranks) if rank == rules.low)
        # For bytes.translate, from kinds: 1 for a low card, else 0.
        self.low_marks = bytes(kind in self.low for kind in range(256))
        # Kinds of which there are several copies: the low ones are among them.
        self.several = bytes(kind for kind, copies in enumerate(self.copies) if copies > 1)

    @cached_property
    def all_kinds(self) -> bytes:
        return bytes(range(self.size))

    def in_play(self, seats: int) -> bytes:
        """The cards that so many players use, as kinds in order, copies side by side."""
        out = self.rules.taken_out_with_three if seats == 3 else ()
        return bytes(
            kind
            for kind, rank in enumerate(self.ranks)
            for _ in range(self.copies[kind] - out.count(rank))
        )


def sort_hand(cards: bytes) -> tuple[bytes, bytes]:
    """A hand of these cards: the kinds held, and the spare copies."""
    # What is left of all kinds without those not held: in a third of the time of sorting.
    held = ALL.translate(None, ALL.translate(None, cards))
    if len(held) == len(cards):
        return held, b""
    in_order = sorted(cards)
    return held, bytes([kind for kind, after in pairwise(in_order) if kind == after])
