"""All actions of the game, in their fixed order (SPEC 12.10), and tuples of them by bit mask."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.interface import Actions
from arena.games.nope.cards import COLOURS, FIRST_ACTION_CARD, KINDS

MOST_SEATS = 6
_COUNTS = (1, 2, 3)

_ALONE_NAMES = tuple(f"{name}!" for name in KINDS[FIRST_ACTION_CARD:])
_CHOICES = tuple((seat, count, 0) for seat in range(MOST_SEATS) for count in _COUNTS)
_COLOUR_CHOICES = tuple(
    (seat, count, 1 << i)
    for seat in range(MOST_SEATS)
    for count in _COUNTS
    for i in range(len(COLOURS))
)

# The first action of each group.
FIRST_ALONE = len(KINDS)
DRAW = FIRST_ALONE + len(_ALONE_NAMES)
FIRST_CHOICE = DRAW + 1
FIRST_COLOUR_CHOICE = FIRST_CHOICE + len(_CHOICES)

ACTIONS = Actions(
    (
        *KINDS,
        *_ALONE_NAMES,
        "draw",
        *(f"to{seat}:{count}" for seat, count, _ in _CHOICES),
        *(
            f"to{seat}:{count}{COLOURS[colour.bit_length() - 1]}"
            for seat, count, colour in _COLOUR_CHOICES
        ),
    ),
    {
        "cards": range(FIRST_ALONE),
        "alone": range(FIRST_ALONE, DRAW),
        "draw": range(DRAW, FIRST_CHOICE),
        "choices": range(FIRST_CHOICE, FIRST_COLOUR_CHOICE),
        "colour_choices": range(FIRST_COLOUR_CHOICE, FIRST_COLOUR_CHOICE + len(_COLOUR_CHOICES)),
    },
)

# An action card laid alone: its kind is the action less this.
ALONE_LESS_KIND = FIRST_ALONE - FIRST_ACTION_CARD

# For each action that is a choice: the seat it names, the count, and the colour as a bit; 0 is the
# colour of the select card itself.
CHOICE_OF: dict[int, tuple[int, int, int]] = {
    FIRST_CHOICE + i: choice for i, choice in enumerate(_CHOICES + _COLOUR_CHOICES)
}


class Masked(dict[int, tuple[int, ...]]):
    """Tuples of actions by bit mask: bits from `start` on stand for the actions, ascending.

    Each is made when first asked for. The map is emptied when it holds MOST_MASKS, so that a
    long run does not grow. A thousand matches ask for fewer than a tenth of that.
    """

    MOST_MASKS = 1 << 14

    def __init__(self, start: int, actions: Sequence[int], always: tuple[int, ...] = ()):
        super().__init__()
        self._bits = tuple((1 << (start + i), action) for i, action in enumerate(actions))
        self._always = always

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) >= self.MOST_MASKS:
            self.clear()
        chosen = tuple(action for bit, action in self._bits if mask & bit) + self._always
        self[mask] = chosen
        return chosen
