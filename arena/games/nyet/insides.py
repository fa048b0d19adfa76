"""The places of all cards of a state, and a copy with the hidden ones dealt anew.

Tests prove with these that no card is lost, and that views and refusals tell nothing hidden.
"""

from __future__ import annotations

import random
from collections import Counter

from arena.games.nyet.phases import DISCARD
from arena.games.nyet.state import TrickState
from arena.games.nyet.turns import together


def cards(state: TrickState) -> list[str]:
    """Every card but those that lie aside, of which a state with two seats knows nothing."""
    passed_on = state.phase is not DISCARD and state.terms and state.terms.discard.passes
    kinds = b"".join(
        (
            *state.hands,
            *state.spares,
            *(() if passed_on else state.given),
            state.log[state.match.table.before_cards :],
        )
    )
    return [state.match.deck.names[kind] for kind in kinds]


def redeal(state: TrickState, seat: int | None, rng: random.Random) -> TrickState:
    """See `arena.games.interface.Game.redeal`."""
    state = state.copy()
    deck = state.match.deck
    others = [other for other in range(state.match.seats) if other != seat]
    choosing = state.phase is DISCARD
    if choosing:
        # The choices of others are hidden, even that they have chosen.
        for other in others:
            kinds = state.hands[other] + state.spares[other] + state.given[other]
            state.hands[other], state.spares[other] = deck.sort_hand(kinds)
            state.given = (*state.given[:other], b"", *state.given[other + 1 :])
        state.turn = together({*state.to_act(), *others})
    discards = not choosing and not (state.terms and state.terms.discard.passes)
    shown = Counter(state.log[state.match.table.before_cards :])
    if seat is not None:
        shown += Counter(state.hands[seat] + state.spares[seat])
        if discards or choosing:
            shown += Counter(state.given[seat])
    hidden = [*(Counter(state.match.table.cards) - shown).elements()]
    rng.shuffle(hidden)
    for other in others:
        size = len(state.hands[other]) + len(state.spares[other])
        state.hands[other], state.spares[other] = deck.sort_hand(bytes(hidden[:size]))
        del hidden[:size]
        if discards:
            size = len(state.given[other])
            given = bytes(hidden[:size])
            state.given = (*state.given[:other], given, *state.given[other + 1 :])
            del hidden[:size]
    if choosing:
        for other in others:
            for _ in range(rng.randrange(3)):
                if other in state.to_act() and len(state.to_act()) > 1:
                    state.apply(other, rng.choice(list(state.legal(other))))
    return state
