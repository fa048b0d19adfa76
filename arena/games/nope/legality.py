"""What a seat may do now: the only place that knows (SPEC 12.4, 12.5).

Hands come as holdings (holdings.py), whose bits are the kinds held. A mask of all 41 kinds has
too many values to keep an answer for each, so answers are kept for its two halves.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.nope.actions import (
    DRAW,
    FIRST_ALONE,
    FIRST_CHOICE,
    FIRST_COLOUR_CHOICE,
    MOST_SEATS,
    Masked,
)
from arena.games.nope.cards import COLOURS, KINDS, SELECT_ANY
from arena.games.nope.demand import Demand
from arena.games.nope.holdings import ACTION_CARDS_START, KINDS_SHOWING, LANES_END

_HALF = 21
_LOW_HALF = (1 << _HALF) - 1

_low = Masked(range(_HALF))
_high = Masked(range(_HALF, len(KINDS)))
_alone = Masked(range(FIRST_ALONE, DRAW))

DRAW_ONLY = (DRAW,)


def lay_of_set(held: int, completable: int) -> tuple[int, ...]:
    """Every card that belongs to a set may begin it, or go on with it (SPEC 12.4).

    `completable` has the colours in which the hand, with what is chosen already, holds a set.
    """
    mask = (held & KINDS_SHOWING[completable]) >> LANES_END
    return _low[mask & _LOW_HALF] + _high[mask >> _HALF]


def lay(held: int, demand: Demand, completable: int) -> tuple[int, ...]:
    """Who holds a set lays one, or one fitting action card alone; no drawing (SPEC 12.4)."""
    mask = (held & KINDS_SHOWING[completable]) >> LANES_END
    alone = held & demand.alone
    if alone:
        return _low[mask & _LOW_HALF] + _high[mask >> _HALF] + _alone[alone >> ACTION_CARDS_START]
    return _low[mask & _LOW_HALF] + _high[mask >> _HALF]


def lay_alone_or_draw(held: int, demand: Demand) -> tuple[int, ...]:
    """Who holds no set draws, or lays one fitting action card alone (SPEC 12.4)."""
    return _alone[(held & demand.alone) >> ACTION_CARDS_START] + DRAW_ONLY


def _choices(seats: int, first: int, for_each_seat: int) -> tuple[int, ...]:
    return tuple(
        first + seat * for_each_seat + i
        for seat in range(MOST_SEATS)
        if seats >> seat & 1
        for i in range(for_each_seat)
    )


# For each set of seats that may be named, as bits: the choices of a select.
_NAMING = tuple(_choices(seats, FIRST_CHOICE, 3) for seats in range(1 << MOST_SEATS))
_NAMING_COLOUR = tuple(
    _choices(seats, FIRST_COLOUR_CHOICE, 3 * len(COLOURS)) for seats in range(1 << MOST_SEATS)
)


def choices(select: int, by: int, hands: Sequence[bytes]) -> tuple[int, ...]:
    """A select names another player still in the game, a count, perhaps a colour (12.5)."""
    others = sum(1 << seat for seat, hand in enumerate(hands) if hand and seat != by)
    return (_NAMING_COLOUR if select == SELECT_ANY else _NAMING)[others]
