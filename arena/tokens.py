"""Tokens of bots: an id to look up by, a dot and a secret; only a hash of each is kept.

A secret has 256 random bits, so nobody finds it from its hash, however fast the hash is. A slow
hash, as for passwords that people choose, would protect nothing more here, and any stranger at the
door could keep the referee's processor busy with it.
"""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import sha256

from msgspec import Struct

ID_BYTES, SECRET_BYTES = 6, 32
# ID.SECRET. The id is in hexadecimal digits, so that it never looks like an option of a command.
DRAWN = r"[0-9a-f]{12}\.[A-Za-z0-9_-]{43}"
# A token of an earlier version: a secret of 192 random bits and no id.
EARLIER = r"[A-Za-z0-9_-]{32}"
_DRAWN, _EARLIER = re.compile(DRAWN), re.compile(EARLIER)


class KnownToken(Struct, frozen=True):
    """A token as all but the bot itself know it.

    `expires`: the first second in which it is not valid any more, such as 2026-01-31T12:00:00Z.
    `by_hand`: the length in bytes of a token that somebody wrote into a file instead of arena.
    """

    id: str
    hash: bytes
    expires: str | None = None
    by_hand: int | None = None

    @classmethod
    def of(cls, token: str, expires: str | None = None) -> KnownToken:
        """Return what is kept of a token."""
        is_ours = _DRAWN.fullmatch(token) or _EARLIER.fullmatch(token)
        by_hand = None if is_ours else len(_bytes(token))
        return cls(id_of(token), digest_of(token), expires, by_hand)

    def is_of(self, digest: bytes) -> bool:
        """Tell whether this is the token with this hash; the time taken tells nothing."""
        return hmac.compare_digest(self.hash, digest)

    def has_expired(self, now: str) -> bool:
        """Tell whether it is not valid any more. `now`: a time of the same form as `expires`."""
        return self.expires is not None and self.expires <= now


def new_token() -> str:
    """Draw a token that cannot be guessed."""
    return f"{secrets.token_hex(ID_BYTES)}.{secrets.token_urlsafe(SECRET_BYTES)}"


def id_of(token: str) -> str:
    """Return the id to look a token up by: its own, or for one without an id part of a hash."""
    if _DRAWN.fullmatch(token):
        return token.partition(".")[0]
    return sha256(b"arena token id\0" + _bytes(token)).hexdigest()[: 2 * ID_BYTES]


def digest_of(token: str) -> bytes:
    """Return the hash of a token."""
    return sha256(_bytes(token)).digest()


def _bytes(token: str) -> bytes:
    return token.encode("utf-8", "surrogatepass")
