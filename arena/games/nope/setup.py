"""Setting up a match: its options, the table, the deal (SPEC 12.2, 12.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.games.chance import draw, shuffle
from arena.games.derived import plain
from arena.games.errors import BadOption, BadSeats
from arena.games.nope.cards import DECK, deck
from arena.games.nope.state import NopeState
from arena.games.nope.table import NopeTable
from arena.games.nope.views import NAME
from arena.games.options import Flag, Option, Value, WholeNumber, read_options, whole

if TYPE_CHECKING:
    from arena.games.nope.game import Nope

SEATS = (2, 3, 4, 5, 6)
_SPEC_OPTIONS = "12.8"


@dataclass(frozen=True)
class HandSizes:
    """The cards dealt: one number for all seats, a list with one for each, or nil for the usual."""

    def allowed(self, seats: int) -> str:
        return (
            f"a whole number of cards, at least 1, or a list of {seats} of them, one for each "
            f"seat, in all at most one less than the deck, or nil: {usual_hand(seats)} each"
        )

    def read(self, value: object, seats: int) -> Value:
        if value is None:
            return usual_hand(seats)
        sizes: list[object] = list(value) if isinstance(value, list | tuple) else [value] * seats
        dealt = [whole(size) for size in sizes]
        if len(dealt) != seats or min(dealt) < 1 or sum(dealt) >= len(DECK):
            raise ValueError(value)
        return dealt if isinstance(value, list | tuple) else dealt[0]


OPTIONS: tuple[Option, ...] = (
    Option("actions", Flag(), True, "true", "false: play without the 14 action cards"),
    Option(
        "hand",
        HandSizes(),
        None,
        "7, with 2 seats 8",
        "cards dealt to each, or a list with one number for each seat",
    ),
    Option(
        "max_turns",
        WholeNumber(),
        1000,
        "1000",
        "after so many turns the match is stopped",
    ),
)


def usual_hand(seats: int) -> int:
    """7 cards each; with two players 8 (SPEC 12.2)."""
    return 8 if seats == 2 else 7


def table_size(seats: object) -> int:
    """The number of seats as a plain int; BadSeats if NOPE! is not played by so many."""
    size = plain(seats)
    if size is None or size not in SEATS:
        raise BadSeats(
            f"{NAME} is played by 2 to 6; got {seats!r}",
            came=seats,
            allowed=SEATS,
            where="12.2",
        )
    return size


def read(seats: int, given: Mapping[str, object]) -> dict[str, Value]:
    """Every option with its effective value, after checking seats and options together."""
    seats = table_size(seats)
    options = read_options(NAME, OPTIONS, given, seats, _SPEC_OPTIONS)
    if options["hand"] is None:
        options["hand"] = usual_hand(seats)
    most = len(deck(options["actions"] is True)) - 1
    dealt = sum(hand_sizes(options, seats))
    if dealt > most:
        raise BadOption(
            f"option 'hand' of {NAME} with {seats} seats deals {dealt} cards, but without the "
            f"action cards at most {most} can be dealt, so that one opens the discard pile",
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


def deal(game: Nope, seats: int, seed: bytes, given: Mapping[str, object]) -> NopeState:
    """Shuffle, deal seat by seat, open the discard pile, draw the dealer by lot (SPEC 12.2)."""
    seats = table_size(seats)
    options = read(seats, given)
    if not isinstance(seed, bytes):
        raise TypeError(f"a seed is bytes; got {type(seed).__name__}")
    cards = bytes(shuffle(deck(options["actions"] is True), seed, "deal", 0))
    hands = []
    dealt = 0
    for size in hand_sizes(options, seats):
        hands.append(cards[dealt : dealt + size])
        dealt += size
    table = table_for(game, seats, draw(seats, seed, "dealer", 0), seed, options)
    return NopeState(table, hands, cards[dealt : dealt + 1], cards[dealt + 1 :])
