"""Expected bots: a name, the hash of the token that proves it, and the link after the hello."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import trio

from arena.referee.wire.link import Link
from arena.tokens import KnownToken, digest_of, id_of
from protocol.breach import Breach
from protocol.limits import CONNECT_VARIABLE, RETRY_VARIABLE, TOKEN_VARIABLE
from protocol.messages import Bye, Hello

# A bot that dials in waits so long before it tries again.
RETRY_SECONDS = 5
# Tokens remembered that are not valid any more, to tell their bots so.
MOST_ENDED = 1024


class Guest:
    """A bot that is expected to connect, and its links after its hellos.

    `token`: None if there is none that admits it now. `dials_in`: its author starts it, and it may
    connect again. `most`: connections that it may have at a time.
    """

    def __init__(self, name: str, token: KnownToken | None, *, dials_in: bool, most: int = 1):
        self.name = name
        self.dials_in = dials_in
        self.most = most
        self.token = token
        self.links: list[Link] = []  # the latest last
        self.hello: Hello | None = None  # the latest
        self.refused: Breach | None = None  # the last hello with this token was refused for this
        self.has_come = trio.Event()
        self.farewell: Bye | None = None  # the answer to its hellos, if it takes no part any more
        self.asked_at = -math.inf  # when evidence was asked for last, in seconds of Trio's clock

    def __repr__(self) -> str:
        return f"<Guest {self.name!r} {'here' if self.links else 'expected'}>"

    @property
    def link(self) -> Link | None:
        """The latest link, None without one."""
        return self.links[-1] if self.links else None

    @property
    def has_room(self) -> bool:
        """True if it may have a further connection now: those that are lost do not count."""
        return sum(link.is_alive() for link in self.links) < self.most

    def admit(self, link: Link, hello: Hello) -> None:
        """Take a link after a good hello in the place of those that are lost."""
        self.drop_lost()
        self.links.append(link)
        self.hello = hello
        self.refused = None
        self.has_come.set()

    def drop_lost(self) -> bool:
        """Let go of the links that the other side has closed; tell whether there were any.

        Another process may still read what came before the end.
        """
        lost = [link for link in self.links if not link.is_alive()]
        for link in lost:
            link.release()
            self.links.remove(link)
        if lost and not self.links:
            self.has_come = trio.Event()
        return bool(lost)

    def leave(self) -> None:
        """Close its links. A bot that dials in may connect again, and `has_come` waits for that."""
        for link in self.links:
            link.drop()
        self.links.clear()
        self.has_come = trio.Event()


class Guests:
    """The guests that a lobby admits, by the ids of their tokens.

    `now` returns the time, in the form that `KnownToken.expires` has.
    """

    def __init__(self, now: Callable[[], str]):
        self._now = now
        self._by_id: dict[str, Guest] = {}
        self._ended: dict[str, KnownToken] = {}  # by id, of bots that dial in; the latest last
        self.may_expire = trio.Event()  # there is, or was, a guest with a token that expires

    def __repr__(self) -> str:
        return f"<Guests {len(self)}>"

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Guest]:
        return iter(tuple(self._by_id.values()))

    def add(self, guest: Guest) -> None:
        """Admit a guest by its token, if it has one."""
        if guest.token is not None:
            self._by_id[guest.token.id] = guest
            if guest.token.expires is not None:
                self.may_expire.set()

    def remove(self, guest: Guest) -> None:
        """Admit this guest no more."""
        if guest.token is not None and self._by_id.get(guest.token.id) is guest:
            del self._by_id[guest.token.id]
            if guest.dials_in:
                self._ended[guest.token.id] = guest.token
                if len(self._ended) > MOST_ENDED:
                    del self._ended[next(iter(self._ended))]

    def find(self, token: str) -> Guest | None:
        """Return the guest whose token this is, None if it is nobody's.

        The hash is worked out and compared whether there is such an id or not.
        """
        digest = digest_of(token)
        guest = self._by_id.get(id_of(token))
        expected = guest.token if guest is not None else None
        return guest if (expected or _NOBODYS).is_of(digest) else None

    def has_ended(self, token: str) -> bool:
        """Tell whether a token was that of a bot that dials in, until it was changed."""
        ended = self._ended.get(id_of(token))
        return (ended or _NOBODYS).is_of(digest_of(token))

    def has_expired(self, guest: Guest) -> bool:
        """Tell whether the guest's token was valid until some time ago."""
        return guest.token is not None and guest.token.has_expired(self._now())


# No token has this hash: nobody could find one.
_NOBODYS = KnownToken("", bytes(32))


def environment(address: str, token: str) -> dict[str, str]:
    """Return the variables that tell a bot its address and token (SPEC 2.1)."""
    return {CONNECT_VARIABLE: address, TOKEN_VARIABLE: token}


def environment_to_dial(address: str, token: str) -> dict[str, str]:
    """Return the variables of a bot that dials in: they let it connect again (SPEC 2.5)."""
    return {RETRY_VARIABLE: f"{RETRY_SECONDS}"} | environment(address, token)


def token_in(environment: Mapping[str, str]) -> str | None:
    """Return the token that a bot would find in this environment, None without one."""
    return environment.get(TOKEN_VARIABLE) or None
