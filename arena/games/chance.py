"""Every deal, lot and reshuffle, from the match's seed, a label and a counter.

The whole algorithm, to be re-done in any language (SPEC 13.1 has vectors):

1. A stream of bytes: block 0, block 1, block 2 ... one after the other, each block being
   SHA-256 of: the label's ASCII bytes, one zero byte, the counter as 4 bytes big-endian,
   the block's number as 4 bytes big-endian, the seed.
2. A number below n (n at most 256): take the next byte b of the stream. If b is at or above
   the largest multiple of n that is at most 256, throw it away and take the next one;
   else the number is b modulo n. For n = 1 no byte is taken.
3. A shuffle of k things in a list: for i = k-1, k-2, ... 1: draw j below i+1 and swap the
   things at places i and j.

Throwing away makes every number, and so every order, equally likely. A label never holds a
zero byte and the numbers have a fixed width, so no two draws share a stream by accident.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain
from operator import index
from typing import NamedTuple, SupportsIndex, TypeVar

from arena.games.errors import BadDeal

T = TypeVar("T")

# 256 less the remainder: bytes at or above it would favour small numbers.
_LIMIT = (0, *(256 - 256 % n for n in range(1, 257)))


def blocks(seed: bytes, label: str, counter: int) -> Iterator[bytes]:
    """Yield the hashes of this seed, label and counter, without end."""
    head = label.encode("ascii") + b"\0" + counter.to_bytes(4, "big")
    number = 0
    while True:
        yield sha256(head + number.to_bytes(4, "big") + seed).digest()
        number += 1


def stream(seed: bytes, label: str, counter: int) -> Iterator[int]:
    """Yield the bytes of these blocks, one after the other, without end."""
    return chain.from_iterable(blocks(seed, label, counter))


def below(n: SupportsIndex, draws: Iterator[int]) -> int:
    """A number from 0 to n-1, each as likely as any other."""
    n = index(n)
    if n == 1:
        return 0
    limit = _LIMIT[n]
    for byte in draws:
        if byte < limit:
            return byte % n
    raise AssertionError("a stream never ends")  # pragma: no cover


def draw(n: SupportsIndex, seed: bytes, label: str, counter: int = 0) -> int:
    """A single lot: a number from 0 to n-1."""
    return below(n, stream(seed, label, counter))


def shuffle(
    things: Iterable[T], seed: bytes, label: str, counter: int = 0, unordered: SupportsIndex = 1
) -> list[T]:
    """The things in an order drawn from the seed; at most 256 of them.

    Only the last steps of a shuffle move the first things in the list, and only among
    themselves. A caller that does not care in
    which order the first `unordered` things come (they are a hand, say) saves those steps.
    """
    order = list(things)
    left = len(order)
    least = index(unordered)
    if left <= least:
        return order
    # The draw of `below`, written out: this loop is most of the cost of a deal.
    limits = _LIMIT
    for block in blocks(seed, label, counter):
        for byte in block:
            if byte < limits[left]:
                j = byte % left
                left -= 1
                order[left], order[j] = order[j], order[left]
                if left == least:
                    return order
    raise AssertionError("a stream never ends")  # pragma: no cover


class Chances(NamedTuple):
    """The chance in the first deal of a match."""

    dealers: tuple[int, ...]  # the seats that may deal first, each as likely as any other
    # The cards that `deal_cards` takes, as groups in order, each its number of cards: hands, then
    # the cards drawn later. The order within a group is of no account.
    groups: tuple[int, ...]


def check_seed(seed: object) -> None:
    """Raise TypeError unless this is a seed."""
    if not isinstance(seed, bytes):
        raise TypeError(f"a seed is bytes, got {type(seed).__name__}")


def given_order(deck: Sequence[str], first: Sequence[str], seed: bytes) -> list[str]:
    """The deck in an order that begins with these cards; the others are shuffled from the seed.

    The label `rest` is used for nothing else, so the chance of the match itself is not touched.
    """
    given = check_cards(first)
    left = Counter(deck)
    for card in given:
        if not left[card]:
            there = deck.count(card)
            raise BadDeal(
                f"{card!r} is dealt {given.count(card)} times, but the deck has {there}",
                came=card,
                allowed=deck,
                where="10.1",
            )
        left[card] -= 1
    return [*given, *shuffle(left.elements(), seed, "rest")]


def check_cards(cards: object) -> list[str]:
    """The cards as a list; BadDeal unless they are texts, one after the other."""
    if isinstance(cards, str) or not isinstance(cards, Iterable):
        raise not_cards(cards, "")
    found: list[str] = []
    for card in cards:
        if not isinstance(card, str):
            is_nested = isinstance(card, Iterable)
            hint = "hands follow one another in it" if is_nested else "game.actions.name gives them"
            raise not_cards(card, f"; {hint}")
        found.append(card)
    return found


def not_cards(came: object, hint: str) -> BadDeal:
    return BadDeal(
        f"cards are given as one list of their texts, such as ['R1', 'G2']{hint}; got {came!r}",
        came=came,
        allowed=(),
        where="10.1",
    )
