"""Random legal play to the end of the round or of the match, for search bots.

Tokens and tricks, which are most of a round, are played in loops of their own on local values:
the same rules as in `TrickState`, without asking whether what was just picked from the legal
ones is legal. A test plays the same choices through `apply` and compares.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from itertools import compress

from arena.games.interface import Until
from arena.games.nyet.past import LOOT_BITS
from arena.games.nyet.phases import PLAY, TOKENS
from arena.games.nyet.state import TrickState
from arena.games.nyet.tables import Match


def playout(state: TrickState, rng: random.Random, until: Until) -> None:
    """Play on, in place; each card that may be played is as likely as any other."""
    number = state.past.number
    while (owing := state.to_act()) and (until == "match" or state.past.number == number):
        if state.phase is PLAY and state.led is None:
            play_tricks(state, rng)
        elif state.phase is TOKENS:
            place_tokens(state, rng)
        else:
            seat = owing[0]
            legal = state.legal(seat)
            state.apply(seat, legal[int(rng.random() * len(legal))])


def draws(rng: random.Random, count: int) -> array[int]:
    """Numbers below 2**16, from which one below n is `draw % n`: off by less than one in
    two thousand for the few cards of a hand, and in a third of the time of `randrange`."""
    return array("H", rng.randbytes(2 * count))


def place_tokens(state: TrickState, rng: random.Random) -> None:
    """The rest of the tokens of a round."""
    table = state.match.table
    row_of = table.tables.actions.row_of
    boxes = [*state.choices]
    left = [0] * 5  # by row, the boxes open; of a settled row, none
    for box in boxes:
        left[row_of[box]] += 1
    placed = []
    for draw in draws(rng, table.tokens - len(state.log)):
        box = boxes.pop(draw % len(boxes))
        placed.append(box)
        row = row_of[box]
        left[row] -= 1
        if left[row] == 1:
            boxes = [box for box in boxes if row_of[box] != row]
    state.log += bytes(placed)
    state.end_tokens()


def play_tricks(state: TrickState, rng: random.Random) -> None:
    """From a lead to the end of the round. Cards are rungs of the round's ladder."""
    match, terms, team = state.match, state.terms, state.team
    assert terms is not None
    assert team is not None
    ladder = terms.ladder
    suit_of, ruff = ladder.suit, ladder.ruff
    # The cards of each seat; and for each suit, those of each seat.
    hands = [
        bytearray((hand + spare).translate(ladder.rung))
        for hand, spare in zip(state.hands, state.spares, strict=True)
    ]
    suits = [[hand.translate(None, others) for hand in hands] for others in ladder.others]
    chance = iter(draws(rng, sum(map(len, hands))))
    followers = match.table.followers
    leader = state.leader
    leaders = []
    played = []
    while hands[leader]:
        leaders.append(leader)
        hand = hands[leader]
        card = hand.pop(next(chance) % len(hand))
        led = suits[suit_of[card]]
        led[leader].remove(card)
        played.append(card)
        best = card
        winner = leader
        # The seats first: when they are at an end, no chance is taken.
        for seat, draw in zip(followers[leader], chance):  # noqa: B905  # of unequal length
            serving = led[seat]
            if serving:
                card = serving.pop(draw % len(serving))
                hands[seat].remove(card)
                if card >= best:
                    best = card
                    winner = seat
            else:
                hand = hands[seat]
                card = hand.pop(draw % len(hand))
                suits[suit_of[card]][seat].remove(card)
                if best <= card >= ruff:
                    best = card
                    winner = seat
            played.append(card)
        leader = winner
    leaders.append(leader)
    cards = bytes(played).translate(ladder.kind)
    state.hands = [b""] * match.seats
    state.spares = [b""] * match.seats
    state.choices = b""
    state.log += cards
    state.takes += takes_of(cards, leaders, match, team.mask)
    state.leader = leader
    state.end_round()


def takes_of(cards: bytes, leaders: Sequence[int], match: Match, ours: int) -> bytes:
    """Whom the tricks went to, and the loot in them, as `TrickState.takes` has it (SPEC 11.6)."""
    seats = match.seats
    takes = [winner << LOOT_BITS for winner in leaders[1:]]
    for place in compress(range(len(cards)), cards.translate(match.deck.low_marks)):
        trick = place // seats
        player = (leaders[trick] + place) % seats
        if (ours >> player ^ ours >> leaders[trick + 1]) & 1:
            takes[trick] += 1
    return bytes(takes)
