"""Sharing out cards: the number of ways, and how often each is drawn."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest

from arena.games.ways import Ways
from tests.games.chi_square import excess, most

# Rooms, and of each class the number of its cards and the places that may hold them.
CASES: list[tuple[list[int], list[tuple[int, list[int]]]]] = [
    ([2, 3], [(1, [0]), (4, [0, 1])]),
    ([2, 2, 2], [(2, [0, 1]), (2, [1, 2]), (2, [0, 2])]),
    ([1, 2, 3], [(1, [2]), (2, [0, 1]), (3, [0, 1, 2])]),
    ([2, 1, 4], [(2, [0, 1]), (1, [1, 2]), (4, [0, 1, 2])]),
    ([3, 3], [(2, [0]), (2, [1]), (2, [0, 1])]),
    ([3, 1], [(2, [1]), (2, [0, 1])]),
    ([2, 3], [(3, [0]), (2, [0, 1])]),
    ([2, 2, 1], [(2, [2]), (3, [0, 1])]),
    ([3, 2, 1], [(1, [1, 2]), (5, [0, 1])]),
]


def sharings(rooms: list[int], classes: list[tuple[int, list[int]]]) -> Counter[tuple[int, ...]]:
    """By the number of cards of each class at each place: the deals of single cards."""
    cards = [number for number, (count, _) in enumerate(classes) for _ in range(count)]
    places = [place for place, room in enumerate(rooms) for _ in range(room)]
    found = Counter[tuple[int, ...]]()
    for order in {*permutations(places)}:
        if all(place in classes[card][1] for card, place in zip(cards, order, strict=True)):
            pairs = Counter(zip(cards, order, strict=True))
            found[
                tuple(
                    pairs[card, place]
                    for card in range(len(classes))
                    for place in range(len(rooms))
                )
            ] += 1
    return found


@pytest.mark.parametrize(("rooms", "classes"), CASES, ids=str)
def test_the_count_is_that_of_all_deals_of_single_cards(
    rooms: list[int], classes: list[tuple[int, list[int]]]
) -> None:
    assert Ways(rooms, classes).count == sharings(rooms, classes).total()


@pytest.mark.parametrize(("rooms", "classes"), CASES[:5], ids=str)
def test_each_way_is_drawn_as_often_as_it_counts(
    rooms: list[int], classes: list[tuple[int, list[int]]]
) -> None:
    ways = Ways(rooms, classes)
    weights = Counter[tuple[int, ...]]()
    for way, count in sharings(rooms, classes).items():
        weights[tuple(way[each.number * len(rooms) + each.place] for each in ways.portions)] += (
            count
        )
    rng = random.Random(1)
    drawn = Counter(tuple(ways.draw(rng)) for _ in range(3000))
    assert abs(excess(drawn, weights)) < most(5)
