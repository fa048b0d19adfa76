"""NOPE!: worlds, and what a way to finish the turn comes to in each.

A candidate is a whole turn, as a tuple of actions, because a set has to be chosen as a whole.
"""

from nope.colours import COLOURS, DECK, shows
from nope.hands import exposure
from nope.plans import Prospects, cost_of, plans
from search import best_of

from arena.games import GAMES

GAME = GAMES["nope"]
CODE = GAME.actions.code
DRAW = CODE("draw")
IS_ALONE = [name.endswith("!") for name in GAME.actions.names]
SHOWN = {card: tuple(colour in shows(card) for colour in COLOURS) for card in DECK}

MOST_PLANS = 8  # ways to finish the turn that are tried, the best of python-nope's first
TURNS = 2  # of each seat, before we look where we stand: the end is too far to guess
OUT = -3.0  # the value of a hand without cards; one with cards is worth about their number
ENMITY = 2.0  # how much the cards of all others count together, where each of ours counts 1


def play(view, legal, rng, budget):
    """Return the first action of the best way to finish the turn."""
    me, seats = view["seat"], view["seats"]
    if view["phase"] == "choose":
        prior = {(action,): cost_of(view, action) / seats for action in legal}
    else:
        prospects = Prospects(view)
        prior = {plan: prospects.value(plan) for plan in sorted(plans(view, legal))}
    best = sorted(prior, key=prior.__getitem__, reverse=True)[:MOST_PLANS]
    turns = TURNS * sum(size > 0 for size in view["hand_sizes"])

    def sample():
        world = GAME.imagine(view, rng)

        def value_of(plan):
            state = world.copy()
            for action in plan:
                state.apply(me, CODE(action))
            play_on(state, turns, rng)
            return standing(state, me, seats)

        return value_of

    return best_of({plan: prior[plan] for plan in best}, sample, budget)[0]


def play_on(state, turns, rng):
    """Play so many turns more: a seat that can draws or lays one action card alone; all else is
    chance."""
    before = None
    while acting := state.to_act():
        seat = acting[0]
        if seat != before:
            if turns == 0:
                return
            turns -= 1
            before = seat
        legal = state.legal(seat)
        last = legal[-1]
        chosen = last if last == DRAW or IS_ALONE[last] else legal[int(rng.random() * len(legal))]
        state.apply(seat, chosen)


def standing(state, me, seats):
    """Return our cards less theirs; a hand that will soon have to lay many counts less."""
    total = 0.0
    for seat in range(seats):
        hand = state.view(seat)["hand"]
        value = OUT
        if hand:
            shown = [SHOWN[card] for card in hand]
            counts = tuple(map(sum, zip(*shown, strict=True)))
            value = len(hand) - exposure(counts, 2 if seats == 2 else 1)
        total += value if seat == me else -value * ENMITY / seats
    return total
