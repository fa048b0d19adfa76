"""Match up (RULES.md), a whole game in one file: hidden hands, a stock, two to four seats.

A state keeps cards as small ints, which are also the actions that lay them; texts are made only
for views. A game with more rules or more need of speed is cut into modules, as
`arena/games/nope/` is; what the rest of the system asks of it stays the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from arena.games.chance import Chances, check_seed, draw, given_order, shuffle
from arena.games.derived import DerivedGame, DerivedState, check_rng, check_until, plain
from arena.games.description import (
    DEFAULTS,
    EVERY_PHASE,
    DecisionKind,
    Drawing,
    Options,
    Trials,
    ViewField,
)
from arena.games.errors import BadSeats, BadView, IllegalAction, OutOfTurn
from arena.games.interface import Actions, Game, Outcome, State, Until, View
from arena.games.observation import Observation, Observed, Part, from_seat, marked
from arena.games.options import Option, Value, WholeNumber, read_options, whole

COLOURS, NUMBERS = "RBGY", range(1, 8)
CARDS = [f"{colour}{number}" for colour in COLOURS for number in NUMBERS]
DRAW = len(CARDS)
ACTIONS = Actions((*CARDS, "draw"), {"cards": range(DRAW), "draw": range(DRAW, DRAW + 1)})
MOST_CARDS = 6  # in a hand: four of these, and the first open card, leave a stock of three


def fits(card: int, top: int) -> bool:
    """Two cards have the same colour or the same number."""
    return card // len(NUMBERS) == top // len(NUMBERS) or (card - top) % len(NUMBERS) == 0


@dataclass
class MatchUpState(DerivedState):
    """A match in progress; see `arena.games.interface.State`."""

    options: dict[str, Value]
    hands: list[list[int]]  # by seat, ascending
    pile: list[int]  # the last is the top card
    stock: list[int]  # drawn from the end
    turn: int  # a seat
    turns: int = 0  # finished, by all seats together

    @property
    def game(self) -> Game:
        return EXAMPLE

    @property
    def seats(self) -> int:
        return len(self.hands)

    def to_act(self) -> tuple[int, ...]:
        return (self.turn,) if self.outcome() is None else ()

    def legal(self, seat: int) -> Sequence[int]:
        if plain(seat) not in self.to_act():
            return ()
        return [card for card in self.hands[seat] if fits(card, self.pile[-1])] or [DRAW]

    def apply(self, seat: int, action: int) -> None:
        number, code = plain(seat), plain(action)
        if number is None or number not in self.to_act():
            to_act = self.to_act()
            raise OutOfTurn(f"seat {seat!r} has no turn", came=seat, allowed=to_act, where="5.1")
        legal = self.legal(seat)
        if code is None or code not in legal:
            rule = self.refusal(seat, action) or f"actions are 0 to {DRAW}"
            allowed = [ACTIONS.names[code] for code in legal]
            raise IllegalAction(f"{action!r}: {rule}", came=action, allowed=allowed, where="10.2")
        if code != DRAW:
            self.hands[number].remove(code)
            self.pile.append(code)
        elif self.stock:
            self.hands[number] = sorted([*self.hands[number], self.stock.pop()])
        self.turn = (number + 1) % len(self.hands)
        self.turns += 1

    def refusal(self, seat: int, action: int) -> str | None:
        legal, top = self.legal(seat), CARDS[self.pile[-1]]
        if action in legal:
            return None
        if not legal:
            return "you owe no decision now (SPEC 5.1)"
        if action == DRAW:
            return f"you hold a card that fits {top} (SPEC 10.2)"
        if action not in self.hands[seat]:
            return "you do not hold this card (SPEC 10.2)"
        return f"it has neither the colour nor the number of {top} (SPEC 10.2)"

    def copy(self) -> MatchUpState:
        hands = [[*hand] for hand in self.hands]
        pile, stock = [*self.pile], [*self.stock]
        return MatchUpState(self.options, hands, pile, stock, self.turn, self.turns)

    def view(self, seat: int | None) -> View:
        if seat is not None:
            seat = self.seat_number(seat)
        return {
            "game": EXAMPLE.name,
            "seats": len(self.hands),
            "seat": seat,
            "options": dict(self.options),
            "turn": self.turn if self.to_act() else None,
            "turns": self.turns,
            "hand": None if seat is None else [CARDS[card] for card in self.hands[seat]],
            "hand_sizes": [len(hand) for hand in self.hands],
            "pile": [CARDS[card] for card in self.pile],
            "stock": len(self.stock),
        }

    def outcome(self) -> Outcome | None:
        is_out = not all(self.hands)
        if not is_out and self.turns < whole(self.options["max_turns"]):
            return None
        scores = tuple(-len(hand) for hand in self.hands)
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        return Outcome(scores, places, "out" if is_out else "turns")


class MatchUp(DerivedGame):
    """The game; see `arena.games.interface.Game`."""

    name = "match-up"
    seats = (2, 3, 4)
    options = (
        Option("hand", WholeNumber(1, MOST_CARDS), 5, "5", "cards dealt to each"),
        Option("max_turns", WholeNumber(), 200, "200", "the match ends after so many turns"),
    )
    actions = ACTIONS
    fields = (
        ViewField("game", "text", "`match-up`"),
        ViewField("seats", "number", "how many sit at the table"),
        ViewField("seat", "number or nil", "your seat, from 0; nil: a spectator"),
        ViewField("options", "map", "every option with the value in force"),
        ViewField(
            "turn",
            "number or nil",
            "the seat that owes a decision; nil when over",
            nil_in=EVERY_PHASE,
        ),
        ViewField("turns", "number", "turns finished so far, by all seats together"),
        ViewField("hand", "list of texts or nil", "your cards, in order; nil for a spectator"),
        ViewField("hand_sizes", "list of numbers", "by seat, the cards held"),
        ViewField("pile", "list of texts", "the cards laid so far, the top card last"),
        ViewField("stock", "number", "how many cards can still be drawn"),
    )
    endings = MappingProxyType(
        {"out": "somebody laid the last card", "turns": "the turn limit was reached"}
    )
    kinds = (DecisionKind("lay"), DecisionKind("draw"))
    trials = Trials(
        unusual={"hand": 3, "max_turns": 20},
        sweep=({}, {"hand": 6}, {"hand": 2, "max_turns": 30}),
    )
    drawing = Drawing()

    def kind_of(self, view: View, legal: Sequence[str]) -> str:
        return "draw" if "draw" in legal else "lay"

    def rounds(self, seats: int, options: Options = DEFAULTS) -> int | None:
        return None

    def read(self, seats: int, options: Options) -> dict[str, Value]:
        """Every option with its value, after checking the number of seats."""
        if plain(seats) not in self.seats:
            message = f"{self.name} is played by 2 to 4; got {seats!r}"
            raise BadSeats(message, came=seats, allowed=self.seats, where="10.1")
        return read_options(self.name, self.options, options, seats, "10.4")

    def deal(self, seats: int, seed: bytes, options: Options = DEFAULTS) -> MatchUpState:
        check_seed(seed)
        cards = [CARDS[card] for card in shuffle(range(len(CARDS)), seed, "deal")]
        return self.deal_cards(seats, cards, seed, options)

    def deal_cards(
        self,
        seats: int,
        cards: Sequence[str],
        seed: bytes = b"",
        options: Options = DEFAULTS,
        dealer: int | None = None,
    ) -> MatchUpState:
        values = self.read(seats, options)
        order = [CARDS.index(card) for card in given_order(CARDS, cards, seed)]
        size = whole(values["hand"])
        hands = [sorted(order[seat * size :][:size]) for seat in range(seats)]
        rest = order[seats * size :]
        first = draw(seats, seed, "first") if dealer is None else dealer
        return MatchUpState(values, hands, rest[:1], rest[:0:-1], first)

    def chances(self, seats: int, options: Options = DEFAULTS) -> Chances:
        hands = [whole(self.read(seats, options)["hand"])] * seats
        return Chances((*range(seats),), (*hands, *(1,) * (len(CARDS) - sum(hands))))

    def imagine(self, view: View, rng: random.Random) -> MatchUpState:
        check_rng(rng)
        try:
            me = view["seat"]
            hands = [[0] * size for size in view["hand_sizes"]]
            if me is not None:
                hands[me] = [CARDS.index(card) for card in view["hand"]]
            pile = [CARDS.index(card) for card in view["pile"]]
            values, turn = self.read(view["seats"], view["options"]), view["turn"]
            turn = 0 if turn is None else range(len(hands))[turn]
            known = MatchUpState(values, hands, pile, [0] * view["stock"], turn, view["turns"])
            state = self.redeal(known, me, rng)
            agrees = state.view(me) == view and sorted(self.cards(state)) == sorted(CARDS)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            message = f"this is no view of {self.name}: {error}"
            raise BadView(message, came=view, allowed=(), where="10.3") from error
        if not agrees:
            message = f"this is no view of {self.name}: its fields contradict each other"
            raise BadView(message, came=view, allowed=(), where="10.3")
        return state

    def playout(self, state: State, rng: random.Random, until: Until = "match") -> None:
        check_rng(rng)
        check_until(until)
        self.own(state, MatchUpState)
        while to_act := state.to_act():
            state.apply(to_act[0], rng.choice(state.legal(to_act[0])))

    def narrate(self, before: View | None, now: View, seat: int | None) -> list[str]:
        if before is None:
            return [f"Seat {now['turn']} begins; {now['pile'][-1]} lies open."]
        if len(now["pile"]) > len(before["pile"]):
            return [f"  seat {before['turn']} lays {now['pile'][-1]}"]
        if seat is not None and seat == before["turn"]:
            drawn = [card for card in now["hand"] if card not in before["hand"]]
            return [f"  seat {seat} draws {''.join(drawn) or 'nothing'}"]
        return [f"  seat {before['turn']} draws"]

    def observation(self, seats: int, options: Options = DEFAULTS) -> Observation:
        parts = (
            Part("hand", (len(CARDS),), "1 for each card you hold"),
            Part("pile", (len(CARDS),), "1 for each card laid so far"),
            Part("top", (len(CARDS),), "1 for the top card"),
            Part("turn", (seats,), "1 for the seat that owes a decision"),
            Part("hand_sizes", (seats,), "by seat, the cards held", high=len(CARDS)),
            Part("stock", (1,), "how many cards can still be drawn", high=len(CARDS)),
            Part("turns", (1,), "turns finished so far", high=self.bound(seats, options)),
        )
        return Observation(self.name, seats, 1, parts)

    def observed(self, view: View) -> Observed:
        me, seats, turn = view["seat"], view["seats"], view["turn"]
        hand, pile = ([CARDS.index(card) for card in view[cards]] for cards in ("hand", "pile"))
        return (
            marked(hand, len(CARDS)),
            marked(pile, len(CARDS)),
            marked(pile[-1:], len(CARDS)),
            marked([] if turn is None else [(turn - me) % seats], seats),
            (*from_seat(me, view["hand_sizes"]), view["stock"], view["turns"]),
        )

    def score_bounds(self, seats: int, options: Options = DEFAULTS) -> tuple[int, int]:
        return -len(CARDS), 0

    def bound(self, seats: int, options: Options = DEFAULTS) -> int:
        return whole(self.read(seats, options)["max_turns"])

    def deck(self, seats: int, options: Options = DEFAULTS) -> Sequence[str]:
        return CARDS

    def cards(self, state: State) -> Sequence[str]:
        state = self.own(state, MatchUpState)
        return [CARDS[card] for cards in (*state.hands, state.pile, state.stock) for card in cards]

    def redeal(self, state: State, seat: int | None, rng: random.Random) -> MatchUpState:
        check_rng(rng)
        new = self.own(state, MatchUpState).copy()
        seen = {*new.pile, *([] if seat is None else new.hands[seat])}
        hidden = [card for card in range(len(CARDS)) if card not in seen]
        rng.shuffle(hidden)
        for other, hand in enumerate(new.hands):
            if other != seat:
                new.hands[other] = sorted(hidden.pop() for _ in hand)
        new.stock = hidden
        return new


EXAMPLE = MatchUp()
