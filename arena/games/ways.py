"""Counts the ways to share out cards among places, and draws one of them by the count.

Cards that may go to the same places are one class. A way says how many cards of each class go to
each place; it counts as many times as there are choices of single cards that make it. So a way
drawn by these counts, and filled with cards drawn at random, makes every sharing out of single
cards as likely as every other. The counts are whole numbers; only chances are floats.

The way is drawn in steps, each for a class and a place: the number of cards of that class that go
there. The largest place has no step: what is left of a class goes there. The last class has no
steps: it fills up all places. Whenever the same cards are left for the same rooms, the draw is at
the same fork, which is counted once. Views of random matches with four seats have some a few dozen
forks and a thousand at most; with five seats some hundred, rarely 30,000 (80 ms to count).
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from math import comb
from typing import NamedTuple


class Portion(NamedTuple):
    """A step: the number of cards of a class that go to a place."""

    number: int  # of the class
    place: int
    later: int  # cards of later classes that may go to this place
    takes_rest: bool  # the last place of a class that the largest place cannot hold
    next_class: int  # the cards of the class that the next step is about; 0: of the same


class Fork(NamedTuple):
    """The numbers that a step may have with what is left, and their chances."""

    sharings: int  # of the single cards that are left
    fewest: int = 0  # the smallest number; the others follow it
    below: Sequence[float] = ()  # of each number but the smallest: the chance of a smaller one
    then: Sequence[Fork] = ()  # of each number: the fork of the next step; empty after the last


NO_WAY = Fork(0)


ROOM_BITS = 8
"""The rooms that are left are one whole number, with so many bits for each place."""


class Ways:
    """The ways to share out classes of cards among places.

    `rooms`: the number of cards that each place takes, below 256, in all as many as there are
    cards. `classes`: of each class, the number of its cards, and the places that may hold them,
    one or more. `portions`: the steps, class by class. `count`: the sharings out of single cards.
    """

    def __init__(self, rooms: Sequence[int], classes: Sequence[tuple[int, Sequence[int]]]):
        self.largest = max(range(len(rooms)), key=rooms.__getitem__)
        self.portions = portions_of(classes, self.largest)
        self._last_cards, last_places = classes[-1]
        self._last_places = frozenset(last_places)
        self._small = [place for place in range(len(rooms)) if place != self.largest]
        self._forks: list[dict[tuple[int, int], Fork]] = [{} for _ in self.portions]
        packed = sum(room << ROOM_BITS * place for place, room in enumerate(rooms))
        if self.portions:
            self._first = self._fork(0, classes[self.portions[0].number][0], packed)
        else:
            self._first = self._end(packed)
        self.count = self._first.sharings
        del self._forks

    def draw(self, rng: random.Random) -> list[int]:
        """For each of `portions`, the number of cards; each way as often as it counts."""
        numbers = []
        fork = self._first
        while fork.then:
            lot = bisect(fork.below, rng.random()) if fork.below else 0
            numbers.append(fork.fewest + lot)
            fork = fork.then[lot]
        return numbers

    def _fork(self, step: int, left: int, rooms: int) -> Fork:
        """The fork of this step, with so many cards of its class left for these rooms."""
        known = self._forks[step].get((left, rooms))
        if known is not None:
            return known
        _, place, later, takes_rest, next_class = self.portions[step]
        shift = ROOM_BITS * place
        room = rooms >> shift & 255
        fewest = max(room - later, left if takes_rest else 0)
        is_last = step + 1 == len(self.portions)
        counts: list[int] = []
        forks: list[Fork] = []
        for cards in range(fewest, min(left, room) + 1):
            rest = rooms - (cards << shift)
            if is_last:
                fork = self._end(rest)
            else:
                fork = self._fork(step + 1, next_class or left - cards, rest)
            if fork.sharings:  # the numbers for which there is a way follow each other
                if not forks:
                    fewest = cards
                counts.append(comb(left, cards) * fork.sharings)
                forks.append(fork)
        made = NO_WAY
        if forks:
            total = sum(counts)
            made = Fork(total, fewest, [each / total for each in accumulate(counts[:-1])], forks)
        self._forks[step][left, rooms] = made
        return made

    def _end(self, rooms: int) -> Fork:
        """The end of the draw: the last class fills up these rooms."""
        left = self._last_cards
        count = 1
        for place in self._small:
            room = rooms >> ROOM_BITS * place & 255
            if room:
                if place not in self._last_places or room > left:
                    return NO_WAY
                count *= comb(left, room)
                left -= room
        return Fork(count) if not left or self.largest in self._last_places else NO_WAY


def portions_of(classes: Sequence[tuple[int, Sequence[int]]], largest: int) -> list[Portion]:
    """The steps: of each class but the last, one for each of its places but the largest."""
    portions: list[Portion] = []
    next_class = 0
    for number in reversed(range(len(classes) - 1)):
        cards, places = classes[number]
        small = [place for place in places if place != largest]
        own = [
            Portion(
                number,
                place,
                sum(its for its, others in classes[number + 1 :] if place in others),
                place == small[-1] and largest not in places,
                next_class if place == small[-1] else 0,
            )
            for place in small
        ]
        portions = own + portions
        next_class = cards if own else next_class
    return portions
