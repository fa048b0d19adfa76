"""The lots of a schedule: numbers drawn from secret bytes that tell nothing about any deal."""

from __future__ import annotations

from hashlib import shake_256

import numpy as np

from arena.league.plan.counts import Ints

# A lot decides between bots that are level in all else; equal lots, one in a million, go by name.
LOT_BITS = 20


def numbers_of(lots: bytes, number: int, count: int) -> Ints:
    """Return the lots of one set: `count` numbers of LOT_BITS each. Fewer are the first of more."""
    # SHAKE is a sponge: a key in front of the data is safe without HMAC, and output has any length.
    drawn = shake_256(b"arena schedule\0" + lots + number.to_bytes(8, "big")).digest(4 * count)
    return np.frombuffer(drawn, ">u4").astype(np.int64) >> 32 - LOT_BITS
