"""Observations of NOPE!: what a seat may know, as numbers (docs/library.md).

They are built from the same knowledge as views (`arena.games.nope.views`): another seat's hand and
the draw pile are only counted.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from arena.games.nope.actions import ACTIONS, FIRST_CHOICE
from arena.games.nope.cards import COLOURS, KIND_OF, KINDS, colour_bits
from arena.games.nope.history import KEPT_TURNS, Turn
from arena.games.nope.rules import NopeTable
from arena.games.nope.views import CHOOSE, LAY, OVER, PHASES, SET
from arena.games.observation import Observation, Observed, Part, counted, from_seat, marked

if TYPE_CHECKING:
    from arena.games.nope.state import NopeState

VERSION = 1

COUNTS = 3  # of cards that a demand asks for: 1 to 3
MOST_LAID = 3
PHASE_PLACE = {phase: place for place, phase in enumerate(PHASES)}
COLOUR_PLACES = tuple(
    tuple(place for place in range(len(COLOURS)) if bits >> place & 1)
    for bits in range(1 << len(COLOURS))
)
# Of a turn in `recent`: its count, its colours, the cards drawn, the cards laid, the choice.
TURN_SIZE = 1 + len(COLOURS) + 1 + MOST_LAID + 1
MOST_CHOICE = len(ACTIONS) - FIRST_CHOICE


def observation(table: NopeTable, cards: int) -> Observation:
    """The layout of all observations at this table; `cards` are in the deck."""
    seats, kinds, colours = table.seats, len(KINDS), len(COLOURS)
    parts = (
        Part("seat", (seats,), "1 for the number of your seat; all other parts count from you"),
        Part("dealer", (seats,), "1 for the dealer"),
        Part("phase", (len(PHASES),), "1 for the phase: lay, set, choose or over"),
        Part("turn", (seats,), "1 for the seat that owes a decision"),
        Part("hand", (kinds,), "by card, the copies you hold", high=4),
        Part("chosen", (kinds,), "by card, the copies in the set you have begun", high=MOST_LAID),
        Part("hand_sizes", (seats,), "by seat, the cards held, a set begun included", high=cards),
        Part("demand_count", (COUNTS,), "1 for the number of cards demanded: 1, 2 or 3"),
        Part("demand_colours", (colours,), "1 for each colour demanded"),
        Part("choice_by", (seats,), "1 for the seat whose choice made the demand"),
        Part("choice_to", (seats,), "1 for the seat that this choice named"),
        Part("discard", (kinds,), "by card, the copies in the discard pile", high=4),
        Part("top", (kinds,), "1 for its top card"),
        Part("draw_pile", (1,), "how many cards the draw pile has", high=cards),
        Part("out", (seats,), "by seat, 0 if it holds cards, else how many went out by then", 0, 6),
        Part("drew", (1,), "cards drawn so far in the turn being taken", high=2),
        Part(
            "recent",
            (seats, KEPT_TURNS, TURN_SIZE),
            "by seat, its last four turns, oldest first, unused ones 0 at the end: the count "
            "demanded; 1 for each colour demanded; the cards drawn; the cards laid, each as its "
            "number from 1, or 0; the choice of a select, as its number from 1, or 0",
            high=max(kinds, MOST_CHOICE),
        ),
        Part("turns", (1,), "turns finished so far, by all seats together", high=table.max_turns),
        Part("max_turns", (1,), "the match is stopped after so many", 1, table.max_turns),
    )
    return Observation(table.game.name, seats, VERSION, parts)


def observed(state: NopeState, me: int) -> Observed:
    """The numbers of an observation, for a seat at the table."""
    table, turn = state.table, state.seat
    seats, kinds = table.seats, len(KINDS)
    sizes = [*map(len, state.hands)]
    phase, chosen = LAY, b""
    counts: list[int] = []
    colours: tuple[int, ...] = ()
    by: list[int] = []
    to: list[int] = []
    if state.chosen:
        sizes[turn] += len(state.chosen)
        if me == turn:
            phase, chosen = SET, state.chosen
    if turn < 0:
        phase = OVER
    elif state.selecting >= 0:
        phase = CHOOSE
    else:
        counts = [state.demand.count - 1]
        colours = COLOUR_PLACES[colour_bits(state.demand.colours)]
        if state.choice is not None:
            by, to = ([(seat - me) % seats] for seat in state.choice)
    out = [0] * seats
    for number, seat in enumerate(state.out, 1):
        out[seat] = number
    shown = state.recent_turns()
    numbers = bytearray().join(
        (
            marked([me], seats),
            marked([(table.dealer - me) % seats], seats),
            marked([PHASE_PLACE[phase]], len(PHASES)),
            marked([(turn - me) % seats] if turn >= 0 else [], seats),
            counted(state.hands[me], kinds),
            counted(chosen, kinds),
            bytes(from_seat(me, sizes)),
            marked(counts, COUNTS),
            marked(colours, len(COLOURS)),
            marked(by, seats),
            marked(to, seats),
            counted(state.discard, kinds),
            marked(state.discard[-1:], kinds),
            bytes((len(state.draw_pile), *from_seat(me, out), state.drew)),
            *map(turns_as_numbers, (*shown[me:], *shown[:me])),
        )
    )
    return numbers, (state.turns, table.max_turns)


@lru_cache(maxsize=4096)
def turns_as_numbers(turns: tuple[Turn, ...]) -> bytes:
    """The last turns of a seat, with zeros in place of those that it has not taken yet."""
    told = b"".join(map(turn_as_numbers, turns))
    return told.ljust(KEPT_TURNS * TURN_SIZE, b"\0")


def turn_as_numbers(turn: Turn) -> bytes:
    _, count, letters, drew, *rest = turn
    laid = [KIND_OF[str(name)] + 1 for name in rest if name in KIND_OF]
    choices = [ACTIONS.code(name) - FIRST_CHOICE + 1 for name in rest if name not in KIND_OF]
    colours = marked(COLOUR_PLACES[colour_bits(str(letters))], len(COLOURS))
    none_laid = [0] * (MOST_LAID - len(laid))
    return bytes([int(count), *colours, int(drew), *laid, *none_laid, *(choices or [0])])
