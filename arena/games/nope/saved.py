"""A state of NOPE! as a few plain values, for pickles and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.games.nope import setup
from arena.games.nope.demand import DEMANDS
from arena.games.nope.legality import choices, lay_more, lay_or_draw
from arena.games.nope.state import NO_SELECT, NOBODY, NopeState

if TYPE_CHECKING:
    from arena.games.nope.game import Nope

_DEMANDS = (*DEMANDS.values(),)  # by code


def restore(game: Nope, *values: Any) -> NopeState:
    """A state from the values of `NopeState.saved`."""
    (seats, dealer, seed, options), hands, piles, seat, turns, last, turn = values
    discard, draw_pile, reshuffles, out = piles
    names = [option.name for option in game.options]
    read = setup.read(seats, dict(zip(names, options, strict=True)))
    table = setup.table_for(game, seats, dealer, seed, read)
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
