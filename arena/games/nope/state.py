"""A match of NOPE! in progress: turns, from a first open card to the end (SPEC 12.3 to 12.7).

Legal actions are found in legality.py, views are built in views.py. The state keeps the demand
in force as a value, so nothing is lost when the cards that set it are shuffled away [N4].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.chance import shuffle
from arena.games.derived import SavedState, plain
from arena.games.interface import Outcome, View
from arena.games.nope.actions import (
    ALONE_LESS_KIND,
    CHOICE_OF,
    DRAW,
    FIRST_ALONE,
    FIRST_CHOICE,
    MOST_SEATS,
)
from arena.games.nope.cards import ALL_COLOURS, ONE, SHOWS, named
from arena.games.nope.demand import DEMANDS, SET_BY, opening_demand, ruling_card
from arena.games.nope.history import DRAWS, MARKS, Recent, choice_mark, tell, tell_choice
from arena.games.nope.holdings import ANOTHER, FIRST, TOPS_SHOWN, holding
from arena.games.nope.legality import choices, lay_more, lay_or_draw, sets_held
from arena.games.nope.observe import observed, seen_by
from arena.games.nope.refusals import broken_rule, refused
from arena.games.nope.rules import NopeTable
from arena.games.nope.views import CHOOSE, LAY, OVER, view
from arena.games.observation import Writable, write

if TYPE_CHECKING:
    from arena.games.nope.game import Nope

NOBODY = -1
NO_SELECT = -1

# By seat, the answer of `to_act`; the last entry is that of NOBODY.
_TO_ACT: tuple[tuple[int, ...], ...] = (*((seat,) for seat in range(MOST_SEATS)), ())


def places(held: tuple[int, ...], out: tuple[int, ...]) -> tuple[int, ...]:
    """By seat, its place (SPEC 12.4, 12.8).

    Seats that still hold cards rank by how many, ties sharing a place; after them those that
    went out, the last one first [N12, N6]. `held` is by seat, `out` in the order they went.
    """
    return tuple(
        1 + sum(other > cards for other in held) if cards else len(held) - out.index(seat)
        for seat, cards in enumerate(held)
    )


class NopeState(SavedState):
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
        "named",
        "out",
        "recent",
        "reshuffles",
        "seat",
        "selecting",
        "table",
        "turns",
        "written",
    )

    def __init__(self, table: NopeTable, hands: list[bytes], discard: bytes, draw_pile: bytes):
        """Begin the first turn, on the top card of the discard pile (SPEC 12.6)."""
        self.table = table
        self.hands = hands
        self.holdings = [holding(hand) for hand in hands]
        self.discard = discard  # bottom to top
        self.named: tuple[str, ...] = ()  # the part of it that was put into words
        self.draw_pile = draw_pile  # drawn from the front
        self.reshuffles = 0
        self.out: tuple[int, ...] = ()
        self.turns = 0
        self.recent: Recent = ((),) * table.seats  # of the turns not in `written` any more
        self.written = b""  # turns nobody has looked at yet (history.py)
        self.choice: tuple[int, int] | None = (
            None  # in force: the seat that made it, the seat it named
        )
        self.chosen = b""
        self.selecting = NO_SELECT
        top = discard[-1]
        demand = opening_demand(top)
        # Nobody plays to this stand-in: a select's choice puts the real demand in its place.
        self.demand = demand or DEMANDS[1, ALL_COLOURS]
        self.completable = 0  # colours in which a set that is begun can be completed
        self.drew = 0
        self.seat = (table.dealer + 1) % table.seats
        self.legal_now = lay_or_draw(self.holdings[self.seat], self.demand)
        if demand is None:
            self.ask_choice(top)

    def __repr__(self) -> str:
        to_act = "over" if self.seat == NOBODY else f"seat {self.seat} to act"
        hands = " ".join(str(len(hand)) for hand in self.hands)
        return (
            f"<{self.game.name} turn {self.turns}, {to_act}, demand {self.demand}, hands {hands}>"
        )

    @property
    def game(self) -> Nope:
        return self.table.game

    @property
    def seats(self) -> int:
        return self.table.seats

    def refusal(self, seat: int, action: int) -> str | None:
        """The rule that this action breaks now, from the knowledge of the seat; None if legal."""
        return broken_rule(self, seat, action)

    def copy(self) -> NopeState:
        """Return a copy; a change of one state does not show in the other."""
        new = NopeState.__new__(NopeState)
        new.table = self.table
        new.hands = self.hands[:]
        new.holdings = self.holdings[:]
        new.discard = self.discard
        new.named = self.named
        new.draw_pile = self.draw_pile
        new.reshuffles = self.reshuffles
        new.out = self.out
        new.turns = self.turns
        new.recent = self.recent
        new.written = self.written
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
        """The actions that this seat may choose now; none for a seat that owes no decision."""
        return self.legal_now if seat == self.seat else ()

    def apply(self, seat: int, action: int) -> None:
        """Play the action, or raise a RefusedAction and leave the state as it was."""
        if (
            type(action) is int
            and type(seat) is int
            and seat == self.seat
            and action in self.legal_now
        ):
            self.play(action)
            return
        number, code = plain(seat), plain(action)
        if number != self.seat or code not in self.legal_now:
            came = seat if number is None else number, action if code is None else code
            raise refused(self, *came)
        self.play(code)

    def view(self, seat: int | None) -> View:
        """All that this seat may know; None is a spectator."""
        return view(self, seat)

    def observe(self, seat: int, out: Writable) -> None:
        # Straight from the state: by way of a view it takes twice as long.
        write(observed(seen_by(self, self.seat_number(seat))), out)

    def stage(self) -> tuple[int, str]:
        """A match is a single round."""
        if self.seat == NOBODY:
            return 1, OVER
        return 1, LAY if self.selecting == NO_SELECT else CHOOSE

    def saved(self) -> tuple[object, ...]:
        """All that the state is, without its game (`restore` in setup.py)."""
        table = self.table
        return (
            (table.seats, table.dealer, table.seed, tuple(table.options.values())),
            tuple(self.hands),
            (self.discard, self.draw_pile, self.reshuffles, self.out),
            self.seat,
            self.turns,
            self.recent_turns(),
            (
                self.demand.code,
                self.choice,
                self.chosen,
                self.selecting,
                self.completable if self.chosen else 0,
                self.drew,
            ),
        )

    def outcome(self) -> Outcome | None:
        """The result: scores are the cards held; places go by holding on to them (SPEC 12.4)."""
        if self.seat != NOBODY:
            return None
        scores = tuple(len(hand) for hand in self.hands)
        ending = "last" if self.has_one_left() else "turns"
        return Outcome(scores, places(scores, self.out), ending)

    def has_one_left(self) -> bool:
        """True if only one player holds cards (SPEC 12.4)."""
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

    def _lay(self, kind: int, count: int) -> None:
        """Lay a card: a whole turn, or a part of a set (SPEC 12.4).

        Others see it, and it counts as laid, when it is complete.
        """
        seat = self.seat
        held = self.holdings[seat]
        card = ONE[kind]
        hand = self.hands[seat] = self.hands[seat].replace(card, b"", 1)
        self.holdings[seat] = held - (ANOTHER if kind in hand else FIRST)[kind]
        laid = self.chosen + card
        if len(laid) < count:
            before = self.completable if self.chosen else sets_held(held, self.demand)
            self.chosen = laid
            self.completable = before & TOPS_SHOWN[kind]
            self.legal_now = lay_more(self.holdings[seat], self.completable)
            return
        self.chosen = b""
        self.discard += laid
        self.turns += 1
        self.written += laid + MARKS[self.demand.code][seat * DRAWS + self.drew]
        if not hand:
            self.out += (seat,)
        demand = SET_BY[kind]
        if hand and demand is not None:
            self.demand = demand
            self.choice = None
            self._next()
        else:
            self._rule(laid)

    def _rule(self, laid: bytes) -> None:
        """Set the demand by the cards just laid (SPEC 12.3, 12.5), unless the match ends.

        It ends when one player is left: an action just laid has no effect then (SPEC 12.4).
        """
        kind = ruling_card(laid)
        if self.has_one_left():
            self.end_match()
        elif kind is None:
            self._next()
        elif (demand := SET_BY[kind]) is not None:
            self.demand = demand
            self.choice = None
            self._next()
        elif self.turns == self.table.max_turns:
            self.end_match()  # no choice is asked any more [N6]
        else:
            self.ask_choice(kind)

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
        if sets_held(held, demand):
            self.legal_now = lay_or_draw(held, demand)
        else:
            # Nope: the turn ends, and the demand stands for the next player.
            self.turns += 1
            self.written += MARKS[demand.code][seat * DRAWS + drew]
            self._next()

    def _reshuffle(self) -> bool:
        """Make a draw pile of all but the top card; False if there are none (SPEC 12.7)."""
        self.recent_turns()  # so that `written` stays short, however long the match
        under = self.discard[:-1]
        if not under or not self.table.game.rules.reshuffles:
            return False
        self.draw_pile = bytes(shuffle(under, self.table.seed, "reshuffle", self.reshuffles))
        self.discard = self.discard[-1:]
        self.named = ()
        self.reshuffles += 1
        return True

    def _next(self) -> None:
        """Pass the turn to the next player still in the game, unless it was the last [N6]."""
        if self.turns == self.table.max_turns:
            self.end_match()
            return
        hands = self.hands
        seats = len(hands)
        seat = (self.seat + 1) % seats
        while not hands[seat]:
            seat = (seat + 1) % seats
        self.seat = seat
        self.drew = 0
        self.legal_now = lay_or_draw(self.holdings[seat], self.demand)

    def ask_choice(self, select: int) -> None:
        """Ask the seat to act for the choice of this select (SPEC 12.5)."""
        self.selecting = select
        self.legal_now = choices(select, self.seat, self.hands)

    def _choose(self, action: int) -> None:
        """Take a choice: the player that must lay, a count, and perhaps a colour (SPEC 12.5)."""
        named, count, colour = CHOICE_OF[action]
        seat = self.seat
        self.demand = DEMANDS[count, colour or SHOWS[self.selecting]]
        self.choice = (seat, named)
        self.selecting = NO_SELECT
        # The choice belongs to the turn that laid the select; a first open one was laid by none.
        if self.written:
            self.written += choice_mark(action)
        elif self.turns:
            self.recent = tell_choice(self.recent, seat, action)
        self.seat = named
        self.drew = 0
        self.legal_now = lay_or_draw(self.holdings[named], self.demand)

    def recent_turns(self) -> Recent:
        """The last turns of every seat, in words."""
        if self.written:
            self.recent = tell(self.recent, self.written, self.turns)
            self.written = b""
        return self.recent

    def named_discard(self) -> tuple[str, ...]:
        """The discard pile by name; only cards laid since the last call are put into words."""
        known = len(self.named)
        if known < len(self.discard):
            self.named += tuple(named(self.discard[known:]))
        return self.named

    def end_match(self) -> None:
        """End the match: nobody owes a decision any more."""
        self.seat = NOBODY
        self.drew = 0
        self.legal_now = ()
