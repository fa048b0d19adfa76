"""The commitment: proof, later, that a match was dealt from a seed fixed before it (SPEC 13.2)."""

from __future__ import annotations

from hashlib import sha256
from hmac import compare_digest

LABEL = b"arena commitment 1\0"
NONCE_BYTES = 32


def commit(match: str, nonce: bytes, seed: bytes) -> str:
    """SHA-256, as 64 hexadecimal digits, of the label and then each part after its length.

    `match` is the match's name on the wire, `nonce` 32 secret random bytes of this match alone,
    `seed` the bytes that the set is dealt from. The lengths, four bytes big-endian, leave only
    one way to cut the bytes apart again.
    """
    if len(nonce) != NONCE_BYTES:
        raise ValueError(f"a nonce has {NONCE_BYTES} bytes; got {len(nonce)}")
    digest = sha256(LABEL)
    for part in (match.encode(), nonce, seed):
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return digest.hexdigest()


def keeps(commitment: str, match: str, nonce: bytes, seed: bytes) -> bool:
    """Check a published nonce and seed against the commitment made before the match."""
    return compare_digest(commitment.encode(), commit(match, nonce, seed).encode())
