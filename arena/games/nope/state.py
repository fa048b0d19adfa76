"""A match of NOPE! in progress: turns, from a first open card to the end (SPEC 12.3 to 12.7).

What a seat may do is legality.py's, what it may see views.py's. The state keeps the demand
in force as a value, so nothing is lost when the cards that set it are shuffled away [N4].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.games.chance import shuffle
from arena.games.interface import Outcome, View
from arena.games.nope.actions import (
    ACTIONS,
    ALONE_LESS_KIND,
    CHOICE_OF,
    DRAW,
    FIRST_ALONE,
    FIRST_CHOICE,
    MOST_SEATS,
)
from arena.games.nope.cards import ALL_COLOURS, KINDS, ONE, SHOWS
from arena.games.nope.demand import DEMANDS, SET_BY, opening_demand, ruling_card
from arena.games.nope.holdings import ANOTHER, FIRST, TOPS_SHOWN, holding
from arena.games.nope.legality import choices, lay, lay_alone_or_draw, lay_of_set
from arena.games.nope.refusals import refusal
from arena.games.nope.views import view
from arena.games.options import Value

NOBODY = -1
NO_SELECT = -1
KEPT_TURNS = 4

# Who acts, by seat; the last place answers for NOBODY.
_TO_ACT: tuple[tuple[int, ...], ...] = (*((seat,) for seat in range(MOST_SEATS)), ())

# A turn as everyone saw it; `views.FIELDS` says what is in it.
Turn = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """What does not change during a match."""

    seats: int
    dealer: int
    max_turns: int
    draws: int  # cards drawn at once
    seed: bytes
    options: Mapping[str, Value]  # every one, with its effective value

    def shown_options(self) -> dict[str, Value]:
        """The options as a view shows them, for the reader to keep."""
        shown = dict(self.options)
        hand = shown["hand"]
        if isinstance(hand, list):
            shown["hand"] = hand[:]
        return shown


class State:
    """A match in progress."""

    __slots__ = (
        "choice",
        "chosen",
        "completable",
        "demand",
        "discard",
        "draw_pile",
        "drew",
        "hands",
        "holdings",
        "legal_now",
        "out",
        "recent",
        "reshuffles",
        "seat",
        "selecting",
        "table",
        "turns",
    )

    def __init__(self, table: Table, hands: list[bytes], discard: bytes, draw_pile: bytes):
        """The first turn begins, on the top card of the discard pile (SPEC 12.6)."""
        self.table = table
        self.hands = hands
        self.holdings = [holding(hand) for hand in hands]
        self.discard = discard  # bottom to top
        self.draw_pile = draw_pile  # drawn from the front
        self.reshuffles = 0
        self.out: tuple[int, ...] = ()
        self.turns = 0
        self.recent: list[tuple[Turn, ...]] = [()] * table.seats
        self.choice: tuple[int, int] | None = None  # in force: who made it, for whom
        self.chosen = b""
        self.selecting = NO_SELECT
        top = discard[-1]
        demand = opening_demand(top)
        # Nobody plays to this stand-in: a select's choice puts the real demand in its place.
        self.demand = demand or DEMANDS[1, ALL_COLOURS]
        self.begin_turn((table.dealer + 1) % table.seats)
        if demand is None:
            self.ask_choice(top)

    def __repr__(self) -> str:
        to_act = "over" if self.seat == NOBODY else f"seat {self.seat} to act"
        hands = " ".join(str(len(hand)) for hand in self.hands)
        return f"<nope turn {self.turns}, {to_act}, demand {self.demand}, hands {hands}>"

    def copy(self) -> State:
        """A state of its own; nothing done to one shows in the other."""
        new = State.__new__(State)
        new.table = self.table
        new.hands = self.hands[:]
        new.holdings = self.holdings[:]
        new.discard = self.discard
        new.draw_pile = self.draw_pile
        new.reshuffles = self.reshuffles
        new.out = self.out
        new.turns = self.turns
        new.recent = self.recent[:]
        new.choice = self.choice
        new.chosen = self.chosen
        new.selecting = self.selecting
        new.legal_now = self.legal_now
        new.demand = self.demand
        new.seat = self.seat
        new.completable = self.completable
        new.drew = self.drew
        return new

    def to_act(self) -> tuple[int, ...]:
        """The one seat that owes a decision; empty when the match is over."""
        return _TO_ACT[self.seat]

    def legal(self, seat: int) -> tuple[int, ...]:
        """What this seat may do now; nothing for a seat that owes no decision."""
        return self.legal_now if seat == self.seat else ()

    def apply(self, seat: int, action: int) -> None:
        """Play it, or raise a RefusedAction and leave the state as it was."""
        if (
            type(action) is not int
            or type(seat) is not int
            or seat != self.seat
            or action not in self.legal_now
        ):
            raise refusal(self, seat, action)
        self.play(action)

    def view(self, seat: int | None) -> View:
        """All that this seat may know; None is a spectator."""
        return view(self, seat)

    def outcome(self) -> Outcome | None:
        """Cards held are the scores; places are won by holding on to them (SPEC 12.4)."""
        if self.seat != NOBODY:
            return None
        scores = tuple(len(hand) for hand in self.hands)
        ending = "last" if self.has_one_left() else "turns"
        return Outcome(scores, places(scores, self.out), ending)

    def has_one_left(self) -> bool:
        """Only one player holds cards (SPEC 12.4)."""
        return len(self.out) == self.table.seats - 1

    def play(self, action: int) -> None:
        """Play an action that is known to be legal."""
        if action < FIRST_ALONE:
            self._lay(action, self.demand.count)
        elif action == DRAW:
            self._draw()
        elif action < FIRST_CHOICE:
            self._lay(action - ALONE_LESS_KIND, 1)
        else:
            self._choose(action)

    def begin_turn(self, seat: int) -> None:
        """A demand is in force: the seat must lay, or may draw (SPEC 12.4)."""
        demand = self.demand
        held = self.holdings[seat]
        self.seat = seat
        self.drew = 0
        completable = self.completable = (held + demand.reach) & demand.tops
        if completable:
            self.legal_now = lay(held, demand, completable)
        else:
            self.legal_now = lay_alone_or_draw(held, demand)

    def _lay(self, kind: int, count: int) -> None:
        """Lay a card, the whole or a part of what is to be laid (SPEC 12.4).

        Others see it, and it counts as laid, when it is complete.
        """
        seat = self.seat
        card = ONE[kind]
        hand = self.hands[seat].replace(card, b"", 1)
        self.hands[seat] = hand
        held = self.holdings[seat] - (ANOTHER if kind in hand else FIRST)[kind]
        self.holdings[seat] = held
        laid = self.chosen + card
        if len(laid) < count:
            self.chosen = laid
            self.completable &= TOPS_SHOWN[kind]
            self.legal_now = lay_of_set(held, self.completable)
            return
        self.chosen = b""
        self.discard += laid
        self._end_turn(laid)
        if not hand:
            self.out += (seat,)
            # The game ends at once: an action just laid has no effect and asks no choice.
            if self.has_one_left():
                return self._end_match()
        if self.turns == self.table.max_turns:
            return self._end_match()  # no choice is asked any more [N6]
        self._rule(laid)

    def _rule(self, laid: bytes) -> None:
        """The last card laid rules what comes next (SPEC 12.3, 12.5)."""
        kind = ruling_card(laid)
        if kind is not None:
            demand = SET_BY[kind]
            if demand is None:
                self.ask_choice(kind)
                return
            self.demand = demand
            self.choice = None
        self._next()

    def _draw(self) -> None:
        """Draw; then lay, if there is a set now, or say Nope [N2] (SPEC 12.4)."""
        seat = self.seat
        hand = self.hands[seat]
        held = self.holdings[seat]
        drew = 0
        while drew < self.table.draws and (self.draw_pile or self._reshuffle()):
            kind = self.draw_pile[0]
            self.draw_pile = self.draw_pile[1:]
            held += (ANOTHER if kind in hand else FIRST)[kind]
            hand += ONE[kind]
            drew += 1
        self.hands[seat] = hand
        self.holdings[seat] = held
        self.drew = drew
        demand = self.demand
        completable = self.completable = (held + demand.reach) & demand.tops
        if completable:
            self.legal_now = lay(held, demand, completable)
            return
        # Nope: the turn ends, and the demand stands for the next player.
        self._end_turn(b"")
        if self.turns == self.table.max_turns:
            self._end_match()
        else:
            self._next()

    def _reshuffle(self) -> bool:
        """All but the top card make a new draw pile; False if there are none (SPEC 12.7)."""
        under = self.discard[:-1]
        if not under:
            return False
        self.draw_pile = bytes(shuffle(under, self.table.seed, "reshuffle", self.reshuffles))
        self.discard = self.discard[-1:]
        self.reshuffles += 1
        return True

    def _end_turn(self, laid: bytes) -> None:
        """A turn is over, with cards laid or with Nope; everyone saw it (SPEC 12.9)."""
        seat = self.seat
        self.turns = turns = self.turns + 1
        demand = self.demand
        turn: Turn
        if len(laid) == 1:  # spares the common case a call
            turn = (turns, demand.count, demand.colours, self.drew, KINDS[laid[0]])
        else:
            turn = (turns, demand.count, demand.colours, self.drew, *map(_name, laid))
        self.recent[seat] = (*self.recent[seat][1 - KEPT_TURNS :], turn)

    def _next(self) -> None:
        """The turn passes to the next player still in the game."""
        hands = self.hands
        seats = len(hands)
        seat = (self.seat + 1) % seats
        while not hands[seat]:
            seat = (seat + 1) % seats
        self.begin_turn(seat)

    def ask_choice(self, select: int) -> None:
        """A select rules: the seat to act makes its choice (SPEC 12.5)."""
        self.selecting = select
        self.legal_now = choices(select, self.seat, self.hands)

    def _choose(self, action: int) -> None:
        """A select names who must lay, how many, and perhaps of which colour (SPEC 12.5)."""
        named, count, colour = CHOICE_OF[action]
        seat = self.seat
        self.demand = DEMANDS[count, colour or SHOWS[self.selecting]]
        self.choice = (seat, named)
        self.selecting = NO_SELECT
        # The choice belongs to the turn that laid the select; a first open one was laid by none.
        if self.turns:
            *before, turn = self.recent[seat]
            self.recent[seat] = (*before, (*turn, ACTIONS.names[action]))
        self.begin_turn(named)

    def _end_match(self) -> None:
        self.seat = NOBODY
        self.drew = 0
        self.legal_now = ()


_name = KINDS.__getitem__


def places(held: tuple[int, ...], out: tuple[int, ...]) -> tuple[int, ...]:
    """Who still holds cards ranks by how many, ties sharing; then who went out last [N12, N6]."""
    return tuple(
        1 + sum(other > cards for other in held) if cards else len(held) - out.index(seat)
        for seat, cards in enumerate(held)
    )
