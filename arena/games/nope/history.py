"""The last turns of every seat, as everyone saw them (SPEC 12.9).

Turns happen far more often than anyone looks, above all in playouts. So a turn is written
down in a few bytes, and put into words when a view is asked for: the cards laid, each its
kind; then two bytes, one for the demand, one for the seat and the cards it drew; then a byte
for the choice of a select, if one was made. The bytes tell by their range which they are.
"""

from __future__ import annotations

import re

from arena.games.nope.actions import ACTIONS, FIRST_CHOICE, MOST_SEATS
from arena.games.nope.cards import KINDS
from arena.games.nope.demand import DEMANDS

KEPT_TURNS = 4

# A turn: its number, the count and the colours demanded, the number of cards drawn, then the names
# of the cards laid, and last the choice of a select if one was made.
Turn = tuple[int | str, ...]
Recent = tuple[tuple[Turn, ...], ...]

_DEMAND = 0x40
_SEAT = 0x80
_CHOICE = 0xA0
_WRITTEN = re.compile(rb"([\x00-\x3f]*)([\x40-\x7f])([\x80-\x9f])([\xa0-\xff]?)")
_name = KINDS.__getitem__

# Cards drawn in a turn are 0, 1 or 2.
DRAWS = 3

# For each demand, and within it for seat * DRAWS + drew: the two bytes after the cards laid.
MARKS: tuple[tuple[bytes, ...], ...] = tuple(
    tuple(bytes([_DEMAND + code, _SEAT + who]) for who in range(MOST_SEATS * DRAWS))
    for code in range(len(DEMANDS))
)

_DEMANDED = tuple((demand.count, demand.colours) for demand in DEMANDS.values())


def choice_mark(action: int) -> bytes:
    """The byte of a select's choice, after the turn that laid the select."""
    return bytes([_CHOICE + action - FIRST_CHOICE])


def tell(recent: Recent, written: bytes, turns: int) -> Recent:
    """The last turns, with those of `written` added in words; `turns` is the number of the last."""
    seats = list(recent)
    told = _WRITTEN.findall(written)
    number = turns - len(told)
    for laid, (demand,), (who,), choice in told:
        number += 1
        seat, drew = divmod(who - _SEAT, DRAWS)
        turn: Turn = (number, *_DEMANDED[demand - _DEMAND], drew, *map(_name, laid))
        if choice:
            turn += (ACTIONS.names[choice[0] - _CHOICE + FIRST_CHOICE],)
        seats[seat] = (*seats[seat][1 - KEPT_TURNS :], turn)
    return tuple(seats)


def tell_choice(recent: Recent, seat: int, action: int) -> Recent:
    """The last turns, with the choice of a select added to the last one of this seat."""
    *before, turn = recent[seat]
    turns = (*before, (*turn, ACTIONS.names[action]))
    return (*recent[:seat], turns, *recent[seat + 1 :])
