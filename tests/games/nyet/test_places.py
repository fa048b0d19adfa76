"""Dealing unseen cards to places that may not take all of them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from arena.games.nyet.places import CardPlace, NoRoom, settle


def dealt(rooms: list[tuple[int, set[int]]], cards: list[int], seed: int = 1) -> list[list[int]]:
    places = [CardPlace(room, bytes(sorted(barred))) for room, barred in rooms]
    return [sorted(held) for held in settle(places, bytes(cards), random.Random(seed))]


def test_every_place_is_filled_and_every_card_dealt_once() -> None:
    cards = [1, 1, 1, 2, 3, 4, 5, 6]
    for seed in range(20):
        hands = dealt([(3, set()), (3, set()), (2, set())], cards, seed)
        assert [len(hand) for hand in hands] == [3, 3, 2]
        assert Counter(card for hand in hands for card in hand) == Counter(cards)


def test_no_place_takes_a_card_that_is_barred_there() -> None:
    cards = [1, 1, 1, 2, 3, 4, 5, 6]
    for seed in range(100):
        hands = dealt([(3, {1}), (3, {2, 3}), (2, set())], cards, seed)
        assert 1 not in hands[0]
        assert not {2, 3} & set(hands[1])
        assert Counter(card for hand in hands for card in hand) == Counter(cards)


def test_the_only_deal_there_is_is_found() -> None:
    """Whatever the order the cards come in."""
    for seed in range(100):
        assert dealt([(1, {2, 3}), (1, {3}), (1, set()), (0, set())], [1, 2, 3], seed) == [
            [1],
            [2],
            [3],
            [],
        ]


def test_all_deals_that_there_are_come_up() -> None:
    deals = Counter(str(dealt([(2, {1}), (2, set())], [1, 2, 3, 4], seed)) for seed in range(300))
    assert set(deals) == {"[[2, 3], [1, 4]]", "[[2, 4], [1, 3]]", "[[3, 4], [1, 2]]"}
    assert min(deals.values()) > 60


def test_where_there_is_no_deal_there_is_no_room() -> None:
    cases: list[tuple[list[tuple[int, set[int]]], list[int]]] = [
        ([(1, set()), (1, set())], [1]),
        ([(1, set()), (1, set())], [1, 2, 3]),
        ([(1, {1}), (1, {1})], [1, 2]),
        ([(2, {1}), (1, set())], [1, 1, 2]),
    ]
    for rooms, cards in cases:
        with pytest.raises(NoRoom, match=r"^the cards unseen do not go where they could be$"):
            dealt(rooms, cards)
