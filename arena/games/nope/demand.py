"""Demands: the count of cards to lay and the colours they may show (SPEC 12.3)."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.nope.cards import (
    ALL_COLOURS,
    FIRST_ACTION_CARD,
    JOKER,
    KINDS,
    NUMBERS,
    RESET,
    SEE_THROUGHS,
    SHOWS,
    colour_letters,
    colour_list,
)
from arena.games.nope.holdings import ACTION_CARDS_START, REACH, TOPS, kinds_showing


@dataclass(frozen=True, slots=True)
class Demand:
    """`count` cards that all show one same colour of `colours`.

    There are 45 of them, made once; the last fields spare the state some arithmetic:
    a hand holds a set exactly when `holding + reach` has one of the bits of `tops`.
    """

    code: int  # from 0, in the order of DEMANDS
    count: int
    colours: str
    reach: int
    tops: int
    alone: int  # action cards that fit on it as actions, where that differs from a set

    def __str__(self) -> str:
        cards = "1 card" if self.count == 1 else f"{self.count} cards"
        same = ", all the same" if self.count > 1 and len(self.colours) > 1 else ""
        return f"{cards} showing {colour_list(self.colours)}{same}"


def _demand(count: int, colours: int) -> Demand:
    # With a count of 1 an action card laid alone is a set (SPEC 12.4).
    fitting = kinds_showing(colours) >> ACTION_CARDS_START << ACTION_CARDS_START
    return Demand(
        code=(count - 1) * ALL_COLOURS + colours - 1,
        count=count,
        colours=colour_letters(colours),
        reach=REACH[count],
        tops=TOPS[colours],
        alone=fitting if count > 1 else 0,
    )


# By count and colours, as bits.
DEMANDS: dict[tuple[int, int], Demand] = {
    (count, colours): _demand(count, colours)
    for count in (1, 2, 3)
    for colours in range(1, ALL_COLOURS + 1)
}


def _set_by(kind: int) -> Demand | None:
    if kind in (JOKER, RESET):
        return DEMANDS[1, ALL_COLOURS]
    if kind >= FIRST_ACTION_CARD:
        return None
    return DEMANDS[NUMBERS[kind], SHOWS[kind]]


# For each kind: the demand it sets when it lies on top; None where that is not the card's own:
# a see-through takes the demand of the card below it, a select the choice of its player.
SET_BY: tuple[Demand | None, ...] = tuple(_set_by(kind) for kind in range(len(KINDS)))


def opening_demand(kind: int) -> Demand | None:
    """The demand of the first open card; None: a select, to be chosen for (SPEC 12.6)."""
    if kind in SEE_THROUGHS:
        return DEMANDS[1, SHOWS[kind]]
    return SET_BY[kind]


def ruling_card(laid: bytes) -> int | None:
    """The card, of those just laid, that rules the next demand; None: the old one stays in force.

    The last card rules. A see-through looks at the card laid just before it [N7]; laid alone,
    it leaves in force the demand of the card below it (SPEC 12.3).
    """
    kind = laid[-1]
    if kind not in SEE_THROUGHS:
        return kind
    under = laid.rstrip(SEE_THROUGHS)
    return under[-1] if under else None
