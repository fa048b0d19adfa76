"""Legal actions; no other module decides about them (SPEC 12.4, 12.5).

Hands come as holdings (holdings.py); their upper bits are the kinds held. They have too many
values to cache an answer for each, so answers are cached for their two halves.
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
_LOW_HALF = (1 << (LANES_END + _HALF)) - (1 << LANES_END)
_HIGH_HALF = (1 << (LANES_END + len(KINDS))) - (1 << (LANES_END + _HALF))

_low = Masked(LANES_END, range(_HALF))
_high = Masked(LANES_END + _HALF, range(_HALF, len(KINDS)))
_alone = Masked(ACTION_CARDS_START, range(FIRST_ALONE, DRAW))
_alone_or_draw = Masked(ACTION_CARDS_START, range(FIRST_ALONE, DRAW), always=(DRAW,))


def sets_held(held: int, demand: Demand) -> int:
    """The colours in which a hand holds a set, as the top bits of their lanes (SPEC 12.3)."""
    return held + demand.reach & demand.tops


def lay_or_draw(held: int, demand: Demand) -> tuple[int, ...]:
    """The actions that a turn may begin with (SPEC 12.4).

    A player with a set must lay one, of which any card may be the first, or lay one fitting
    action card alone. A player without draws, or lays a fitting action card alone.
    """
    completable = held + demand.reach & demand.tops  # sets_held, spared the call
    if not completable:
        return _alone_or_draw[held & demand.alone]
    mask = held & KINDS_SHOWING[completable]
    alone = held & demand.alone
    if alone:
        return _low[mask & _LOW_HALF] + _high[mask & _HIGH_HALF] + _alone[alone]
    return _low[mask & _LOW_HALF] + _high[mask & _HIGH_HALF]


def lay_more(held: int, completable: int) -> tuple[int, ...]:
    """The cards that go on with a set, in colours in which it can be completed (SPEC 12.4)."""
    mask = held & KINDS_SHOWING[completable]
    return _low[mask & _LOW_HALF] + _high[mask & _HIGH_HALF]


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
    """The choices for a select: another player in the game, a count, perhaps a colour (12.5)."""
    others = sum(1 << seat for seat, hand in enumerate(hands) if hand and seat != by)
    return (_NAMING_COLOUR if select == SELECT_ANY else _NAMING)[others]
