"""Cards into places at random, where some places cannot hold some cards."""

from __future__ import annotations

import random
from collections.abc import Sequence


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

    With nothing barred it is a plain deal. Else cards that fit in few places go first, each
    where it may with the chance of the room left there, and one that finds all its places
    full has others moved out of its way.
    """
    if sum(place.room for place in places) != len(cards):
        raise NoRoom
    cards = rng.sample(cards, len(cards))
    if not any(place.barred for place in places):
        start = 0
        for place in places:
            place.cards = cards[start : start + place.room]
            start += place.room
        return
    for place in places:
        place.cards = []
    homes: dict[int, list[Place]] = {}
    for kind in cards:
        if kind not in homes:
            homes[kind] = [place for place in places if kind not in place.barred and place.room]
    for kind in sorted(cards, key=lambda kind: len(homes[kind])):
        free = [place.room - len(place.cards) for place in homes[kind]]
        total = sum(free)
        if total:
            (home,) = rng.choices(homes[kind], free)
        else:
            home = make_room(homes[kind], homes, set())
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
