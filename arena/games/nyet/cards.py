"""The cards of a rule set, and the form in which hands are kept.

A *kind* is a colour and a rank; copies of a card are one kind, numbered by colour, then rank. A
hand is two `bytes` objects: the kinds held, ascending, each once; and the spare copies beyond the
first. So the first object lists the playable kinds, and the operations that a match is made of
(look a card up, find those that serve, take one out) are single calls of methods of bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.games.nyet.rulesets import RuleSet

BYTE: Final = tuple(bytes((n,)) for n in range(256))
"""For each number the `bytes` object of that one byte."""


class Deck:
    """The cards of a rule set."""

    def __init__(self, rules: RuleSet):
        self.rules = rules
        ranks = sorted(set(rules.ranks))
        colours = range(len(rules.colours))
        self.names = tuple(f"{colour}{rank}" for colour in rules.colours for rank in ranks)
        self.size = len(self.names)
        self._kinds = {name: kind for kind, name in enumerate(self.names)}
        self.all_kinds = bytes(range(self.size))
        self.colours = tuple(colour for colour in colours for _ in ranks)
        self.ranks = tuple(ranks) * len(colours)
        self.copies = tuple(rules.ranks.count(rank) for rank in self.ranks)
        self.low = bytes(kind for kind, rank in enumerate(self.ranks) if rank == rules.low)
        self.high = self.all_kinds.translate(None, self.low)
        self.is_low = tuple(rank == rules.low for rank in self.ranks)
        # By kind, True if there are several copies; and the kinds with one copy.
        self.several = tuple(copies > 1 for copies in self.copies)
        self.single = bytes(kind for kind, several in enumerate(self.several) if not several)

    def kinds_of(self, names: Sequence[str]) -> bytes:
        """Cards by their names."""
        try:
            return bytes(map(self._kinds.__getitem__, names))
        except KeyError as error:
            raise ValueError(f"{error} is no card of {self.rules.name}") from None

    def in_play(self, seats: int) -> bytes:
        """The cards that so many players use, as kinds in order, copies side by side."""
        out = self.rules.taken_out_with_three if seats == 3 else ()
        return bytes(
            kind
            for kind, rank in enumerate(self.ranks)
            for _ in range(self.copies[kind] - out.count(rank))
        )

    def sort_hand(self, cards: bytes) -> tuple[bytes, bytes]:
        """A hand of these cards: the kinds held, and the spare copies."""
        # All kinds less those not held: in half the time of sorting.
        kinds = self.all_kinds
        held = kinds.translate(None, kinds.translate(None, cards))
        if len(held) == len(cards):
            return held, b""
        spare = cards.translate(None, self.single)
        for kind in set(spare):
            spare = spare.replace(BYTE[kind], b"", 1)
        return held, spare
