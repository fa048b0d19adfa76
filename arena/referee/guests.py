"""Who is expected: a name, the token that proves it, and the link once it has come."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hashlib import sha256

import trio

from arena.referee.link import Link
from protocol.breach import Breach
from protocol.limits import CONNECT_VARIABLE, TOKEN_VARIABLE
from protocol.messages import Hello


class Guest:
    """Someone who is expected: an entrant's token, and the link once it has come."""

    def __init__(self, name: str, token: str | None, *, dials_in: bool):
        self.name = name
        self.dials_in = dials_in
        self.token = token or new_token()
        self.link: Link | None = None
        self.hello: Hello | None = None
        self.refused: Breach | None = None  # the last hello with this token, if it was refused
        self.has_come = trio.Event()

    def __repr__(self) -> str:
        return f"<Guest {self.name!r} {'here' if self.link else 'expected'}>"

    def leave(self) -> None:
        """It may come again, if it dials in: then it is waited for anew."""
        if self.link is not None:
            self.link.drop()
            self.link = None
        self.has_come = trio.Event()


def new_token() -> str:
    """One that nobody can guess."""
    return secrets.token_urlsafe(24)


def environment(address: str, token: str) -> dict[str, str]:
    """What a bot finds in its environment (SPEC 2.1)."""
    return {CONNECT_VARIABLE: address, TOKEN_VARIABLE: token}


def token_in(environment: Mapping[str, str]) -> str | None:
    """The token that a bot would find there."""
    return environment.get(TOKEN_VARIABLE) or None


def key_of(token: str) -> bytes:
    """What a guest is looked up by."""
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
