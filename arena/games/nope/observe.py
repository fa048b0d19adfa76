"""Observations of NOPE!: what a seat may know, as numbers (docs/library.md).

They are written from what the seat sees, a `SeenMatch`, which a state or a view tells. Another
seat's hand and the draw pile are only counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.games.interface import View
from arena.games.nope.actions import ACTIONS, FIRST_CHOICE
from arena.games.nope.cards import ALL_COLOURS, COLOURS, KIND_OF, KINDS, colour_letters
from arena.games.nope.history import KEPT_TURNS, Recent, Turn
from arena.games.nope.rules import NopeTable
from arena.games.nope.views import CHOOSE, LAY, OVER, PHASES, SET
from arena.games.observation import Observation, Observed, Part, counted, from_seat, marked
from arena.games.options import whole

if TYPE_CHECKING:
    from arena.games.nope.state import NopeState

VERSION = 1

MOST_LAID = 3
PHASES_MARKED = {phase: bytes(each == phase for each in PHASES) for phase in PHASES}
# By the number of cards that a demand asks for; 0: there is none.
COUNTS_MARKED = (b"\0\0\0", b"\1\0\0", b"\0\1\0", b"\0\0\1")
# By the letters of some colours: 1 for each of these.
COLOURS_MARKED = {
    letters: bytes(
        marked([place for place in range(len(COLOURS)) if bits >> place & 1], len(COLOURS))
    )
    for bits in range(ALL_COLOURS + 1)
    for letters in [colour_letters(bits)]
}
# Of a turn in `recent`: its count, its colours, the cards drawn, the cards laid, the choice.
TURN_SIZE = 1 + len(COLOURS) + 1 + MOST_LAID + 1
MOST_CHOICE = len(ACTIONS) - FIRST_CHOICE
_NO_DEMAND: Mapping[str, Any] = {"count": 0, "colours": ""}


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
        Part(
            "demand_count",
            (len(COUNTS_MARKED[0]),),
            "1 for the number of cards demanded: 1, 2 or 3",
        ),
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


def observed(seen: SeenMatch) -> Observed:
    """The numbers of an observation."""
    me, discard = seen.seat, seen.discard
    seats, kinds = len(seen.hand_sizes), len(KINDS)
    out = [0] * seats
    for number, seat in enumerate(seen.out, 1):
        out[seat] = number
    by, to = seen.choice or (None, None)
    numbers = bytearray().join(
        (
            marked([me], seats),
            marked_seat(me, seen.dealer, seats),
            PHASES_MARKED[seen.phase],
            marked_seat(me, seen.turn, seats),
            counted(seen.hand, kinds),
            counted(seen.chosen, kinds),
            bytes(from_seat(me, seen.hand_sizes)),
            COUNTS_MARKED[seen.demand_count],
            COLOURS_MARKED[seen.demand_colours],
            marked_seat(me, by, seats),
            marked_seat(me, to, seats),
            counted(discard, kinds),
            marked(discard[-1:], kinds),
            bytes((seen.draw_pile, *from_seat(me, out), seen.drew)),
            *map(turns_as_numbers, from_seat(me, seen.recent)),
        )
    )
    return numbers, (seen.turns, seen.max_turns)


def marked_seat(me: int, seat: int | None, seats: int) -> bytearray:
    """Return a number for each seat, from the observer `me` on: 1 for `seat`, 0 for all others."""
    numbers = bytearray(seats)
    if seat is not None:
        numbers[(seat - me) % seats] = 1
    return numbers


@lru_cache(maxsize=4096)
def turns_as_numbers(turns: tuple[Turn, ...]) -> bytes:
    """The last turns of a seat, with zeros in place of those that it has not taken yet."""
    told = b"".join(map(turn_as_numbers, turns))
    return told.ljust(KEPT_TURNS * TURN_SIZE, b"\0")


def turn_as_numbers(turn: Turn) -> bytes:
    _, count, letters, drew, *rest = turn
    laid = [KIND_OF[str(name)] + 1 for name in rest if name in KIND_OF]
    choices = [ACTIONS.code(name) - FIRST_CHOICE + 1 for name in rest if name not in KIND_OF]
    colours = COLOURS_MARKED[str(letters)]
    none_laid = [0] * (MOST_LAID - len(laid))
    return bytes([int(count), *colours, int(drew), *laid, *none_laid, *(choices or [0])])


class SeenMatch(NamedTuple):
    """The fields of a view that are in observations; `seat` is at the table."""

    seat: int
    dealer: int
    phase: str
    turn: int | None
    hand: bytes
    chosen: bytes
    hand_sizes: Sequence[int]
    demand_count: int  # 0: there is no demand
    demand_colours: str
    choice: tuple[int, int] | None  # the seat that made it, the seat it named
    discard: bytes
    draw_pile: int
    out: Sequence[int]
    drew: int
    recent: Recent
    turns: int
    max_turns: int


def seen_by(state: NopeState, me: int) -> SeenMatch:
    """What this seat sees of a match."""
    table, turn = state.table, state.seat
    sizes = [*map(len, state.hands)]
    phase, chosen = LAY, b""
    count, colours, choice = 0, "", None
    if state.chosen:
        sizes[turn] += len(state.chosen)
        if me == turn:
            phase, chosen = SET, state.chosen
    if turn < 0:
        phase = OVER
    elif state.selecting >= 0:
        phase = CHOOSE
    else:
        count, colours, choice = state.demand.count, state.demand.colours, state.choice
    return SeenMatch(
        me,
        table.dealer,
        phase,
        turn if turn >= 0 else None,
        state.hands[me],
        chosen,
        sizes,
        count,
        colours,
        choice,
        state.discard,
        len(state.draw_pile),
        state.out,
        state.drew,
        state.recent_turns(),
        state.turns,
        table.max_turns,
    )


def seen_in(view: View) -> SeenMatch:
    """What a view tells its seat; nothing is dealt for it.

    Raises any of BAD_VALUES (`arena.games.derived`) where this is no view.
    """
    demand, choice = view["demand"] or _NO_DEMAND, view["choice"]
    return SeenMatch(
        view["seat"],
        view["dealer"],
        view["phase"],
        view["turn"],
        _cards(view["hand"]),
        _cards(view["chosen"]),
        [view["hand_sizes"][seat] for seat in range(view["seats"])],
        demand["count"],
        demand["colours"],
        None if choice is None else (choice["by"], choice["to"]),
        _cards(view["discard"]),
        view["draw_pile"],
        view["out"],
        view["drew"],
        tuple([tuple(map(tuple, turns)) for turns in view["recent"]]),
        whole(view["turns"]),
        whole(view["options"]["max_turns"]),
    )


def _cards(names: Sequence[str]) -> bytes:
    return bytes([KIND_OF[name] for name in names])
