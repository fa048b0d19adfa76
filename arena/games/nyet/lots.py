"""Many small draws at once, for search bots: less even than those of `chance`, and faster."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from operator import mod


def draws(rng: random.Random, count: int) -> array[int]:
    """Draw numbers below 2**16; `draw % n` makes one below n. That is off by less than one in a
    thousand for n up to a deck of cards, and takes a third of the time of `randrange`."""
    return array("H", rng.randbytes(2 * count))


def in_random_order(things: bytes, rng: random.Random) -> Iterator[int]:
    """Yield the things in random order, without a loop in Python."""
    left = bytearray(things)
    count = len(things)
    return map(left.pop, map(mod, draws(rng, count), range(count, 0, -1)))
