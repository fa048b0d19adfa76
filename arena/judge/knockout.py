"""The value of an action in `nope`: the players that finish behind the seat.

A match is played on to its end by rules of one card at a time: draw or lay an action card alone
where the hand allows it; ask for much with the card that ends up on top; choose three cards of
the player who holds most. All else is drawn by lot. The rules look at the own hand and at what is
public, never into the hidden part of a world.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from arena.games import State
from arena.games.nope.actions import CHOICE_OF, FIRST_ALONE, FIRST_CHOICE
from arena.games.nope.cards import FIRST_ACTION_CARD, NUMBERS, SELECTS, SHOWS
from arena.games.nope.state import NOBODY, NopeState
from arena.judge.measure import Measure

MEASURE = Measure(
    unit="places",
    negligible=0.05,
    meaning=(
        "the number of players that finish behind the seat at the end of the match, a tie counting"
        " half; more is better"
    ),
    policy="the match is played to its end by simple rules and lots",
    trust=(
        "Much of a match is left to luck, and the rules are no strong player's: they keep no card"
        " for later. What others laid is no evidence about their hands, beyond what the rules"
        " prove."
    ),
)

# What a card on top asks for, by kind: its number, a little less with one colour, which a hand
# lacks more often. A select asks for three; a see-through leaves the demand that is there.
SELECT_ASKS = 3.0
SEE_THROUGH_ASKS = 1.5
ASKS = tuple(
    (SELECT_ASKS if kind in SELECTS else SEE_THROUGH_ASKS if SHOWS[kind].bit_count() == 1 else 1.0)
    if kind >= FIRST_ACTION_CARD
    else number * (0.8 if SHOWS[kind].bit_count() == 1 else 1.0)
    for kind, number in enumerate(NUMBERS)
)


class KnockoutValues:
    """See `arena.judge.measure.Values`."""

    measure = MEASURE

    def value(self, world: State, seat: int, action: int, seed: int) -> float:
        assert isinstance(world, NopeState)
        state = world.copy()
        state.apply(seat, action)
        play_on(state, random.Random(seed))
        outcome = state.outcome()
        assert outcome is not None
        return behind(outcome.places, seat)


def behind(places: Sequence[int], seat: int) -> float:
    """Return how many of the others finished behind a seat, a tie counting half."""
    mine = places[seat]
    return sum(place > mine for place in places) + (places.count(mine) - 1) / 2


def play_on(state: NopeState, rng: random.Random) -> None:
    """Play to the end of the match, in place."""
    while state.seat != NOBODY:
        legal = state.legal_now
        state.play(legal[0] if len(legal) == 1 else pick(state, legal, rng))


def pick(state: NopeState, legal: Sequence[int], rng: random.Random) -> int:
    """Return the action of the seat to act."""
    last = legal[-1]
    if last >= FIRST_CHOICE:
        return max(legal, key=lambda action: asked_for(state, action, rng))
    if last >= FIRST_ALONE:  # draw, or lay one card where several are demanded
        return last
    if len(state.chosen) + 1 == state.demand.count:
        return max(legal, key=ASKS.__getitem__)
    return legal[int(rng.random() * len(legal))]


def asked_for(state: NopeState, action: int, rng: random.Random) -> tuple[int, int, float]:
    """Return a key by which the choice of a select that asks for most is the greatest."""
    named, count, _ = CHOICE_OF[action]
    return count, len(state.hands[named]), rng.random()
