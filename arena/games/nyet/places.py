"""Deals cards to places at random, where some places cannot hold some cards."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, islice
from math import factorial, prod
from typing import NamedTuple

from arena.games.nyet.cards import BYTE
from arena.games.nyet.playout import in_random_order
from arena.games.ways import Ways


class NoRoom(ValueError):
    """The cards cannot be dealt to the places without breaking a bar."""

    def __init__(self) -> None:
        super().__init__("the cards unseen do not go where they could be")


class CardPlace(NamedTuple):
    """A place for `room` cards, none of a barred kind: a hand, a discard pile, or aside."""

    room: int
    barred: bytes = b""  # kinds, ascending


class Dealing:
    """All deals of these cards to these places.

    Places that bar the same kinds are dealt to as one, a group, and then divided at random.
    `count`: the number of deals, each a choice of the single cards of every place.
    """

    def __init__(self, places: Sequence[CardPlace], cards: bytes):
        groups: dict[bytes, list[tuple[int, int]]] = {}  # by what they bar: places, with their room
        for number, (room, barred) in enumerate(places):
            if room:
                groups.setdefault(barred, []).append((number, room))
        by_homes: dict[tuple[int, ...], bytes] = {}  # by the groups that may hold them: the cards
        for kind in sorted(set(cards)):
            homes = tuple([i for i, barred in enumerate(groups) if kind not in barred])
            by_homes[homes] = by_homes.get(homes, b"") + BYTE[kind] * cards.count(kind)
        # Those with few homes first: that makes few forks.
        classes = sorted(by_homes.items(), key=lambda item: len(item[0]))
        self._size = len(places)
        self._groups = [*groups.values()]
        self._rooms = [sum(room for _, room in group) for group in self._groups]
        self._classes = [own for _, own in classes]
        self.count = 0
        if sum(self._rooms) == len(cards) and () not in by_homes:
            self._ways = Ways(self._rooms, [(len(own), homes) for homes, own in classes])
            self.count = self._ways.count * prod(map(factorial, self._rooms))
            self.count //= prod(factorial(room) for room, _ in places)

    def deal(self, rng: random.Random) -> list[bytes]:
        """The cards of each place; every deal is as likely as every other."""
        dealt = [b""] * self._size
        for group, cards in zip(self._groups, self._to_groups(rng), strict=True):
            start = 0
            for number, room in group:
                dealt[number] = cards[start : start + room]
                start += room
        return dealt

    def _to_groups(self, rng: random.Random) -> list[bytes]:
        """The cards of each group; in random order where they are to be divided."""
        groups = [b""] * len(self._groups)
        orders = [in_random_order(own, rng) for own in self._classes]
        for portion, number in zip(self._ways.portions, self._ways.draw(rng), strict=True):
            groups[portion.place] += bytes(islice(orders[portion.number], number))
        *classes, last = orders
        for order in classes:
            groups[self._ways.largest] += bytes(order)
        for group, room in enumerate(self._rooms):
            groups[group] += bytes(islice(last, room - len(groups[group])))
        return [
            bytes(in_random_order(cards, rng)) if len(places) > 1 else cards
            for cards, places in zip(groups, self._groups, strict=True)
        ]


@lru_cache(maxsize=16)
def dealing(places: tuple[CardPlace, ...], cards: bytes) -> Dealing:
    """All deals of these cards. The last few are kept: a search asks for many worlds of a view."""
    return Dealing(places, cards)


def settle(places: Sequence[CardPlace], cards: bytes, rng: random.Random) -> list[bytes]:
    """Deal the cards to the places, every deal as likely as every other; NoRoom: there is none."""
    if any(room and barred for room, barred in places):
        return deal_one([dealing(tuple(places), cards)], rng)
    if sum([room for room, _ in places]) != len(cards):
        raise NoRoom
    order = in_random_order(cards, rng)
    return [bytes(islice(order, room)) for room, _ in places]


def deal_one(dealings: Sequence[Dealing], rng: random.Random) -> list[bytes]:
    """A deal of one of these dealings, every deal of any as likely as every other."""
    bounds = [*accumulate([dealing.count for dealing in dealings])]
    if not bounds[-1]:
        raise NoRoom
    lot = rng.randrange(bounds[-1]) if len(dealings) > 1 else 0
    return dealings[bisect(bounds, lot)].deal(rng)
