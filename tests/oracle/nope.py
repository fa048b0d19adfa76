"""NOPE!, read from its booklet (SPEC 12).

A card is its name: `R2`, `GB1`, `J` joker, `X` reset, `TR` see-through, `SR` and `S*` select.
The demand is worked out anew, from the discard pile, whenever somebody asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from tests.oracle.chance import dealer_by_lot, shuffled

COLOURS = ["R", "G", "B", "Y"]
PAIRS = ["RG", "RB", "RY", "GB", "GY", "BY"]
COUNTS = [1, 2, 3]
MOST_SEATS = 6


# ---- cards ----------------------------------------------------------------------------------


def card_kinds() -> list[str]:
    """Every kind of card once, in the fixed order."""
    kinds = [f"{letter}{number}" for letter in COLOURS for number in (1, 2, 3)]
    kinds += [f"{pair}{number}" for pair in PAIRS for number in (1, 2, 3)]
    kinds += ["J", "X"]
    kinds += [f"T{letter}" for letter in COLOURS]
    kinds += [f"S{letter}" for letter in COLOURS]
    kinds += ["S*"]
    return kinds


def is_reset(card: str) -> bool:
    return card == "X"


def is_see_through(card: str) -> bool:
    return card.startswith("T")


def is_select(card: str) -> bool:
    return card.startswith("S")


def is_action(card: str) -> bool:
    return is_reset(card) or is_see_through(card) or is_select(card)


def copies(card: str) -> int:
    """How many of a kind there are (SPEC 12.1)."""
    if card in ("J", "X"):
        return 4
    if is_see_through(card):
        return 1
    if is_select(card):
        return 2 if card == "S*" else 1
    if len(card) == 2:  # one colour
        return {"1": 2, "2": 2, "3": 1}[card[-1]]
    return {"1": 4, "2": 4, "3": 3}[card[-1]]


def deck(with_actions: bool) -> list[str]:
    """Every card, in the fixed order, copies side by side."""
    cards = []
    for kind in card_kinds():
        if with_actions or not is_action(kind):
            cards += [kind] * copies(kind)
    return cards


def colours_shown(card: str) -> list[str]:
    if card in ("J", "X", "S*"):
        return COLOURS
    return [letter for letter in COLOURS if letter in card]


def number_shown(card: str) -> int:
    """Of a number card; a joker is a 1."""
    return 1 if card == "J" else int(card[-1])


def in_order(cards: list[str]) -> list[str]:
    return [kind for kind in card_kinds() for card in cards if card == kind]


# ---- demands --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Demand:
    """So many cards that all show one same colour of these (SPEC 12.3)."""

    count: int
    colours: tuple[str, ...]
    by: int | None = field(default=None, compare=False)  # whose choice it was, for a select
    to: int | None = field(default=None, compare=False)  # and whom it named


@dataclass
class Laid:
    """A card on the discard pile, and what it demands beyond what is printed on it."""

    card: str
    chosen: Demand | None = None  # the choice made for a select
    carried: Demand | None = None  # in force when this card stayed behind at a reshuffle


def demand_of(pile: list[Laid]) -> Demand | None:
    """What the top card of the pile demands; nothing while a select waits for its choice."""
    top = pile[-1]
    if top.carried is not None:
        # "The card that stays carries the demand in force with it."
        return top.carried
    if is_select(top.card):
        # "the count and the colour chosen by whoever laid it"
        return top.chosen
    if is_see_through(top.card):
        below = pile[:-1]
        if not below:
            # "First open card ... the demand is one card of its colour."
            return Demand(1, tuple(colours_shown(top.card)))
        # "the card that lies directly under the see-through card counts"
        return demand_of(below)
    if is_reset(top.card):
        # "The next player must lay one card of their choice."
        return Demand(1, tuple(COLOURS))
    # "The number says how many cards, the colour says which colour."
    return Demand(number_shown(top.card), tuple(colours_shown(top.card)))


# ---- sets -----------------------------------------------------------------------------------


def cards_showing(letter: str, cards: list[str]) -> list[str]:
    return [card for card in cards if letter in colours_shown(card)]


def holds_set(hand: list[str], demand: Demand) -> bool:
    """Enough cards of one demanded colour, "but not combined"."""
    return any(len(cards_showing(letter, hand)) >= demand.count for letter in demand.colours)


def without(cards: list[str], taken: list[str]) -> list[str]:
    rest = list(cards)
    for card in taken:
        rest.remove(card)
    return rest


def can_complete(hand: list[str], begun: list[str], demand: Demand) -> bool:
    """Whether these cards of the hand can grow into a set in one demanded colour."""
    rest = without(hand, begun)
    for letter in demand.colours:
        if cards_showing(letter, begun) != begun:
            continue
        if len(begun) + len(cards_showing(letter, rest)) >= demand.count:
            return True
    return False


def next_of_set(hand: list[str], begun: list[str], demand: Demand) -> list[str]:
    """The kinds that may be laid next, when these have been chosen before."""
    rest = without(hand, begun)
    return [
        kind for kind in card_kinds() if kind in rest and can_complete(hand, [*begun, kind], demand)
    ]


def matching_actions(hand: list[str], demand: Demand) -> list[str]:
    """The action cards that show a demanded colour, whatever the count."""
    return [
        kind
        for kind in card_kinds()
        if kind in hand
        and is_action(kind)
        and any(letter in demand.colours for letter in colours_shown(kind))
    ]


def all_actions() -> list[str]:
    """Every action of the game at any table, in the fixed order."""
    names = card_kinds()
    names += [f"{kind}!" for kind in card_kinds() if is_action(kind)]
    names.append("draw")
    seats = range(MOST_SEATS)
    names += [f"to{seat}:{count}" for seat in seats for count in COUNTS]
    names += [f"to{s}:{count}{letter}" for s in seats for count in COUNTS for letter in COLOURS]
    return names


# ---- a match --------------------------------------------------------------------------------


class NopeMatch:
    """One match.

    `turn` is the seat to decide. `choosing` is the select on the pile that waits for its
    choice; `begun` the cards of a set chosen so far.
    """

    def __init__(self, seats: int, seed: bytes, options: Mapping[str, object]) -> None:
        self.seats = seats
        self.seed = seed
        self.actions = bool(options.get("actions", True))
        self.max_turns = cast(int, options.get("max_turns", 1000))
        self.hand_asked_for = options.get("hand", 8 if seats == 2 else 7)
        if isinstance(self.hand_asked_for, list):
            cards_each = self.hand_asked_for
        else:
            cards_each = [self.hand_asked_for] * seats

        cards = shuffled(seed, "deal", 0, deck(self.actions))
        self.hands: list[list[str]] = []
        for number in cards_each:
            self.hands.append(cards[:number])
            cards = cards[number:]
        self.pile = [Laid(cards[0])]
        self.draw_pile = cards[1:]  # drawn from the front

        self.dealer = dealer_by_lot(seed, seats)
        self.turn = (self.dealer + 1) % seats
        self.out: list[int] = []  # in the order they went out
        self.turns_taken = 0
        self.reshuffles = 0
        self.has_drawn = False
        self.drawn = 0  # cards, in this turn
        # By seat, its turns: number, count and colours demanded, cards drawn, cards laid, choice.
        self.history: list[list[list[int | str]]] = [[] for _ in range(seats)]
        self.begun: list[str] = []
        self.is_over = False
        # "Select: the starting player makes its choice as if they had laid it."
        self.choosing: Laid | None = self.pile[0] if is_select(self.pile[0].card) else None

    def __repr__(self) -> str:
        return (
            f"<NopeMatch turn {self.turn} (no. {self.turns_taken}) demand {self.demand()}"
            f" top {self.discard()[-4:]} begun {self.begun} choosing {self.choosing}"
            f" draw pile {len(self.draw_pile)} hands {self.hands}>"
        )

    def demand(self) -> Demand | None:
        return demand_of(self.pile)

    def in_game(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.out]

    def next_in_game(self, seat: int) -> int:
        following = (seat + 1) % self.seats
        while following in self.out:
            following = (following + 1) % self.seats
        return following

    # ---- what may be done ----

    def to_act(self) -> list[int]:
        return [] if self.is_over else [self.turn]

    def legal(self, seat: int) -> list[str]:
        if seat not in self.to_act():
            return []
        if self.choosing is not None:
            return self.choices(seat, self.choosing.card)
        hand = self.hands[seat]
        demand = cast(Demand, self.demand())
        if self.begun:
            return next_of_set(hand, self.begun, demand)
        actions = next_of_set(hand, [], demand)
        if demand.count > 1:
            # With one card asked for, laying it alone and as an action are the same thing.
            actions += [f"{card}!" for card in matching_actions(hand, demand)]
        if self.may_draw(seat):
            actions.append("draw")
        return actions

    def may_draw(self, seat: int) -> bool:
        """Whoever holds no set may draw, once a turn."""
        return not self.has_drawn and not holds_set(self.hands[seat], cast(Demand, self.demand()))

    def choices(self, seat: int, select: str) -> list[str]:
        """Another player still in the game, a count and, if the select shows four, a colour."""
        names = []
        for other in self.in_game():
            if other == seat:
                continue
            for count in COUNTS:
                if select == "S*":
                    names += [f"to{other}:{count}{letter}" for letter in COLOURS]
                else:
                    names.append(f"to{other}:{count}")
        return names

    # ---- doing it ----

    def apply(self, seat: int, action: str) -> None:
        if action not in self.legal(seat):
            raise ValueError(f"{action} is not legal for seat {seat}: {self!r}")
        if action.startswith("to"):
            self.choose(action)
        elif action == "draw":
            self.draw(seat)
        elif action.endswith("!"):
            self.lay(seat, [action[:-1]])
        else:
            self.begun.append(action)
            if len(self.begun) == cast(Demand, self.demand()).count:
                self.lay(seat, self.begun)

    def lay(self, seat: int, cards: list[str]) -> None:
        """Lay a set, or one action card; the last is the new top card. The turn ends."""
        self.write_down(seat, cards)
        laid = [Laid(card) for card in cards]
        self.hands[seat] = without(self.hands[seat], cards)
        self.pile += laid
        if not self.hands[seat]:
            self.out.append(seat)
        if self.end_turn():
            return
        self.choosing = self.select_to_choose_for(laid)
        if self.choosing is None:
            # A reset or a see-through needs nothing more: the demand follows from the pile.
            self.pass_turn_to(self.next_in_game(seat))

    def select_to_choose_for(self, laid: list[Laid]) -> Laid | None:
        """The select whose choice whoever laid these cards makes now. [N3] [N7]"""
        under = list(laid)
        while under and is_see_through(under[-1].card):
            under.pop()
        if under and is_select(under[-1].card):
            return under[-1]
        return None

    def choose(self, action: str) -> None:
        """The named player is on turn, with this count and this colour."""
        who, what = action.removeprefix("to").split(":")
        select = cast(Laid, self.choosing)
        letter = what[1:] or select.card[1:]
        select.chosen = Demand(int(what[0]), (letter,), by=self.turn, to=int(who))
        self.choosing = None
        if self.turns_taken > 0:
            # The choice belongs to the turn that laid the select, if somebody laid it.
            self.history[self.turn][-1].append(action)
        self.pass_turn_to(int(who))

    def draw(self, seat: int) -> None:
        """One card, or two in a game begun with two players; both before the check. [N8]"""
        for _ in range(2 if self.seats == 2 else 1):
            if not self.draw_pile:
                self.reshuffle()
            if self.draw_pile:
                self.hands[seat].append(self.draw_pile.pop(0))
                self.drawn += 1
        self.has_drawn = True
        if not holds_set(self.hands[seat], cast(Demand, self.demand())):
            self.say_nope(seat)

    def say_nope(self, seat: int) -> None:
        """ "You say Nope. Your turn ends"; no action card may be laid then. [N2]"""
        self.write_down(seat, [])
        if not self.end_turn():
            self.pass_turn_to(self.next_in_game(seat))

    def reshuffle(self) -> None:
        """All but the top card of the discard pile become the draw pile. [N4] [N5]"""
        *rest, top = self.pile
        if not rest:
            return
        top.carried = self.demand()
        self.pile = [top]
        cards = [laid.card for laid in rest]
        self.draw_pile = shuffled(self.seed, "reshuffle", self.reshuffles, cards)
        self.reshuffles += 1

    def pass_turn_to(self, seat: int) -> None:
        """Only now: a select's choice still belongs to the turn that laid it."""
        self.turn = seat
        self.drawn = 0

    def write_down(self, seat: int, cards: list[str]) -> None:
        demand = cast(Demand, self.demand())
        colours = "".join(demand.colours)
        self.history[seat].append([self.turns_taken + 1, demand.count, colours, self.drawn, *cards])

    def end_turn(self) -> bool:
        """Count the turn; whether the match is over with it. [N6]"""
        self.begun = []
        self.has_drawn = False
        self.turns_taken += 1
        self.is_over = len(self.in_game()) == 1 or self.turns_taken == self.max_turns
        return self.is_over

    # ---- what can be asked ----

    def hand(self, seat: int) -> list[str]:
        """The cards held, in the fixed order; those of a set begun are still held."""
        return in_order(self.hands[seat])

    def kept(self, seat: int) -> list[str]:
        """The hand without the cards of a set begun."""
        return in_order(without(self.hands[seat], self.begun))

    def discard(self) -> list[str]:
        """The discard pile, bottom to top."""
        return [laid.card for laid in self.pile]

    def draw_pile_size(self) -> int:
        return len(self.draw_pile)

    def options(self) -> dict[str, object]:
        """Every option with the value in force."""
        return {
            "actions": self.actions,
            "hand": self.hand_asked_for,
            "max_turns": self.max_turns,
        }

    def ending(self) -> str | None:
        if not self.is_over:
            return None
        return "last" if len(self.in_game()) == 1 else "turns"

    def outcome(self) -> tuple[list[int], list[int]] | None:
        if not self.is_over:
            return None
        held = [len(hand) for hand in self.hands]
        return held, places(held, self.out)


def places(held: list[int], out: list[int]) -> list[int]:
    """Those still in by cards held, ties sharing; then the others, later out is better. [N12]"""
    seats = range(len(held))
    still_in = [seat for seat in seats if seat not in out]
    ranking = []
    for seat in seats:
        if seat in still_in:
            ranking.append(1 + sum(held[other] > held[seat] for other in still_in))
        else:
            later = len(out) - 1 - out.index(seat)
            ranking.append(1 + len(still_in) + later)
    return ranking
