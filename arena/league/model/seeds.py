"""The seeds of the deals: each set has its own, worked out from the league's secret key."""

from __future__ import annotations

import hmac
from hashlib import sha256


def key_from_seed(seed: str) -> bytes:
    """Return the key for a `seed` in the league's file: anybody can work out its deals."""
    return sha256(b"arena league key\0" + seed.encode()).digest()


def seed_of_set(key: bytes, number: int, attempt: int) -> bytes:
    """Return the seed of a set. Without the key it cannot be told from random bytes."""
    message = b"arena set\0" + number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
    return hmac.digest(key, message, "sha256")
