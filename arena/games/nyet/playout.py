"""Random legal play to the end of the round or of the match, for search bots.

Tokens and tricks, which are most of a round, are played in loops of their own on local values:
the same rules as in `TrickState`, without a check that a card just picked from the legal ones is
legal. A test plays the same choices through `apply` and compares.
"""

from __future__ import annotations

import random
from operator import add

from arena.games.interface import Until
from arena.games.nyet.cards import BYTE
from arena.games.nyet.lots import draws, in_random_order
from arena.games.nyet.past import LOOT_BITS, NEXT_LEADER
from arena.games.nyet.phases import DISCARD, OVER, PLAY, TOKENS
from arena.games.nyet.state import TrickState
from arena.games.nyet.terms import may_play

END = b"\xff"
"""Marks the end of each hand where hands are joined to one bytes value: it is no kind or rung."""


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
    """Place the rest of the tokens of a round.

    Covering a random box each time is the same as putting all open boxes into a random order
    and leaving out the last of each row.
    """
    table = state.match.table
    boxes = table.boxes.translate(None, state.log)
    order = bytes(in_random_order(boxes, rng))
    last = dict(zip(order.translate(table.tables.actions.row_of), order, strict=True))
    state.log += order.translate(None, bytes(last.values()))
    state.end_tokens()


def give_cards(state: TrickState, rng: random.Random) -> None:
    """Discard or pass on, at random, the cards that are still to go."""
    terms = state.terms
    assert terms is not None
    cards, low = terms.discard.cards, state.match.low if terms.discard.spares_low else b""
    given = [*state.given]
    for seat in state.to_act():
        hand, spare, gift = state.hands[seat], state.spares[seat], given[seat]
        while len(gift) < cards:
            legal = may_play(hand, low) if low else hand
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
    """Play from a lead to the end of the round. Cards are rungs of the round's ladder."""
    match, terms, team = state.match, state.terms, state.team
    assert terms is not None
    assert team is not None
    ladder = terms.trumps.ladder
    suit_of, is_low, ruff, ours = ladder.suit, ladder.low, ladder.ruff, team.mask
    not_led, next_leader = ladder.not_led, NEXT_LEADER
    # The cards of each seat; and for each suit, those of each seat.
    cards = bytearray(END.join(map(add, state.hands, state.spares))).translate(ladder.rung)
    hands = cards.split(END)
    suits = [cards.translate(None, others).split(END) for others in ladder.others]
    chance = iter(draws(rng, len(cards)))
    followers = match.table.followers
    leader = state.leader
    played = []
    takes = []
    while hand := hands[leader]:
        if not_led:
            legal = may_play(hand, not_led)
            card = legal[next(chance) % len(legal)]
            hand.remove(card)
        else:
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
        if lows:  # loot: those that the other team played
            lows &= ~ours if ours >> winner & 1 else ours
        take = winner << LOOT_BITS | lows.bit_count()
        takes.append(take)
        leader = next_leader[take]
    state.hands = [b""] * match.seats
    state.spares = [b""] * match.seats
    state.choices = b""
    state.log += bytes(played).translate(ladder.kind)
    state.takes += bytes(takes)
    state.leader = leader
    state.end_round()
