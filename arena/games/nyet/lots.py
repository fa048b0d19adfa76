"""Many small draws at once, for search bots: less even than those of `chance`, and faster."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable
from operator import mod


def draws(rng: random.Random, count: int) -> array[int]:
    """Numbers below 2**16, from which one below n is `draw % n`: off by less than one in a
    thousand for n up to a deck of cards, and in a third of the time of `randrange`."""
    return array("H", rng.randbytes(2 * count))


def in_random_order(things: bytes, rng: random.Random) -> Iterable[int]:
    """The things, taken out one by one, in no loop of Python's."""
    left = bytearray(things)
    count = len(things)
    return map(left.pop, map(mod, draws(rng, count), range(count, 0, -1)))
