"""The places of all cards of a state, and a copy with the hidden ones dealt anew.

Tests prove with these that no card is lost, and that views and refusals tell nothing hidden.
"""

from __future__ import annotations

import random

from arena.games.nope.cards import named
from arena.games.nope.holdings import holding
from arena.games.nope.state import NopeState


def cards(state: NopeState) -> list[str]:
    """Every card: in a hand, on its way to the discard pile, or in a pile."""
    return named(b"".join((*state.hands, state.chosen, state.discard, state.draw_pile)))


def redeal(state: NopeState, seat: int | None, rng: random.Random) -> NopeState:
    """See `arena.games.interface.Game.redeal`."""
    state = state.copy()
    sizes = [len(hand) for hand in state.hands]
    others = [other for other in range(state.table.seats) if other != seat]
    if state.chosen and seat != state.seat:
        # The others cannot see that a set is begun.
        sizes[state.seat] += len(state.chosen)
        state.hands[state.seat] += state.chosen
        state.chosen = b""
    hidden = [*state.draw_pile, *(kind for other in others for kind in state.hands[other])]
    rng.shuffle(hidden)
    for other in others:
        state.hands[other] = bytes(hidden[: sizes[other]])
        state.holdings[other] = holding(state.hands[other])
        del hidden[: sizes[other]]
    state.draw_pile = bytes(hidden)
    return state
