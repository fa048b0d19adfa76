"""Where bots come in: listening, hello, and the door for those who have no token.

Who knows a token is let in, once for a bot we started, one connection at a time for one that
dials in. Everybody else costs as little as possible: nothing is read beyond one hello, nobody
may take longer than `hello_ms` over it, nor than `hang_ms` from its first byte to its last, and
when too many stand at a door, who has stood there longest has to go. Each address is a door of
its own: a crowd at one crowds out nobody at another. An exception while one stranger is dealt
with ends that stranger's connection and nothing else.

Whoever is turned away at a Unix socket is known by its session, which is that of the bot it
belongs to: so a bot that gets its token wrong, or says nothing, is told that and not that it
never came. TCP tells us no such thing.
"""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from arena.referee.addresses import TcpAddress, UnixAddress
from arena.referee.connection import Tap
from arena.referee.guests import Guest, key_of
from arena.referee.link import Link
from arena.referee.lookout import Lookout
from arena.referee.stamps import Stamps
from arena.referee.strangers import (
    MOST_STRANGERS,
    Door,
    Stranger,
    begun_by,
    say,
    send_away_oldest,
    session_of,
    too_slow,
)
from arena.referee.turned_away import TurnedAway
from protocol import limits
from protocol.breach import Breach
from protocol.breaches import hello_refused
from protocol.encode import encode
from protocol.farewells import farewell, refusal
from protocol.messages import Bye, Hello, Welcome
from protocol.version import VERSION

log = logging.getLogger(__name__)

# After so many new connections in one go the matches have their turn.
ACCEPTS_IN_A_ROW = 8
PAUSE_SECONDS = 0.002
# When the machine will not accept, being out of descriptors: nothing gets better any sooner.
TROUBLE_SECONDS = 0.05
BACKLOG = 1024
# Without it a bot whose machine has lost its power would seem alive for ever, and its token in
# use: asked after so many seconds of silence, so often, so many seconds apart.
KEEPALIVE = ((socket.TCP_KEEPIDLE, 15), (socket.TCP_KEEPINTVL, 5), (socket.TCP_KEEPCNT, 3))


class Lobby:
    """Made by `open_lobby`."""

    def __init__(self, lookout: Lookout, hello_ms: int, hang_ms: int, tap: Tap | None):
        self._lookout = lookout
        self._hello_ms = hello_ms
        self._hang_ms = hang_ms
        self._tap = tap
        # By hash of the token: how long a look-up takes says nothing about it.
        self._guests: dict[bytes, Guest] = {}
        # By door, who came first in front.
        self._doors: list[Door] = []
        self._turned_away = TurnedAway()
        self.addresses: list[str] = []

    def __repr__(self) -> str:
        strangers = sum(map(len, self._doors))
        return f"<Lobby {len(self._guests)} expected, {strangers} at the door>"

    def expect(self, name: str, *, token: str | None = None, dials_in: bool = False) -> Guest:
        """A new token for an entrant, or the one it has; whoever says it is that entrant."""
        guest = Guest(name, token, dials_in=dials_in)
        self._guests[key_of(guest.token)] = guest
        return guest

    def forget(self, guest: Guest) -> None:
        """Its token is nobody's any more."""
        self._guests.pop(key_of(guest.token), None)

    def has_seen(self, session: int) -> bool:
        """Somebody of this session is at a door, or was and got no further."""
        return session in self._turned_away or bool(self._strangers_of(session))

    def _strangers_of(self, session: int) -> list[Stranger]:
        return [
            stranger for door in self._doors for stranger in door if stranger.session == session
        ]

    def send_away(self, session: int) -> bool:
        """Whoever of this session stands at a door has stood there for too long, and is told so;
        False if nobody does."""
        found = self._strangers_of(session)
        for stranger in found:
            self._turned_away.remember(session, begun_by(stranger))
            stranger.scope.cancel()
        return bool(found)

    def refused(self, session: int) -> Breach | None:
        """Why somebody of this session was turned away, if it said anything."""
        return self._turned_away.why(session)

    def forget_session(self, session: int) -> None:
        """Its number may be another's one day."""
        self._turned_away.forget(session)

    async def receive(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        """Let in whoever knocks at this door, for ever."""
        door: Door = {}
        self._doors.append(door)
        in_trouble = False
        while True:
            for _ in range(ACCEPTS_IN_A_ROW):
                try:
                    stream = await listener.accept()
                except OSError as error:
                    if not in_trouble:
                        log.warning("cannot accept a connection: %s", error)
                    in_trouble = True
                    # Out of descriptors, most likely; those of strangers are the ones to spare.
                    send_away_oldest(door)
                    await trio.sleep(TROUBLE_SECONDS)
                    break
                in_trouble = False
                while len(door) >= MOST_STRANGERS:
                    send_away_oldest(door)
                # Here and not in its task: tasks begin in any order.
                stranger = Stranger(stream.socket)
                door[stranger] = None
                nursery.start_soon(self._greet, stranger, door)
            await trio.sleep(PAUSE_SECONDS)

    async def _greet(self, stranger: Stranger, door: Door) -> None:
        """One connection, up to its welcome or its bye; whatever happens stays in here."""
        admitted = False
        try:
            stranger.session = session_of(stranger.sock)
            with stranger.scope:
                stranger.scope.deadline = trio.current_time() + self._hello_ms / 1000
                admitted = await self._hear(stranger)
            if stranger.scope.cancelled_caught:
                self._turned_away.remember(stranger.session, begun_by(stranger))
                await say(stranger.sock, too_slow(stranger.end))
        except Exception:  # one stranger must never end the matches of others
            log.exception("a connection was dropped: this is a bug in arena")
            # What failed may be what it takes to say so.
            with contextlib.suppress(Exception):
                await say(stranger.sock, farewell("server-error"))
        finally:
            door.pop(stranger, None)
            if not admitted:
                self._turned_away.remember(stranger.session, None)
                stranger.sock.close()

    async def _hear(self, stranger: Stranger) -> bool:
        """The hello, and what comes of it. True if the socket belongs to a link now."""
        first = None
        while first is None:
            try:
                data = await stranger.sock.recv(limits.MAX_BOT_BODY_BYTES)
            except OSError:
                return False
            if not data:
                return False
            if stranger.end.is_between_frames:  # these bytes begin the first frame
                until = trio.current_time() + self._hang_ms / 1000
                stranger.scope.deadline = min(stranger.scope.deadline, until)
            first = stranger.end.receive(data)
        assert isinstance(first, Hello | Breach), f"{first!r} first: this is a bug in arena"
        bye = refusal(first)
        guest = None
        if isinstance(first, Hello):
            guest = self._guests.get(key_of(first.token))
            bye = bye or self._why_not(guest)
        if guest is not None:
            stranger.name = guest.name
        if self._tap is not None and stranger.end.body:
            self._tap.came(stranger, stranger.end.body)
        if bye is not None:
            if self._tap is not None:
                self._tap.sent(stranger, encode(bye))
            refused = hello_refused(bye.text)
            self._turned_away.remember(stranger.session, refused)
            if guest is not None:
                guest.refused = refused
            await say(stranger.sock, bye)
            return False
        assert isinstance(first, Hello)
        assert guest is not None
        self._admit(stranger, first, guest)
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

    def _admit(self, stranger: Stranger, hello: Hello, guest: Guest) -> None:
        # From here on the match reads the socket itself, without Trio's wrapper.
        raw = socket.socket(fileno=stranger.sock.detach())
        try:
            raw.setblocking(False)
            stamps = None
            if raw.family != socket.AF_UNIX:
                _keep_alive(raw)
                stamps = Stamps(raw, self._lookout.now)
            link = Link(raw, stranger.end, self._lookout, guest.name, stamps, self._tap)
            link.tell(Welcome(VERSION, guest.name, (), limits.LIMITS_BY_NAME))
        except BaseException:
            raw.close()
            raise
        if guest.link is not None:
            guest.link.drop()
        guest.link = link
        guest.hello = hello
        guest.refused = None
        guest.has_come.set()


def _keep_alive(sock: socket.socket) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEPALIVE:
        sock.setsockopt(socket.IPPROTO_TCP, option, value)


@asynccontextmanager
async def open_lobby(
    lookout: Lookout,
    *addresses: UnixAddress | TcpAddress,
    hello_ms: int = limits.START_MS,
    hang_ms: int = limits.HANG_MS,
    tap: Tap | None = None,
) -> AsyncIterator[Lobby]:
    """Listen at these addresses until the scope is left; Unix sockets are unlinked then."""
    lobby = Lobby(lookout, hello_ms, hang_ms, tap)
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
