"""Makes hands that were filled one after another nearly as likely as all others that fit.

A card of a narrowed hand and any other hidden card change places, if all hands then still fit
their clues; else nothing is done. Both ways have the same chance, so that with more and more such
swaps all deals that can be reached become equally likely: Metropolis' method.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from arena.games.nope.cards import ONE
from arena.games.nope.clues import Clues, lanes
from arena.games.nope.holdings import ANOTHER

SWAPS = 6
"""Swaps that are tried for each card of a narrowed hand. Measured in docs/library.md."""


def swap(
    hands: Mapping[int, bytes], left: bytes, clues: Mapping[int, Clues], rng: random.Random
) -> tuple[dict[int, bytes], bytes]:
    """Return the narrowed hands, by seat, and the other cards, in random order, after swaps."""
    seats = [*hands]
    owners = [seat for seat in seats for _ in hands[seat]]
    cards = [*b"".join(hands.values()), *left]
    narrowed, count = len(owners), len(cards)
    now = dict(hands)
    counted = {seat: lanes(hand) for seat, hand in hands.items()}
    chance = rng.random
    for _ in range(SWAPS * narrowed):
        i = int(chance() * narrowed)
        j = int(chance() * count)
        mine, other = cards[i], cards[j]
        if mine == other:
            continue
        seat = owners[i]
        more = ANOTHER[other] - ANOTHER[mine]
        hand = now[seat].replace(ONE[mine], ONE[other], 1)
        if j < narrowed:
            giver = owners[j]
            if giver == seat:
                continue
            theirs = now[giver].replace(ONE[other], ONE[mine], 1)
            if not clues[giver].allow(theirs, counted[giver] - more):
                continue
        if not clues[seat].allow(hand, counted[seat] + more):
            continue
        if j < narrowed:
            now[giver] = theirs
            counted[giver] -= more
        now[seat] = hand
        counted[seat] += more
        cards[i], cards[j] = other, mine
    rest = bytes(sorted(cards[narrowed:], key=lambda _: chance()))
    return now, rest
