"""Where bots come in: listening, hello, and the door for those who have no token.

Who knows a token is let in, once for a bot we started, one connection at a time for one that
dials in. Everybody else costs as little as possible: nothing is read beyond one hello, nobody
may take longer than `hello_ms` over it, and when too many stand at the door, who has stood
there longest has to go. An exception while one stranger is dealt with ends that stranger's
connection and nothing else.
"""

from __future__ import annotations

import logging
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256

import trio

from arena.referee.addresses import TcpAddress, UnixAddress
from arena.referee.link import Link, Tap, Time
from arena.referee.stamps import Stamps
from protocol import limits
from protocol.breach import Breach
from protocol.breaches import hello_refused
from protocol.encode import encode
from protocol.farewells import farewell, refusal
from protocol.messages import Bye, Hello, Welcome
from protocol.server_end import ServerEnd
from protocol.version import VERSION

log = logging.getLogger(__name__)

# At the door at once. More are let in as these leave; beyond it the oldest has to go.
MOST_STRANGERS = 512
# After so many new connections in one go the matches have their turn.
ACCEPTS_IN_A_ROW = 8
PAUSE_SECONDS = 0.002
BACKLOG = 1024


class Guest:
    """Someone who is expected: an entrant's token, and the link once it has come."""

    def __init__(self, name: str, *, dials_in: bool):
        self.name = name
        self.dials_in = dials_in
        self.token = secrets.token_urlsafe(24)
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


class Lobby:
    """Made by `open_lobby`."""

    def __init__(self, time: Time, hello_ms: int, tap: Tap | None):
        self._time = time
        self._hello_ms = hello_ms
        self._tap = tap
        # By hash of the token: how long a look-up takes says nothing about it.
        self._guests: dict[bytes, Guest] = {}
        self._strangers: dict[trio.CancelScope, None] = {}
        self.addresses: list[str] = []

    def __repr__(self) -> str:
        return f"<Lobby {len(self._guests)} expected, {len(self._strangers)} at the door>"

    def expect(self, name: str, *, dials_in: bool = False) -> Guest:
        """Make a token for an entrant; whoever says it is that entrant."""
        guest = Guest(name, dials_in=dials_in)
        self._guests[_key(guest.token)] = guest
        return guest

    def forget(self, guest: Guest) -> None:
        """Its token is nobody's any more."""
        self._guests.pop(_key(guest.token), None)

    async def receive(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        """Let in whoever knocks, for ever."""
        while True:
            for _ in range(ACCEPTS_IN_A_ROW):
                try:
                    stream = await listener.accept()
                except OSError as error:
                    # Out of descriptors, say: others are served, and then there are some again.
                    log.warning("cannot accept a connection: %s", error)
                    break
                while len(self._strangers) >= MOST_STRANGERS:
                    oldest = next(iter(self._strangers))
                    del self._strangers[oldest]
                    oldest.cancel()
                nursery.start_soon(self._greet, stream.socket)
            await trio.sleep(PAUSE_SECONDS)

    async def _greet(self, sock: trio.socket.SocketType) -> None:
        """One connection, up to its welcome or its bye; whatever happens stays in here."""
        scope = trio.CancelScope()
        self._strangers[scope] = None
        admitted = False
        try:
            with scope:
                scope.deadline = trio.current_time() + self._hello_ms / 1000
                admitted = await self._hear(sock)
            if scope.cancelled_caught:
                await self._say(sock, farewell("no-hello"))
        except Exception:  # one stranger must never end the matches of others
            log.exception("a connection was dropped: this is a bug in arena")
        finally:
            self._strangers.pop(scope, None)
            if not admitted:
                sock.close()

    async def _hear(self, sock: trio.socket.SocketType) -> bool:
        """The hello, and what comes of it. True if the socket belongs to a link now."""
        end = ServerEnd()
        first = None
        while first is None:
            try:
                data = await sock.recv(limits.MAX_BOT_BODY_BYTES)
            except OSError:
                return False
            if not data:
                return False
            first = end.receive(data)
        assert isinstance(first, Hello | Breach), f"{first!r} first: this is a bug in arena"
        bye = refusal(first)
        guest = None
        if bye is None:
            assert isinstance(first, Hello)
            guest = self._guests.get(_key(first.token))
            bye = self._why_not(guest)
        elif isinstance(first, Hello):
            guest = self._guests.get(_key(first.token))
        if bye is not None:
            if guest is not None:
                guest.refused = hello_refused(bye.text)
            await self._say(sock, bye)
            return False
        assert isinstance(first, Hello)
        assert guest is not None
        self._admit(sock, end, first, guest)
        return True

    def _why_not(self, guest: Guest | None) -> Bye | None:
        """Why a good hello is refused all the same."""
        if guest is None:
            return farewell("bad-token", "Send what ARENA_TOKEN holds, unchanged (SPEC 2.3).")
        if guest.link is None:
            return None
        if not guest.dials_in:
            return farewell("token-used")
        return farewell("token-in-use") if guest.link.is_alive() else None

    def _admit(
        self, sock: trio.socket.SocketType, end: ServerEnd, hello: Hello, guest: Guest
    ) -> None:
        # From here on the match reads the socket itself, without Trio's wrapper.
        raw = socket.socket(fileno=sock.detach())
        raw.setblocking(False)
        stamps = None if raw.family == socket.AF_UNIX else Stamps(raw, self._time.now)
        link = Link(raw, end, self._time, guest.name, stamps, self._tap)
        link.tell(Welcome(VERSION, guest.name, (), limits.LIMITS_BY_NAME))
        if guest.link is not None:
            guest.link.drop()
        guest.link = link
        guest.hello = hello
        guest.has_come.set()

    async def _say(self, sock: trio.socket.SocketType, bye: Bye) -> None:
        """A refusal that is read, if the other side reads: then nothing more."""
        try:
            await sock.send(encode(bye))
        except OSError:
            return


def _key(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


@asynccontextmanager
async def open_lobby(
    time: Time,
    *addresses: UnixAddress | TcpAddress,
    hello_ms: int = limits.START_MS,
    tap: Tap | None = None,
) -> AsyncIterator[Lobby]:
    """Listen at these addresses until the scope is left; Unix sockets are unlinked then."""
    lobby = Lobby(time, hello_ms, tap)
    listeners: list[tuple[trio.SocketListener, Callable[[], None]]] = []
    try:
        for address in addresses:
            listener, name = address.listen(BACKLOG)
            listeners.append((listener, address.clean_up))
            lobby.addresses.append(name)
        async with trio.open_nursery() as nursery:
            for listener, _ in listeners:
                nursery.start_soon(lobby.receive, listener, nursery)
            yield lobby
            nursery.cancel_scope.cancel()
    finally:
        for listener, clean_up in listeners:
            listener.socket.close()
            clean_up()
        for guest in lobby._guests.values():
            guest.leave()
