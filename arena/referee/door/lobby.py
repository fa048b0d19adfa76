"""Accept connections, read one hello from each, and admit those with a token.

A token admits one connection if we started the bot, and one at a time if the bot dials in. All
other connections cost as little as possible: nothing is read beyond one hello, the hello must be
there within `hello_ms`, and within `hang_ms` from its first byte to its last. Each address is a
door of its own. When there are more strangers than the limit of open files leaves room for, the
oldest at the fullest door is sent away, so a crowd at one door leaves the others free. An
exception while one stranger is handled ends the connection of that stranger and nothing else.

A refused connection on a Unix socket is known by its session, which is the session of its bot. So
a bot with a wrong token, or without a hello, is told just that and not that it never connected.
TCP has no such sign.
"""

from __future__ import annotations

import contextlib
import logging
import math
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from arena.record import timing
from arena.referee.door import descriptors
from arena.referee.door.addresses import ListeningSocket, RelayAddress, TcpAddress, UnixAddress
from arena.referee.door.evidence import (
    PAUSE_SECONDS as EVIDENCE_PAUSE_SECONDS,
)
from arena.referee.door.evidence import (
    EvidenceSource,
    asked_after,
    no_evidence,
    told_fault_evidence,
)
from arena.referee.door.guests import Guest, Guests
from arena.referee.door.rare_log import RareLog
from arena.referee.door.strangers import (
    Door,
    Stranger,
    begun_by,
    make_room,
    say,
    send_away_oldest,
    session_of,
    too_slow,
)
from arena.referee.door.turned_away import TurnedAway
from arena.referee.door.wrong_tokens import WrongTokens, WrongTokensCount
from arena.referee.wire.connection import Tap
from arena.referee.wire.keepalive import keep_alive
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout
from arena.referee.wire.relayed import link_over
from arena.tokens import KnownToken
from arena.utc import now as utc_now
from protocol import limits
from protocol.breach import Breach
from protocol.breaches import hello_refused
from protocol.encode import encode
from protocol.farewells import farewell, refusal
from protocol.messages import Bye, FaultEvidence, Hello, Welcome
from protocol.version import VERSION

log = logging.getLogger(__name__)

# New connections in a row before the matches have their turn.
ACCEPTS_IN_A_ROW = 8
PAUSE_SECONDS = 0.002
# Pause after `accept` failed, mostly for want of descriptors: none becomes free any sooner.
TROUBLE_SECONDS = 0.05
BACKLOG = 1024
# Between two looks for tokens that have expired meanwhile.
EXPIRY_SECONDS = 1.0
CHANGED = "It was renewed or revoked; the people who run the league know more."


class Lobby:
    """Expected bots and the doors where they connect; made by `open_lobby`.

    `hello_ms`: milliseconds from connecting to a whole hello. `hang_ms`: milliseconds from the
    first byte of the hello to the last. `evidence`: gives the answer to a hello with the offer
    `evidence`. `now`: the time, for tokens that expire.
    """

    def __init__(
        self,
        lookout: Lookout,
        hello_ms: int,
        hang_ms: int,
        tap: Tap | None,
        evidence: EvidenceSource,
        now: Callable[[], str],
    ):
        self._lookout = lookout
        self._evidence = evidence
        self._hello_ms = hello_ms
        self._hang_ms = hang_ms
        self._tap = tap
        self._guests = Guests(now)
        self._doors: list[Door] = []
        self._turned_away = TurnedAway()
        self._open_files = descriptors.limit()
        self._log = RareLog(log, trio.current_time)
        self._wrong_tokens = WrongTokens(trio.current_time)
        self._has_wrong_tokens = trio.Event()
        # Called with each guest that dials in, when it has a new link.
        self.on_admitted: Callable[[Guest, Link], object] = lambda guest, link: None
        self.addresses: list[str] = []

    def __repr__(self) -> str:
        strangers = sum(map(len, self._doors))
        return f"<Lobby {len(self._guests)} expected, {strangers} at the door>"

    def expect(
        self, name: str, token: KnownToken | None, *, dials_in: bool = False, most: int = 1
    ) -> Guest:
        """Admit a connection that sends this token as this entrant; None admits none yet.

        `dials_in`: it may connect again after a connection has ended. `most`: connections at a
        time.
        """
        guest = Guest(name, token, dials_in=dials_in, most=most)
        self._guests.add(guest)
        return guest

    def forget(self, guest: Guest) -> None:
        """Refuse this guest's token from now on."""
        self._guests.remove(guest)

    def change_token(self, guest: Guest, token: KnownToken | None) -> None:
        """Admit this guest by another token from now on, or by none. All its connections are
        closed at once, in a match too."""
        self._guests.remove(guest)
        guest.token = token
        self._guests.add(guest)
        self._shut_out(guest, CHANGED)

    def _shut_out(self, guest: Guest, why: str) -> None:
        """Close the connections of a guest if its token is not valid any more."""
        for stranger in (each for door in self._doors for each in door):
            if stranger.guest is guest:  # it is being told evidence
                stranger.bye = farewell("bad-token", why)
                stranger.scope.cancel()
        for link in guest.links:
            # It stays in `guest.links`: a match may still use it, and sees that it is closed.
            link.hang_up("bad-token", why)

    async def watch_expiry(self) -> None:
        """Close the connections of guests when their tokens expire."""
        while True:
            await self._guests.may_expire.wait()
            for guest in self._guests:
                if self._guests.has_expired(guest):
                    self._shut_out(guest, expired(guest))
            await trio.sleep(EXPIRY_SECONDS)

    async def wrong_tokens(self) -> WrongTokensCount:
        """Wait until a wrong token has come; return the count since the last call."""
        while (count := self._wrong_tokens.take()) is None:
            await self._has_wrong_tokens.wait()
            self._has_wrong_tokens = trio.Event()
        return count

    def has_seen(self, session: int) -> bool:
        """Tell if a process of this session is at a door, or was refused there."""
        return session in self._turned_away or bool(self._strangers_of(session))

    def _strangers_of(self, session: int) -> list[Stranger]:
        return [
            stranger for door in self._doors for stranger in door if stranger.session == session
        ]

    def send_away(self, session: int) -> bool:
        """Send away the strangers of this session: their time is over. False if there are none."""
        found = self._strangers_of(session)
        for stranger in found:
            self._turned_away.remember(session, begun_by(stranger))
            stranger.scope.cancel()
        return bool(found)

    def refused(self, session: int) -> Breach | None:
        """Return the reason why a process of this session was refused, None if none is known."""
        return self._turned_away.why(session)

    def forget_session(self, session: int) -> None:
        """Forget a session that has ended: the kernel may give its number to another."""
        self._turned_away.forget(session)

    async def receive(self, listener: ListeningSocket, nursery: trio.Nursery) -> None:
        """Accept connections at a door until cancelled; each is greeted by a task of its own."""
        door: Door = {}
        self._doors.append(door)
        while True:
            for _ in range(ACCEPTS_IN_A_ROW):
                try:
                    stream = await listener.accept()
                except OSError as error:
                    self._log.warning("cannot accept a connection: %s", error)
                    # Most likely no descriptor is free: take that of the oldest stranger.
                    send_away_oldest(self._doors)
                    await trio.sleep(TROUBLE_SECONDS)
                    break
                make_room(
                    self._doors, descriptors.most_strangers(self._open_files, len(self._guests))
                )
                # Here and not in its task: tasks begin in any order, and the oldest comes first.
                stranger = Stranger(stream.socket, self._lookout.now)
                door[stranger] = None
                nursery.start_soon(self._greet, stranger, door)
            await trio.sleep(PAUSE_SECONDS)

    async def _greet(self, stranger: Stranger, door: Door) -> None:
        """Handle one connection up to its `welcome` or `bye`. No exception of ours leaves it."""
        admitted = False
        try:
            stranger.session = session_of(stranger.sock)
            with stranger.scope:
                stranger.scope.deadline = trio.current_time() + self._hello_ms / 1000
                admitted = await self._hear(stranger)
            if stranger.scope.cancelled_caught:
                self._turned_away.remember(stranger.session, begun_by(stranger))
                if not stranger.is_answered:
                    await say(stranger, stranger.bye or too_slow(stranger.end))
        except Exception:  # a bug met by one stranger must never end the matches of others
            self._log.exception("a connection was dropped: this is a bug in arena")
            # The same bug may make this fail too.
            with contextlib.suppress(Exception):
                if not stranger.is_answered:
                    await say(stranger, farewell("server-error"))
        finally:
            door.pop(stranger, None)
            if not admitted:
                self._turned_away.remember(stranger.session, None)
                stranger.sock.close()

    async def _hear(self, stranger: Stranger) -> bool:
        """Read the hello, then admit or refuse. True if the socket belongs to a link now."""
        first = None
        while first is None:
            try:
                data = await stranger.receive(limits.MAX_BOT_BODY_BYTES)
            except (OSError, ValueError):  # ValueError: a door of another version
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
            guest = self._guests.find(first.token)
            if bye is None:
                bye = self._bad_token(guest, first.token)
                if bye is not None:
                    await self._delay(stranger, bye)
            if bye is None and guest is not None:
                bye = guest.farewell
            if bye is None and guest is not None and guest.dials_in:
                after = asked_after(first)
                if after is not None:
                    stranger.name, stranger.guest = guest.name, guest
                    await self._tell_evidence(stranger, guest, after)
                    return False
            bye = bye or self._in_use(guest)
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
            await say(stranger, bye)
            return False
        assert isinstance(first, Hello)
        assert guest is not None
        self._admit(stranger, first, guest)
        return True

    async def _delay(self, stranger: Stranger, bye: Bye) -> None:
        """Count a wrong token, and let the refusal wait: longer each time for one address.

        Not over a Unix socket, where each bot that we start has one token of its own.
        """
        address = stranger.address
        if address is None:
            return
        self._log.warning("a wrong token from %s", address)
        seconds = self._wrong_tokens.add(address)
        self._has_wrong_tokens.set()
        # From now on it may be the first to make room for another, and is told this then.
        stranger.bye = bye
        stranger.scope.deadline = math.inf
        await trio.sleep(seconds)

    async def _tell_evidence(self, stranger: Stranger, guest: Guest, after: str) -> None:
        """Answer a hello that asks for evidence. The time of the hello bounds it all, and neither
        the seat nor the connection of the bot is touched."""
        if trio.current_time() < guest.asked_at + EVIDENCE_PAUSE_SECONDS:
            await self._send(stranger, farewell("too-soon"))
            return
        guest.asked_at = math.inf  # until this is over
        try:
            page = await self._evidence(guest.name, after)
            for number, kept in enumerate(page.kept, 1):
                more = page.more or number < len(page.kept)
                await self._send(stranger, told_fault_evidence(kept, more=more))
            await self._send(stranger, farewell("told"))
        except ValueError as error:
            await self._send(stranger, farewell("bad-hello", f"{error} (SPEC 2.7)."))
        finally:
            guest.asked_at = trio.current_time()

    async def _send(self, stranger: Stranger, message: FaultEvidence | Bye) -> None:
        """Send all of a message, as fast as it is read. If the connection is lost the rest is sent
        to nobody."""
        data = stranger.end.send(message)
        stranger.is_answered = True
        if self._tap is not None:
            self._tap.sent(stranger, data)
        left = memoryview(data)
        with contextlib.suppress(OSError):
            while left:
                left = left[await stranger.send(left) :]

    def _bad_token(self, guest: Guest | None, token: str) -> Bye | None:
        """Return the `bye` for a good hello with a token that is not valid."""
        if guest is None:
            if self._guests.has_ended(token):
                return farewell("bad-token", CHANGED)
            return farewell("bad-token", "Send what ARENA_TOKEN holds, unchanged (SPEC 2.3).")
        return farewell("bad-token", expired(guest)) if self._guests.has_expired(guest) else None

    def _in_use(self, guest: Guest | None) -> Bye | None:
        """Return the `bye` for a good hello with a token that is used; None to admit it."""
        if guest is None or not guest.links:
            return None
        if not guest.dials_in:
            return farewell("token-used")
        return None if guest.has_room else farewell("token-in-use")

    def _admit(self, stranger: Stranger, hello: Hello, guest: Guest) -> None:
        """Make a link of the stranger's socket, and greet it."""
        # From here on the link reads the socket itself: Trio's wrapper would cost time.
        raw = socket.socket(fileno=stranger.sock.detach())
        try:
            raw.setblocking(False)
            if raw.family != socket.AF_UNIX:
                keep_alive(raw)
            link = link_over(raw, stranger.end, self._lookout, guest.name, self._tap)
            link.tell(Welcome(VERSION, guest.name, (), limits.LIMITS_BY_NAME))
        except BaseException:
            raw.close()
            raise
        guest.admit(link, hello)
        if guest.dials_in:
            self.on_admitted(guest, link)


def expired(guest: Guest) -> str:
    """Return words for the author of a bot with a token that is not valid any more."""
    assert guest.token is not None
    return f"It expired at {guest.token.expires}; the people who run the league may renew it."


@asynccontextmanager
async def open_lobby(
    lookout: Lookout,
    *addresses: UnixAddress | TcpAddress | RelayAddress,
    hello_ms: int = timing.START_MS,
    tap: Tap | None = None,
    evidence: EvidenceSource = no_evidence,
    now: Callable[[], str] = utc_now,
) -> AsyncIterator[Lobby]:
    """Listen at these addresses until the scope is left; Unix sockets are unlinked then.

    `hello_ms`, `evidence` and `now` are as in `Lobby`.
    """
    lobby = Lobby(lookout, hello_ms, timing.HANG_MS, tap, evidence, now)
    listeners: list[tuple[ListeningSocket, Callable[[], None]]] = []
    try:
        for address in addresses:
            listener: ListeningSocket
            listener, name = address.listen(BACKLOG)
            listeners.append((listener, address.clean_up))
            lobby.addresses.append(name)
        async with trio.open_nursery() as nursery:
            for listener, _ in listeners:
                nursery.start_soon(lobby.receive, listener, nursery)
            nursery.start_soon(lobby.watch_expiry)
            yield lobby
            nursery.cancel_scope.cancel()
    finally:
        for listener, clean_up in listeners:
            listener.socket.close()
            clean_up()
        for guest in lobby._guests:
            guest.leave()
