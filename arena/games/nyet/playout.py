"""Random legal play to the end of the round or of the match, for search bots.

Tokens and tricks, which are most of a round, are played in loops of their own on local values:
the same rules as in `TrickState`, without a check that a card just picked from the legal ones is
legal. A test plays the same choices through `apply` and compares.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from operator import add, mod

from arena.games.interface import Until
from arena.games.nyet.cards import BYTE
from arena.games.nyet.past import NEXT_LEADER
from arena.games.nyet.phases import DISCARD, OVER, PLAY, TOKENS
from arena.games.nyet.position import Position, end_gifts, end_round, end_tokens
from arena.games.nyet.terms import may_play

END = b"\xff"
"""Marks the end of each hand where hands are joined to one bytes value: it is no kind or rung."""


def playout(state: Position, rng: random.Random, until: Until) -> None:
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


def place_tokens(state: Position, rng: random.Random) -> None:
    """Place the rest of the tokens of a round.

    Covering a random box each time is the same as putting all open boxes into a random order
    and leaving out the last of each row.
    """
    table = state.match.table
    boxes = table.boxes.translate(None, state.log)
    order = bytes(in_random_order(boxes, rng))
    last = dict(zip(order.translate(table.tables.actions.row_of), order, strict=True))
    state.log += order.translate(None, bytes(last.values()))
    end_tokens(state)


def give_cards(state: Position, rng: random.Random) -> None:
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
    end_gifts(state)


def play_tricks(state: Position, rng: random.Random) -> None:
    """Play from a lead to the end of the round. Cards are rungs of the round's ladder."""
    terms, team = state.terms, state.team
    assert terms is not None
    assert team is not None
    ladder, takes_of = terms.trumps.ladder, team.takes
    suit_of, is_low, ruff, not_led = ladder.suit, ladder.low, ladder.ruff, ladder.not_led
    followers = state.match.table.followers
    cards = bytearray(END.join(map(add, state.hands, state.spares))).translate(ladder.rung)
    # By suit, then by seat, its cards; and the same by seat, then by suit.
    suits = [cards.translate(None, others).split(END) for others in ladder.others]
    hands = [*zip(*suits, strict=True)]
    lots = draws(rng, len(cards))
    leader = state.leader
    played = []
    takes = []
    for held in range(sum([len(suit) for suit in hands[leader]]), 0, -1):
        if not_led:
            legal = may_play(b"".join(hands[leader]), not_led)
            card = legal[lots.pop() % len(legal)]
        else:
            card = b"".join(hands[leader])[lots.pop() % held]
        hands[leader][suit_of[card]].remove(card)
        played.append(card)
        led = suits[suit_of[card]]
        best = card
        winner = leader
        lows = 1 << leader if is_low[card] else 0
        for seat in followers[leader]:
            serving = led[seat]
            if serving:
                card = serving.pop(lots.pop() % len(serving))
                if card >= best:
                    best = card
                    winner = seat
            else:
                card = b"".join(hands[seat])[lots.pop() % held]
                hands[seat][suit_of[card]].remove(card)
                if best <= card >= ruff:
                    best = card
                    winner = seat
            played.append(card)
            if is_low[card]:
                lows |= 1 << seat
        take = takes_of[winner][lows]
        takes.append(take)
        leader = NEXT_LEADER[take]
    enter_tricks(state, bytes(played).translate(ladder.kind), bytes(takes), leader)


def enter_tricks(state: Position, played: bytes, takes: bytes, leader: int) -> None:
    """Enter all tricks that were left in the round, and end it. `leader`: of the next trick."""
    state.hands = [b""] * state.match.seats
    state.spares = [b""] * state.match.seats
    state.choices = b""
    state.log += played
    state.takes += takes
    state.leader = leader
    end_round(state)


def draws(rng: random.Random, count: int) -> list[int]:
    """Draw numbers below 2**16, less evenly than `chance` does, and faster.

    `draw % n` makes one below n. That is off by less than one in a thousand for n up to a deck of
    cards, and takes a third of the time of `randrange`.
    """
    return array("H", rng.randbytes(2 * count)).tolist()


def in_random_order(things: bytes, rng: random.Random) -> Iterator[int]:
    """Yield the things in random order, without a loop in Python."""
    left = bytearray(things)
    count = len(things)
    return map(left.pop, map(mod, draws(rng, count), range(count, 0, -1)))
