"""What only tests look at: where every card of a state is, and hidden cards dealt anew."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping

from arena.games import GAMES, State
from arena.games.nope.cards import KINDS
from arena.games.nope.cards import deck as nope_deck
from arena.games.nope.holdings import holding
from arena.games.nope.state import NopeState
from arena.games.nyet.phases import DISCARD
from arena.games.nyet.state import TrickState
from arena.games.nyet.turns import together

SWEEP: Mapping[str, tuple[Mapping[str, object], ...]] = {
    "trick": (
        {"rounds": 2},
        {"rounds": 3, "scoring": "difference", "bonus": "score", "dealer": 1},
        {"rounds": 3, "target": 12, "scoring": "difference"},
        {"rounds": 2, "bonus": "score"},
    ),
    "nope": (
        {},
        {"actions": False},
        {"hand": 3, "max_turns": 40},
        {"hand": 14},
    ),
}
"""Options that between them use every value an option has."""


def tables() -> Iterator[tuple[str, int, Mapping[str, object]]]:
    """Every rule set at every size, with every set of options of the sweep."""
    for name, game in GAMES.items():
        for seats in game.seats:
            for options in SWEEP["nope" if name == "nope" else "trick"]:
                yield name, seats, options


def deck(state: State) -> Counter[str]:
    """Every card that the state's match is played with."""
    if isinstance(state, NopeState):
        return Counter(KINDS[kind] for kind in nope_deck(state.table.options["actions"] is True))
    assert isinstance(state, TrickState)
    names = state.match.deck.names
    return Counter(names[kind] for kind in state.match.table.cards)


def cards(state: State) -> Counter[str]:
    """Every card that is somewhere in the state; what lies aside with two players is not."""
    if isinstance(state, NopeState):
        kinds = b"".join((*state.hands, state.chosen, state.discard, state.draw_pile))
        return Counter(KINDS[kind] for kind in kinds)
    assert isinstance(state, TrickState)
    passed_on = state.phase is not DISCARD and state.terms and state.terms.discard.passes
    kinds = b"".join(
        (
            *state.hands,
            *state.spares,
            *(() if passed_on else state.given),
            state.log[state.match.table.before_cards :],
        )
    )
    return Counter(state.match.deck.names[kind] for kind in kinds)


def aside(state: State) -> int:
    """How many cards lie aside this round."""
    if isinstance(state, TrickState) and state.match.seats == 2:
        return 30
    return 0


def hide_anew(state: State, seat: int | None, rng: random.Random) -> State:
    """A copy in which all that the seat cannot see has been dealt anew."""
    if isinstance(state, NopeState):
        return _hide_nope(state.copy(), seat, rng)
    assert isinstance(state, TrickState)
    return _hide_tricks(state.copy(), seat, rng)


def _hide_tricks(state: TrickState, seat: int | None, rng: random.Random) -> TrickState:
    others = [other for other in range(state.match.seats) if other != seat]
    choosing = state.phase is DISCARD
    if choosing:
        # What others have chosen so far is hidden, and so is whether they have chosen at all.
        for other in others:
            kinds = state.hands[other] + state.spares[other] + state.given[other]
            state.hands[other], state.spares[other] = state.match.deck.sort_hand(kinds)
            state.given = (*state.given[:other], b"", *state.given[other + 1 :])
        state.turn = together({*state.to_act(), *others})
    discards = not choosing and not (state.terms and state.terms.discard.passes)
    known = Counter(state.match.table.cards) - Counter(
        kind for other in others for kind in state.hands[other] + state.spares[other]
    )
    if discards:
        known -= Counter(kind for other in others for kind in state.given[other])
    shown = Counter(state.log[state.match.table.before_cards :])
    if seat is not None:
        shown += Counter(state.hands[seat] + state.spares[seat])
        if discards or choosing:
            shown += Counter(state.given[seat])
    hidden = [*(Counter(state.match.table.cards) - shown).elements()]
    rng.shuffle(hidden)
    for other in others:
        size = len(state.hands[other]) + len(state.spares[other])
        state.hands[other], state.spares[other] = state.match.deck.sort_hand(bytes(hidden[:size]))
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


def _hide_nope(state: NopeState, seat: int | None, rng: random.Random) -> NopeState:
    sizes = [len(hand) for hand in state.hands]
    others = [other for other in range(state.table.seats) if other != seat]
    if state.chosen and seat != state.seat:
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
