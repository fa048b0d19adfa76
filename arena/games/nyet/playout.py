"""Random legal play to the end of the round or of the match, for search bots.

Tokens and tricks, which are most of a round, are played in loops of their own on local values:
the same rules as in `TrickState`, without asking whether what was just picked from the legal
ones is legal. A test plays the same choices through `apply` and compares.
"""

from __future__ import annotations

import random
from operator import add

from arena.games.interface import Until
from arena.games.nyet.cards import BYTE
from arena.games.nyet.lots import draws, in_random_order
from arena.games.nyet.past import LOOT_BITS
from arena.games.nyet.phases import DISCARD, OVER, PLAY, TOKENS
from arena.games.nyet.state import TrickState

END = b"\xff"
"""Ends the hand of a seat where several hands are handled as one: no kind and no rung."""


def playout(state: TrickState, rng: random.Random, until: Until) -> None:
    """Play on, in place; each card that may be played is as likely as any other."""
    number = state.past.number
    while state.phase is not OVER and (until == "match" or state.past.number == number):
        if state.phase is PLAY and state.led is None:
            play_tricks(state, rng)
        elif state.phase is TOKENS:
            place_tokens(state, rng)
        elif state.phase is DISCARD:
            give_cards(state, rng)
        else:
            seat = state.turn
            legal = state.choices
            state.apply(seat, legal[int(rng.random() * len(legal))])


def place_tokens(state: TrickState, rng: random.Random) -> None:
    """The rest of the tokens of a round.

    To cover any box that may be covered, one after the other, is to put all open boxes into a
    random order and leave out the last of each row.
    """
    table = state.match.table
    boxes = table.boxes.translate(None, state.log)
    order = bytes(in_random_order(boxes, rng))
    last = dict(zip(order.translate(table.tables.actions.row_of), order, strict=True))
    state.log += order.translate(None, bytes(last.values()))
    state.end_tokens()


def give_cards(state: TrickState, rng: random.Random) -> None:
    """What is still to be discarded or passed on."""
    terms = state.terms
    assert terms is not None
    cards, low = terms.discard.cards, state.match.low if terms.discard.spares_low else b""
    given = [*state.given]
    for seat in state.to_act():
        hand, spare, gift = state.hands[seat], state.spares[seat], given[seat]
        while len(gift) < cards:
            legal = hand.translate(None, low) or hand
            kind = legal[int(rng.random() * len(legal))]
            if kind in spare:
                spare = spare.replace(BYTE[kind], b"", 1)
            else:
                hand = hand.replace(BYTE[kind], b"")
            gift += BYTE[kind]
        state.hands[seat], state.spares[seat], given[seat] = hand, spare, gift
    state.given = given
    state.end_gifts()


def play_tricks(state: TrickState, rng: random.Random) -> None:
    """From a lead to the end of the round. Cards are rungs of the round's ladder."""
    match, terms, team = state.match, state.terms, state.team
    assert terms is not None
    assert team is not None
    ladder = terms.trumps.ladder
    suit_of, is_low, ruff, ours = ladder.suit, ladder.low, ladder.ruff, team.mask
    # The cards of each seat; and for each suit, those of each seat.
    cards = bytearray(END.join(map(add, state.hands, state.spares))).translate(ladder.rung)
    hands = cards.split(END)
    suits = [cards.translate(None, others).split(END) for others in ladder.others]
    chance = iter(draws(rng, len(cards)))
    followers = match.table.followers
    leader = state.leader
    played = []
    takes = []
    while hands[leader]:
        hand = hands[leader]
        card = hand.pop(next(chance) % len(hand))
        led = suits[suit_of[card]]
        led[leader].remove(card)
        played.append(card)
        best = card
        winner = leader
        lows = 1 << leader if is_low[card] else 0
        for seat in followers[leader]:
            serving = led[seat]
            if serving:
                card = serving.pop(next(chance) % len(serving))
                hands[seat].remove(card)
                if card >= best:
                    best = card
                    winner = seat
            else:
                hand = hands[seat]
                card = hand.pop(next(chance) % len(hand))
                suits[suit_of[card]][seat].remove(card)
                if best <= card >= ruff:
                    best = card
                    winner = seat
            played.append(card)
            if is_low[card]:
                lows |= 1 << seat
        if lows:  # loot: what of them the other team played
            lows &= ~ours if ours >> winner & 1 else ours
        takes.append(winner << LOOT_BITS | lows.bit_count())
        leader = winner
    state.hands = [b""] * match.seats
    state.spares = [b""] * match.seats
    state.choices = b""
    state.log += bytes(played).translate(ladder.kind)
    state.takes += bytes(takes)
    state.leader = leader
    state.end_round()
