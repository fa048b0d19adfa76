"""A hand summed up in one int, so that "holds a set" is one addition.

From the lowest bit: four lanes of seven bits, one for each colour, each counting the cards
in the hand that show it (at most 50 do); above them one bit for each kind held. Adding
64 - n to a lane sets its top bit exactly when the lane counts n cards or more.
"""

from __future__ import annotations

from arena.games.nope.cards import ALL_COLOURS, COLOURS, FIRST_ACTION_CARD, KINDS, SHOWS

_LANE_BITS = 7
_LANE_TOP = 1 << (_LANE_BITS - 1)
LANES_END = _LANE_BITS * len(COLOURS)
ACTION_CARDS_START = LANES_END + FIRST_ACTION_CARD


def _in_lanes(colours: int, value: int) -> int:
    return sum(value << _LANE_BITS * i for i in range(len(COLOURS)) if colours >> i & 1)


# For each set of colours: the top bits of their lanes.
TOPS: tuple[int, ...] = tuple(_in_lanes(bits, _LANE_TOP) for bits in range(ALL_COLOURS + 1))

# For each number of cards: added to a lane, it sets the top bit if the lane reaches the number.
REACH: tuple[int, ...] = tuple(_in_lanes(ALL_COLOURS, _LANE_TOP - n) for n in range(4))

# For each kind: one more card of it, and the first (or last) one of it in the hand.
ANOTHER: tuple[int, ...] = tuple(_in_lanes(shown, 1) for shown in SHOWS)
KIND_HELD: tuple[int, ...] = tuple(1 << (LANES_END + kind) for kind in range(len(KINDS)))
FIRST: tuple[int, ...] = tuple(lanes | held for lanes, held in zip(ANOTHER, KIND_HELD, strict=True))

# For each kind: the top bits of the lanes it counts in.
TOPS_SHOWN: tuple[int, ...] = tuple(TOPS[shown] for shown in SHOWS)


def kinds_showing(colours: int) -> int:
    """The kinds that show one of these colours, as the bits of a holding."""
    return sum(KIND_HELD[kind] for kind in range(len(KINDS)) if SHOWS[kind] & colours)


# The same, looked up by the top bits of those colours' lanes.
KINDS_SHOWING: dict[int, int] = {tops: kinds_showing(bits) for bits, tops in enumerate(TOPS)}


def holding(cards: bytes) -> int:
    """The int of this hand."""
    counted = 0
    kinds = 0
    for kind in cards:
        counted += ANOTHER[kind]
        kinds |= KIND_HELD[kind]
    return counted | kinds
