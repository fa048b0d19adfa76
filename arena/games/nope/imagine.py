"""A random full state that agrees with a view, for search bots (SPEC 12.11).

Hidden are the other hands and the draw pile; clues.py has the public knowledge about hands. A world
is meant to be as likely as any other deal of the unseen single cards in which every hand fits its
clues. Without a clue that is exact. With clues it is nearly so: hands are dealt one after another,
the most narrowed first, then cards change places at random (swaps.py). docs/library.md says how
near that comes.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arena.games.derived import BAD_VALUES
from arena.games.errors import BadView
from arena.games.interface import View
from arena.games.nope import setup
from arena.games.nope.cards import (
    ALL_COLOURS,
    COLOURS,
    KIND_OF,
    ONE,
    SELECTS,
    SHOWS,
    colour_bits,
)
from arena.games.nope.clues import Clue, Clues, fill, read_clues
from arena.games.nope.demand import DEMANDS, Demand, ruling_card
from arena.games.nope.holdings import TOPS_SHOWN, holding
from arena.games.nope.legality import lay_more, lay_or_draw, sets_held
from arena.games.nope.state import NO_SELECT, NopeState
from arena.games.nope.swaps import swap
from arena.games.options import whole

if TYPE_CHECKING:
    from arena.games.nope.game import Nope

# The most deals that are tried with all clues. Views of real matches need one, rarely a few. If all
# fail, a last deal keeps only the one clue that the next decision depends on.
TRIES = 100


def imagine(game: Nope, view: View, rng: random.Random) -> NopeState:
    """A random world that agrees with the view; raises BadView if there is none."""
    try:
        state = _world(game, view, rng)
    except BAD_VALUES as error:
        raise _bad_view(game, view) from error
    if state.view(view["seat"]) != view:
        raise _bad_view(game, view)
    return state


def _bad_view(game: Nope, view: object) -> BadView:
    return BadView(
        f"this is not a view of {game.name}, or was changed: no deal of the deck could look like "
        "it",
        came=view,
        allowed=(),
        where="12.11",
    )


def _world(game: Nope, view: Mapping[str, Any], rng: random.Random) -> NopeState:
    seats = view["seats"]
    me = view["seat"]
    if view["dealer"] not in range(seats):
        raise ValueError("the dealer has a seat")
    options = setup.read(game, seats, view["options"])
    table = setup.table_for(game, seats, view["dealer"], rng.randbytes(32), options)
    discard = _cards(view["discard"])
    chosen = _cards(view["chosen"])
    hands = [b""] * seats
    if me is not None:
        hands[me] = _cards(view["hand"])
    hidden = game.rules.deck(options["actions"] is True)
    for kind in discard + chosen + b"".join(hands):
        if kind not in hidden:
            raise ValueError("more copies of a card than there are")
        hidden = hidden.replace(ONE[kind], b"", 1)
    clues = {
        seat: _clues(view, seat) for seat in range(seats) if seat != me and view["hand_sizes"][seat]
    }
    sizes = {seat: view["hand_sizes"][seat] for seat in clues}
    dealt, draw_pile = _deal(hidden, sizes, clues, rng)
    for seat, hand in dealt.items():
        hands[seat] = hand
    state = NopeState(table, hands, discard, draw_pile)
    state.turns = whole(view["turns"])
    state.out = tuple(view["out"])
    if sorted(state.out) != [seat for seat in range(seats) if not view["hand_sizes"][seat]]:
        raise ValueError("a seat is out when it holds no card, and only then")
    state.recent = tuple(tuple(map(tuple, turns)) for turns in view["recent"])
    _resume(state, view, chosen)
    return state


def _cards(names: Sequence[str]) -> bytes:
    return bytes(KIND_OF[name] for name in names)


def _demand(shown: Mapping[str, Any]) -> Demand:
    return DEMANDS[shown["count"], colour_bits(shown["colours"])]


def _resume(state: NopeState, view: Mapping[str, Any], chosen: bytes) -> None:
    """Put the state into the phase of the view: a turn, a choice, or the end."""
    phase = view["phase"]
    if phase == "over":
        state.end_match()
        return
    state.seat = view["turn"]
    state.drew = view["drew"]
    if phase == "choose":
        select = ruling_card(state.discard)
        if select is None or select not in SELECTS:
            raise ValueError("a choice, but no select")
        state.ask_choice(select)
        return
    state.selecting = NO_SELECT
    demand = state.demand = _demand(view["demand"])
    if view["choice"] is not None:
        state.choice = (view["choice"]["by"], view["choice"]["to"])
    held = state.holdings[state.seat]
    if not chosen:
        state.legal_now = lay_or_draw(held, demand)
        return
    state.chosen = chosen
    completable = sets_held(holding(state.hands[state.seat] + chosen), demand)
    for kind in chosen:
        completable &= TOPS_SHOWN[kind]
    state.completable = completable
    state.legal_now = lay_more(held, completable)


def _clues(view: Mapping[str, Any], seat: int) -> Clues:
    """The clues of this view about another seat's hand."""
    drew = view["drew"] if view["phase"] == "lay" and view["turn"] == seat else 0
    return read_clues(view["recent"][seat], _demand(view["demand"]) if drew else None, drew)


def _deal(
    hidden: bytes, sizes: Mapping[int, int], clues: Mapping[int, Clues], rng: random.Random
) -> tuple[dict[int, bytes], bytes]:
    """The hidden hands, each as its clues allow, and the draw pile."""
    narrowed = sorted(
        (seat for seat in sizes if not clues[seat].says_nothing),
        key=lambda seat: clues[seat].tightness(),
    )
    for _ in range(TRIES):
        dealt = _try(hidden, narrowed, sizes, clues, rng)
        if dealt is not None:
            break
    else:
        # Keep only the clue about this moment: a player that has drawn and goes on holds a set.
        clues = {
            seat: Clues((), tuple(c for c in clues[seat].a_set if not c.laid)) for seat in sizes
        }
        narrowed = sorted(narrowed, key=lambda seat: not clues[seat].a_set)
        dealt = _try(hidden, narrowed, sizes, clues, rng)
    if dealt is None:
        raise ValueError("more cards in hands than there are")
    hands, left = dealt
    if narrowed:
        hands, left = swap(hands, left, clues, rng)
    # The hands of which nothing is known, and the draw pile, take the rest as it comes.
    for seat, size in sizes.items():
        if seat not in hands:
            if len(left) < size:
                raise ValueError("more cards in hands than there are")
            hands[seat], left = left[:size], left[size:]
    return hands, left


def _shuffled(cards: bytes, rng: random.Random) -> bytes:
    """The cards in random order, three times as fast as by rng.shuffle."""
    draw = rng.random
    return bytes(sorted(cards, key=lambda _: draw()))


def _try(
    hidden: bytes,
    order: Sequence[int],
    sizes: Mapping[int, int],
    clues: Mapping[int, Clues],
    rng: random.Random,
) -> tuple[dict[int, bytes], bytes] | None:
    """One deal of the shuffled cards to these seats; None if a hand cannot be filled."""
    dealt = {}
    left = _shuffled(hidden, rng)
    for seat in order:
        hand = b""
        for clue in clues[seat].a_set:
            hand, left = _complete_a_set(hand, left, clue, clues[seat], rng)
            if not clue.holds_set(hand):
                return None
        hand, left = fill(hand, left, sizes[seat], clues[seat], ALL_COLOURS)
        if len(hand) != sizes[seat]:
            return None
        dealt[seat] = hand
    return dealt, left


def _complete_a_set(
    hand: bytes, left: bytes, clue: Clue, clues: Clues, rng: random.Random
) -> tuple[bytes, bytes]:
    """Cards that make the hand hold the set it must, in a colour drawn at random."""
    demand = clue.demand
    for letter in rng.sample(demand.colours, len(demand.colours)):
        if clue.holds_set(hand):
            break
        colour = 1 << COLOURS.index(letter)
        shown = sum(1 for kind in hand + clue.laid if SHOWS[kind] & colour)
        more, rest = fill(hand, left, len(hand) + demand.count - shown, clues, colour)
        if clue.holds_set(more):
            hand, left = more, rest
    return hand, left
