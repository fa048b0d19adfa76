"""Random legal play to the end of the round or of the match, for search bots.

Tokens and tricks, which are most of a round, are played in loops of their own on local values:
the same rules as in `TrickState`, without asking whether what was just picked from the legal
ones is legal. A test plays the same choices through `apply` and compares.
"""

from __future__ import annotations

import random
from array import array

from arena.games.interface import Until
from arena.games.nyet.past import LOOT_BITS
from arena.games.nyet.phases import PLAY, TOKENS
from arena.games.nyet.state import TrickState


def playout(state: TrickState, rng: random.Random, until: Until) -> None:
    """Play on, in place; each card that may be played is as likely as any other."""
    number = state.past.number
    while state.owing and (until == "match" or state.past.number == number):
        if state.phase is PLAY and not state.unfit:
            play_tricks(state, rng)
        elif state.phase is TOKENS:
            place_tokens(state, rng)
        else:
            seat = state.owing[0]
            legal = state.legal(seat)
            state.apply(seat, legal[int(rng.random() * len(legal))])


def draws(rng: random.Random, count: int) -> array[int]:
    """Numbers below 2**16, from which one below n is `draw * n >> 16`: off by less than one in
    two thousand for the few cards of a hand, and in a third of the time of `randrange`."""
    return array("H", rng.randbytes(2 * count))


def place_tokens(state: TrickState, rng: random.Random) -> None:
    """The rest of the tokens of a round."""
    table = state.match.table
    row_of = table.tables.actions.row_of
    boxes = [*state.boxes]
    left = [0] * 5  # by row, the boxes open; of a settled row, none
    for box in boxes:
        left[row_of[box]] += 1
    placed = []
    for draw in draws(rng, table.tokens - len(state.log)):
        box = boxes.pop(draw * len(boxes) >> 16)
        placed.append(box)
        row = row_of[box]
        left[row] -= 1
        if left[row] == 1:
            boxes = [box for box in boxes if row_of[box] != row]
    state.log += bytes(placed)
    state.boxes = b""
    state.end_tokens()


def play_tricks(state: TrickState, rng: random.Random) -> None:
    """From a lead to the end of the round."""
    match, terms, team = state.match, state.terms, state.team
    assert terms is not None
    assert team is not None
    deck = match.deck
    low, suit_of, powers, ours = deck.low, terms.suit, terms.power, team.mask
    # The cards of each seat; and for each suit, those of each seat.
    hands = [[*hand, *spare] for hand, spare in zip(state.hands, state.spares, strict=True)]
    suits: list[list[list[int]]] = [[[] for _ in hands] for _ in deck.rules.colours]
    for seat, hand in enumerate(hands):
        for kind in hand:
            suits[suit_of[kind]][seat].append(kind)
    chance = iter(draws(rng, sum(map(len, hands))))
    followers = match.table.followers
    leader = state.leader
    played = []
    takes = []
    while hands[leader]:
        hand = hands[leader]
        kind = hand.pop(next(chance) * len(hand) >> 16)
        led = suits[suit_of[kind]]
        led[leader].remove(kind)
        played.append(kind)
        power = powers[kind]
        best = power[kind]
        winner = leader
        lows = 1 << leader if kind in low else 0
        # The seats first: when they are at an end, no chance is taken.
        for seat, draw in zip(followers[leader], chance):  # noqa: B905  # of unequal length
            serving = led[seat]
            if serving:
                kind = serving.pop(draw * len(serving) >> 16)
                hands[seat].remove(kind)
            else:
                hand = hands[seat]
                kind = hand.pop(draw * len(hand) >> 16)
                suits[suit_of[kind]][seat].remove(kind)
            played.append(kind)
            if power[kind] >= best:
                best = power[kind]
                winner = seat
            if kind in low:
                lows |= 1 << seat
        if lows:
            lows &= ~ours if ours >> winner & 1 else ours
        takes.append(winner << LOOT_BITS | lows.bit_count())
        leader = winner
    state.hands = [b""] * match.seats
    state.spares = [b""] * match.seats
    state.log += bytes(played)
    state.takes += bytes(takes)
    state.leader = leader
    state.end_round()
