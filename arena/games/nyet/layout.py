"""The places of all numbers in an observation of a trick game, at a table of one size.

An observation has three parts: the board, which does not change while tricks are played; the
cards; and the scores, which do not fit into a byte.
"""

from __future__ import annotations

from itertools import accumulate

from arena.games.nyet.phases import Phase


class Layout:
    """The sizes and the places of the parts; `arena.games.nyet.observe` has their meanings."""

    def __init__(self, kinds: int, boxes: bytes, seats: int, cards_each: int):
        self.kinds = kinds
        self.boxes = len(boxes)
        self.tricks = cards_each
        # By action, the place of its box among those of this table; 0 for what is no box.
        self.box = bytes(max(boxes.find(action), 0) for action in range(256))
        # Within the board.
        (self.dealer, self.first, self.team, self.bonus, self.open, self.tokens, self.board) = (
            accumulate((seats, seats, seats, seats, seats, len(boxes), seats * len(boxes)))
        )
        # Within the cards.
        (
            self.turn,
            self.leader,
            self.hand,
            self.given,
            self.received,
            self.trick,
            self.played,
            self.tricks_won,
            self.loot,
            self.cards,
            self.leaders,
            self.changing,
        ) = accumulate(
            (
                len(Phase),
                *(seats, seats),
                *(kinds, kinds, kinds),
                *(seats * kinds, seats * kinds),
                *(seats, seats),
                cards_each * seats,
                cards_each,
            )
        )
        # By observer, then by seat: the seat as the observer counts, itself being 0.
        self.relative = tuple(
            tuple((seat - observer) % seats for seat in range(seats)) for observer in range(seats)
        )
        # By observer, then by leader: the rows of a trick's cards in `played` and in `trick`, in
        # the order of play.
        orders = [
            [[(leader - observer + i) % seats for i in range(seats)] for leader in range(seats)]
            for observer in range(seats)
        ]
        self.played_rows, self.trick_rows = (
            tuple(
                tuple(tuple(part + seat * kinds for seat in order) for order in by_leader)
                for by_leader in orders
            )
            for part in (self.played, self.trick)
        )
        # By observer, for bytes.translate: seats as it counts them, from 1.
        self.from_one = tuple(
            bytes((seat - observer) % seats + 1 for seat in range(seats)) + bytes(256 - seats)
            for observer in range(seats)
        )


NEXT_BYTE = bytes((n + 1) % 256 for n in range(256))
"""For bytes.translate: one more."""
