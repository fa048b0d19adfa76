"""Cards into places at random, where some places cannot hold some cards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

from arena.games.nyet.lots import in_random_order


class NoRoom(ValueError):
    """The cards do not go into the places."""

    def __init__(self) -> None:
        super().__init__("the cards unseen do not go where they could be")


class Place:
    """Somewhere that takes `room` cards, none of a kind that is barred."""

    def __init__(self, room: int, barred: frozenset[int] = frozenset()):
        self.room = room
        self.barred = barred
        self.cards: list[int] = []

    def __repr__(self) -> str:
        return f"<Place {len(self.cards)} of {self.room}, without {sorted(self.barred)}>"


def settle(places: Sequence[Place], cards: Sequence[int], rng: random.Random) -> None:
    """Fill the places with the cards; NoRoom if there is no way to.

    Cards that fit in few places go first, each where it may with the chance of the room left
    there, and one that finds all its places full has others moved out of its way. The cards
    that are barred nowhere fill up what is left.
    """
    if sum(place.room for place in places) != len(cards):
        raise NoRoom
    order = in_random_order(bytes(cards), rng)
    for place in places:
        place.cards = []
    barred = frozenset[int]().union(*[place.barred for place in places])
    if barred:
        cards = [*order]
        place_barred(places, [kind for kind in cards if kind in barred], rng)
        order = iter([kind for kind in cards if kind not in barred])
    for place in places:
        place.cards += islice(order, place.room - len(place.cards))


def place_barred(places: Sequence[Place], cards: Sequence[int], rng: random.Random) -> None:
    """Put those cards where they may be that may not be everywhere."""
    homes = {
        kind: [place for place in places if kind not in place.barred and place.room]
        for kind in set(cards)
    }
    for kind in sorted(cards, key=lambda kind: len(homes[kind])):
        # A place is there as often as it has room.
        free = [home for home in homes[kind] for _ in range(home.room - len(home.cards))]
        lot = int(rng.random() * len(free))
        home = free[lot] if free else make_room(homes[kind], homes, set())
        home.cards.append(kind)


def make_room(among: Sequence[Place], homes: dict[int, list[Place]], tried: set[int]) -> Place:
    """One of these full places, after a card of it has moved on to where it fits too."""
    for place in among:
        if id(place) in tried:
            continue
        tried.add(id(place))
        for i, kind in enumerate(place.cards):
            elsewhere = [home for home in homes[kind] if id(home) not in tried]
            roomy = [home for home in elsewhere if len(home.cards) < home.room]
            try:
                home = roomy[0] if roomy else make_room(elsewhere, homes, tried)
            except NoRoom:
                continue
            home.cards.append(kind)
            del place.cards[i]
            return place
    raise NoRoom
