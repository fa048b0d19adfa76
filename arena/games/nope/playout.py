"""Random legal play to the end, for search bots: no checks, as only legal actions are drawn."""

from __future__ import annotations

import random

from arena.games.nope.state import NOBODY, NopeState


def playout(state: NopeState, rng: random.Random) -> None:
    """Play the match out, in place, each legal action as likely as any other."""
    draw = rng.random
    play = state.play
    while state.seat != NOBODY:
        legal = state.legal_now
        count = len(legal)
        # A float times a small number is as even as anyone can tell, and twice as fast.
        play(legal[int(draw() * count)] if count > 1 else legal[0])
