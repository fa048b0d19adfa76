"""Setting up a match (SPEC 12.2, 12.8): options, the table, the deal; or a saved state again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.games.chance import check_seed, draw, given_order, shuffle
from arena.games.derived import dealer_number, plain
from arena.games.errors import BadOption, BadSeats
from arena.games.nope.cards import KIND_OF, named
from arena.games.nope.demand import DEMANDS
from arena.games.nope.legality import choices, lay_more, lay_or_draw
from arena.games.nope.rules import NopeRules, NopeTable
from arena.games.nope.state import NO_SELECT, NOBODY, NopeState
from arena.games.options import Flag, Option, Value, WholeNumber, read_options, whole

if TYPE_CHECKING:
    from arena.games.nope.game import Nope

_SPEC_OPTIONS = "12.8"
_DEMANDS = (*DEMANDS.values(),)  # by code


@dataclass(frozen=True)
class HandSizes:
    """The cards dealt: one number for all seats, a list with one for each, or nil for the usual."""

    rules: NopeRules

    def allowed(self, seats: int) -> str:
        return (
            f"a whole number of cards, at least 1, or a list of {seats} of them, one for each "
            f"seat, in all at most one less than the deck, or nil: {self.rules.usual_hands[seats]} "
            "each"
        )

    def read(self, value: object, seats: int) -> Value:
        if value is None:
            return self.rules.usual_hands[seats]
        sizes: list[object] = list(value) if isinstance(value, list | tuple) else [value] * seats
        dealt = [whole(size) for size in sizes]
        if len(dealt) != seats or min(dealt) < 1 or sum(dealt) >= len(self.rules.cards):
            raise ValueError(value)
        return dealt if isinstance(value, list | tuple) else dealt[0]


def options_of(rules: NopeRules) -> tuple[Option, ...]:
    """The options of a rule set (SPEC 12.8)."""
    usual = rules.usual_hands
    hand = f"{usual[max(usual)]}, with 2 seats {usual[2]}" if len(usual) > 1 else f"{usual[2]}"
    return (
        Option("actions", Flag(), True, "true", "false: play without the 14 action cards"),
        Option(
            "hand",
            HandSizes(rules),
            None,
            hand,
            "cards dealt to each, or a list with one number for each seat",
        ),
        Option(
            "max_turns",
            WholeNumber(),
            rules.max_turns,
            f"{rules.max_turns}",
            "after so many turns the match is stopped",
        ),
    )


def table_size(rules: NopeRules, seats: object) -> int:
    """The number of seats as a plain int; BadSeats if it is not played by so many."""
    size = plain(seats)
    if size is None or size not in rules.seats:
        fewest, most = min(rules.seats), max(rules.seats)
        raise BadSeats(
            f"{rules.name} is played by {fewest} to {most}; got {seats!r}",
            came=seats,
            allowed=rules.seats,
            where="12.2",
        )
    return size


def read(game: Nope, seats: int, given: Mapping[str, object]) -> dict[str, Value]:
    """Every option with its effective value, after checking seats and options together."""
    rules = game.rules
    seats = table_size(rules, seats)
    options = read_options(rules.name, game.options, given, seats, _SPEC_OPTIONS)
    if options["hand"] is None:
        options["hand"] = rules.usual_hands[seats]
    most = len(rules.deck(options["actions"] is True)) - 1
    dealt = sum(hand_sizes(options, seats))
    if dealt > most:
        raise BadOption(
            f"option 'hand' of {rules.name} with {seats} seats deals {dealt} cards, but without "
            f"the action cards at most {most} can be dealt, so that one opens the discard pile",
            came=given["hand"],
            allowed=(f"at most {most} in all",),
            where=_SPEC_OPTIONS,
        )
    return options


def hand_sizes(options: Mapping[str, Value], seats: int) -> Sequence[int]:
    """Cards dealt to each seat."""
    hand = options["hand"]
    return hand if isinstance(hand, list) else [whole(hand)] * seats


def table_for(
    game: Nope, seats: int, dealer: int, seed: bytes, options: dict[str, Value]
) -> NopeTable:
    """The table for these effective options.

    In a game that began with two players two cards are drawn at once, also with one left in
    the hand; a larger game that shrinks to two draws one [N8].
    """
    return NopeTable(
        game=game,
        seats=seats,
        dealer=dealer,
        max_turns=whole(options["max_turns"]),
        draws=2 if seats == 2 else 1,
        seed=seed,
        options=options,
    )


def deal(
    game: Nope,
    seats: int,
    seed: bytes,
    given: Mapping[str, object],
    first: Sequence[str] | None = None,
    dealer: int | None = None,
) -> NopeState:
    """Shuffle, deal seat by seat, open the discard pile, draw the dealer by lot (SPEC 12.2).

    `first`: the first cards of the deck, instead of the shuffle; `dealer`: instead of the lot.
    """
    seats = table_size(game.rules, seats)
    options = read(game, seats, given)
    check_seed(seed)
    first_dealer = dealer_number(dealer, seats)
    deck = game.rules.deck(options["actions"] is True)
    if first is None:
        cards = bytes(shuffle(deck, seed, "deal", 0))
    else:
        cards = bytes(map(KIND_OF.__getitem__, given_order(named(deck), first, seed)))
    hands = []
    dealt = 0
    for size in hand_sizes(options, seats):
        hands.append(cards[dealt : dealt + size])
        dealt += size
    lot = draw(seats, seed, "dealer", 0) if first_dealer is None else first_dealer
    table = table_for(game, seats, lot, seed, options)
    return NopeState(table, hands, cards[dealt : dealt + 1], cards[dealt + 1 :])


def restore(game: Nope, *values: Any) -> NopeState:
    """A state from the values of `NopeState.saved`."""
    (seats, dealer, seed, options), hands, piles, seat, turns, last, turn = values
    discard, draw_pile, reshuffles, out = piles
    names = [option.name for option in game.options]
    read_again = read(game, seats, dict(zip(names, options, strict=True)))
    table = table_for(game, seats, dealer, seed, read_again)
    state = NopeState(table, [*hands], discard, draw_pile)
    state.reshuffles, state.out = reshuffles, out
    state.seat, state.turns = seat, turns
    state.recent = last
    demand, state.choice, state.chosen, state.selecting, state.completable, state.drew = turn
    state.demand = _DEMANDS[demand]
    if seat == NOBODY:
        state.legal_now = ()
    elif state.selecting != NO_SELECT:
        state.legal_now = choices(state.selecting, seat, state.hands)
    elif state.chosen:
        state.legal_now = lay_more(state.holdings[seat], state.completable)
    else:
        state.legal_now = lay_or_draw(state.holdings[seat], state.demand)
    return state
