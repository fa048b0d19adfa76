"""Deals whose cards are given instead of shuffled: for positions, duplicates and game trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from arena.games.chance import shuffle
from arena.games.errors import BadDeal


class Chances(NamedTuple):
    """The chance in the first deal of a match."""

    dealers: tuple[int, ...]  # the seats that may deal first, each as likely as any other
    # The cards that `deal_cards` takes, as groups in order, each its number of cards: hands, then
    # what is drawn later. The order within a group is of no account.
    groups: tuple[int, ...]


def check_seed(seed: object) -> None:
    """Raise TypeError unless this is a seed."""
    if not isinstance(seed, bytes):
        raise TypeError(f"a seed is bytes, got {type(seed).__name__}")


def given_order(deck: Sequence[str], first: Sequence[str], seed: bytes) -> list[str]:
    """The deck in an order that begins with these cards; the others are shuffled from the seed.

    The label `rest` is used for nothing else, so the chance of the match itself is not touched.
    """
    left = Counter(deck)
    for card in first:
        if not left[card]:
            there = deck.count(card)
            raise BadDeal(
                f"{card!r} is dealt {[*first].count(card)} times, but the deck has {there}",
                came=card,
                allowed=deck,
                where="10.1",
            )
        left[card] -= 1
    return [*first, *shuffle(left.elements(), seed, "rest")]
