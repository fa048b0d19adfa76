"""A round of a trick-taking game played to its end by simple rules that see no hidden hand.

Every seat decides by its own hand, by the cards that are still out, and by which seats have shown
to lack a suit. It takes a trick with the cheapest card that will probably keep it, leads cards that
probably cannot be beaten, and throws low cards where its own team will take them; where points are
negative it stays below. There is no chance in it, so the same world is always played on alike.

Cards are rungs of the round's ladder (`arena.games.nyet.terms.Ladder`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeAlias

from arena.games.nyet.past import LOOT_BITS
from arena.games.nyet.terms import Ladder

Held: TypeAlias = list[list[int]]
"""The rungs of one suit, by seat, ascending."""

NOTHING = -1
"""Below every rung."""

# Chances from which on a seat counts on keeping a trick. With these, differences of values came
# nearest to those of the sample bot python-tricks, though little depends on them.
LEADS_FROM = 0.9
TAKES_FROM = 0.2


class OpenRound:
    """A round in its tricks, and all that is public of it."""

    __slots__ = ("is_first_team", "ladder", "out", "sizes", "suits", "void")

    def __init__(
        self, ladder: Ladder, is_first_team: Sequence[bool], suits: list[Held], void: list[int]
    ):
        """`suits`: by suit, then by seat, the rungs held. `void`: by seat, a bit for each suit that
        it has shown to lack. Both are used up."""
        self.ladder = ladder
        self.is_first_team = is_first_team
        self.suits = suits
        self.void = void
        # By suit, the rungs that are still held by anybody, ascending.
        self.out = [sorted(rung for hand in suit for rung in hand) for suit in suits]
        self.sizes = [sum(len(suit[seat]) for suit in suits) for seat in range(len(is_first_team))]

    def play(self, suit: int, seat: int, card: int) -> None:
        self.suits[suit][seat].remove(card)
        self.out[suit].remove(card)
        self.sizes[seat] -= 1

    def safety(self, seat: int, led: int, strength: int, rest: Sequence[int]) -> float:
        """Return how likely, to this seat, no opponent in `rest` beats a card of this strength.

        `led`: the suit. Each card that the seat does not see lies in an opponent's hand with the
        same chance as any other; a seat that was not seen to lack the suit is taken to hold some.
        """
        sizes, team, void = self.sizes, self.is_first_team, self.void
        mine = team[seat]
        following = ruffing = 0
        for other in rest:
            if team[other] != mine:
                if void[other] >> led & 1:
                    ruffing += sizes[other]
                else:
                    following += sizes[other]
        unseen = sum(sizes) - sizes[seat]
        safe = 1.0
        if following:
            safe = (1 - following / unseen) ** self.above(seat, led, strength)
        if ruffing:
            least = max(strength, self.ladder.ruff)
            ruffs = sum(
                self.above(seat, suit, least)
                for suit, out in enumerate(self.out)
                if suit != led and out and out[-1] >= least
            )
            safe *= (1 - ruffing / unseen) ** ruffs
        return safe

    def above(self, seat: int, suit: int, strength: int) -> int:
        """Return how many cards of a suit, as strong or stronger, the seat does not see.

        Among equals the one played last takes (SPEC 11.5).
        """
        out, held = self.out[suit], self.suits[suit][seat]
        return len(out) - bisect_left(out, strength) - len(held) + bisect_left(held, strength)


def play_out(this: OpenRound, leader: int, trick: Sequence[int], *, is_positive: bool) -> bytes:
    """Play to the end of the round; return a byte for each trick, as `TrickState.takes` has it.

    `trick`: the cards on the table, from `leader` on. `is_positive`: points are worth having.
    """
    ladder, team, suits = this.ladder, this.is_first_team, this.suits
    suit_of, is_low, ruff = ladder.suit, ladder.low, ladder.ruff
    lead, follow = (lead_high, follow_high) if is_positive else (lead_low, follow_low)
    seats = len(team)
    turns = [tuple((first + i) % seats for i in range(seats)) for first in range(seats)]
    takes = bytearray()
    while True:
        order = turns[leader]
        lows = [0, 0]
        best = NOTHING
        winner = leader
        led = 0
        for place, seat in enumerate(order):
            if place < len(trick):
                card = trick[place]
                if not place:
                    led = suit_of[card]
            elif not place:
                leads = lead(this, seat, order[1:])
                if leads is None:
                    return bytes(takes)
                card = leads
                led = suit_of[card]
                this.play(led, seat, card)
            else:
                if not suits[led][seat]:
                    this.void[seat] |= 1 << led
                card = follow(this, led, seat, best, winner, order[place + 1 :])
                this.play(suit_of[card], seat, card)
            if card >= best and (best < 0 or card >= ruff or suit_of[card] == led):
                best = card
                winner = seat
            if is_low[card]:
                lows[team[seat]] += 1
        takes.append(winner << LOOT_BITS | lows[not team[winner]])
        leader = winner
        trick = ()


def may_lead(this: OpenRound, seat: int) -> list[list[int]]:
    """Return by suit the cards that a seat may lead: not the barred, while it holds others."""
    hand = [suit[seat] for suit in this.suits]
    barred = this.ladder.not_led
    if not barred:
        return hand
    free = [[card for card in held if card not in barred] for held in hand]
    return free if any(free) else hand


def lead_high(this: OpenRound, seat: int, rest: Sequence[int]) -> int | None:
    """A card that will probably keep the trick, trumps last; else a small one.

    None if the seat holds no card.
    """
    ladder = this.ladder
    trump = ladder.suit[ladder.ruff] if ladder.ruff < len(ladder.suit) else NOTHING
    sure = small = None
    surest = LEADS_FROM
    for number, held in enumerate(may_lead(this, seat)):
        if not held:
            continue
        safe = this.safety(seat, number, held[-1], rest)
        if number == trump:
            safe -= 0.2  # a trump takes later, too
        if safe >= surest and not (ladder.low[held[-1]] and held[-1] < ladder.ruff):
            surest = safe
            sure = held[-1]
        card = next((each for each in held if not ladder.low[each]), held[-1])
        if small is None or card < small:
            small = card
    return small if sure is None else sure


def follow_high(
    this: OpenRound, led: int, seat: int, best: int, winner: int, rest: Sequence[int]
) -> int:
    """Take the trick with the cheapest card that will probably keep it; else throw a small one.

    `best`: the strongest card so far, of the seat `winner`; `rest`: the seats that play after.
    """
    suits, team = this.suits, this.is_first_team
    is_ours = team[winner] == team[seat]
    is_safe = is_ours and (not rest or this.safety(seat, led, best, rest) >= TAKES_FROM)
    held = suits[led][seat]
    if not is_safe:
        if held:
            taking = held[bisect_left(held, best) :]
        else:
            need = max(best, this.ladder.ruff)
            taking = sorted(
                card for suit in suits if suit[seat] for card in suit[seat] if card >= need
            )
        for card in taking:
            if not rest or this.safety(seat, led, card, rest) >= TAKES_FROM:
                return card
    return throw_small(this.ladder, (suits[led],) if held else suits, seat, is_safe)


def throw_small(ladder: Ladder, suits: Sequence[Held], seat: int, is_safe: bool) -> int:
    """The smallest card that is no loot; or a low one first, if the own team takes the trick."""
    low = ladder.low
    small = loot = NOTHING
    for suit in suits:
        for card in suit[seat]:
            if low[card]:
                if loot < 0 or card < loot:
                    loot = card
                continue
            if small < 0 or card < small:
                small = card
            break
    if small < 0 or (is_safe and 0 <= loot < ladder.ruff):
        return loot
    return small


def lead_low(this: OpenRound, seat: int, rest: Sequence[int]) -> int | None:
    """The smallest card there is; None if the seat holds no card."""
    return min((held[0] for held in may_lead(this, seat) if held), default=None)


def follow_low(
    this: OpenRound, led: int, seat: int, best: int, winner: int, rest: Sequence[int]
) -> int:
    """Stay below with the highest card that does, and give loot to the others.

    Where the trick cannot be left to others, spend the highest. Arguments as of `follow_high`.
    """
    ladder, team = this.ladder, this.is_first_team
    held = this.suits[led][seat]
    is_theirs = team[winner] != team[seat]
    if held:
        if is_theirs and ladder.low[held[0]] and held[0] < best:
            return held[0]
        below = bisect_left(held, best)
        if below:
            return held[below - 1]
        return held[0] if rest else held[-1]
    loot = high = least = NOTHING
    for suit in this.suits:
        its = suit[seat]
        if not its:
            continue
        if is_theirs and loot < 0 and ladder.low[its[0]] and its[0] < ladder.ruff:
            loot = its[0]
        if least < 0 or its[0] < least:
            least = its[0]
        for card in reversed(its):
            if card < ladder.ruff or card < best:
                high = max(high, card)
                break
    if loot >= 0:
        return loot
    return least if high < 0 else high
