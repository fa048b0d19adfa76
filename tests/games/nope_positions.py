"""NOPE! positions made to order: hands, piles and turn, by the names of the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.games.nope import NOPE, NopeState
from arena.games.nope.cards import KIND_OF, KINDS, ONE, colour_bits
from arena.games.nope.demand import DEMANDS
from arena.games.nope.legality import lay_or_draw
from arena.games.nope.setup import read, table_for


def cards(names: str) -> bytes:
    """ "R1 RG2" as cards."""
    return bytes(KIND_OF[name] for name in names.split())


def position(
    hands: Sequence[str],
    discard: str,
    *,
    draw_pile: str | None = None,
    turn: int = 0,
    demand: tuple[int, str] | None = None,
    options: Mapping[str, object] = {},
    seed: bytes = b"position",
) -> NopeState:
    """A match in which seat `turn` is about to begin a turn.

    The top card of the discard pile opens it as a first card does; `demand` puts another
    demand in force. The draw pile is all other cards in kind order, unless it is given. A
    seat with an empty hand is out, lower seats having gone first.
    """
    seats = len(hands)
    effective = read(NOPE, seats, options)
    held = [cards(hand) for hand in hands]
    pile = cards(discard)
    stock = NOPE.rules.deck(effective["actions"] is True) if draw_pile is None else cards(draw_pile)
    if draw_pile is None:
        for kind in b"".join(held) + pile:
            assert kind in stock, f"too many {KINDS[kind]} in this position"
            stock = stock.replace(ONE[kind], b"", 1)
    state = NopeState(
        table_for(NOPE, seats, (turn - 1) % seats, seed, effective), held, pile, stock
    )
    state.out = tuple(seat for seat, hand in enumerate(held) if not hand)
    if demand is not None:
        count, colours = demand
        state.demand = DEMANDS[count, colour_bits(colours)]
        state.legal_now = lay_or_draw(state.holdings[turn], state.demand)
    return state


def legal(state: NopeState) -> str:
    """What the seat to act may do, by name, in order."""
    (seat,) = state.to_act()
    return " ".join(NOPE.actions.name(code) for code in state.legal(seat))


def play(state: NopeState, actions: str) -> NopeState:
    """These actions, one after the other, each by whoever is to act; gives the state back."""
    for name in actions.split():
        (seat,) = state.to_act()
        state.apply(seat, NOPE.actions.code(name))
    return state


def demand_of(state: NopeState) -> str:
    """The demand in force, as "2 RG"; "none" while a choice is open, and when over."""
    demand = state.view(None)["demand"]
    return "none" if demand is None else f"{demand['count']} {demand['colours']}"


def hand_of(state: NopeState, seat: int) -> str:
    """A hand, in kind order."""
    return " ".join(state.view(seat)["hand"])
