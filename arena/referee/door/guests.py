"""Expected bots: a name, the token that proves it, and the link after the hello."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from hashlib import sha256

import trio

from arena.referee.wire.link import Link
from protocol.breach import Breach
from protocol.limits import CONNECT_VARIABLE, RETRY_VARIABLE, TOKEN_VARIABLE
from protocol.messages import Hello

# A bot that dials in waits so long before it tries again.
RETRY_SECONDS = 5


class Guest:
    """A bot that is expected to connect, and its link after its hello.

    `token`: None makes a new one. `dials_in`: its author starts it, and it may connect again.
    """

    def __init__(self, name: str, token: str | None, *, dials_in: bool):
        self.name = name
        self.dials_in = dials_in
        self.token = token or new_token()
        self.link: Link | None = None
        self.hello: Hello | None = None
        self.refused: Breach | None = None  # the last hello with this token was refused for this
        self.has_come = trio.Event()
        self.asked_at = -math.inf  # when evidence was asked for last, in seconds of Trio's clock

    def __repr__(self) -> str:
        return f"<Guest {self.name!r} {'here' if self.link else 'expected'}>"

    def leave(self) -> None:
        """Close its link. A bot that dials in may connect again, and `has_come` waits for that."""
        if self.link is not None:
            self.link.drop()
            self.link = None
        self.has_come = trio.Event()


def new_token() -> str:
    """Make a token that cannot be guessed."""
    return secrets.token_urlsafe(24)


def environment(address: str, token: str) -> dict[str, str]:
    """Return the variables that tell a bot its address and token (SPEC 2.1)."""
    return {CONNECT_VARIABLE: address, TOKEN_VARIABLE: token}


def environment_to_dial(address: str, token: str) -> dict[str, str]:
    """Return the variables of a bot that dials in: they let it connect again (SPEC 2.5)."""
    return {RETRY_VARIABLE: f"{RETRY_SECONDS}"} | environment(address, token)


def token_in(environment: Mapping[str, str]) -> str | None:
    """Return the token that a bot would find in this environment, None without one."""
    return environment.get(TOKEN_VARIABLE) or None


def key_of(token: str) -> bytes:
    """Return the key that a guest is looked up by: a hash, so the time taken tells nothing."""
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
