"""Accept bots at all places of a door, and hand each on to a referee in a task of its own.

No exception of one connection reaches another. A door keeps no queue and no state beyond its
connections, so it may end at any moment: its sockets to the referee are closed by the kernel then
without the packet that tells a bot's end, and the sets in play are void.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from arena.door.bots import BotAtDoor, BotLeft, TlsBot
from arena.door.bounds import MOST, MOST_OF_AN_ADDRESS
from arena.door.certificates import Certificate
from arena.door.crowd import Crowd, TooMany
from arena.door.origin import origin_of, plain_address
from arena.door.passing import Passing
from arena.door.places import ListenPlace, Way
from arena.door.referees import Beyond, NoReferee, Referee, RefereeLeft
from arena.door.stamped import StampedStream
from arena.door.websocket import NoUpgrade, WebSocketBot, refusal, take_head, upgraded
from arena.referee.clock import now_us
from arena.referee.door.addresses import TcpAddress
from arena.referee.door.rare_log import RareLog
from arena.referee.wire.keepalive import keep_alive
from arena.tcp_address import host_and_port

log = logging.getLogger(__name__)

BACKLOG = 1024
# New connections in a row before others have their turn, and the pause then.
ACCEPTS_IN_A_ROW = 8
PAUSE_SECONDS = 0.002
TROUBLE_SECONDS = 0.05
# From connecting to the end of TLS's handshake and of the request for a WebSocket.
HANDSHAKE_SECONDS = 10.0
# For the last words to a connection that is refused.
REFUSAL_SECONDS = 1.0


class CannotOpen(Exception):
    """The door cannot listen at a place; the text says which, and why."""


@dataclass(frozen=True)
class DoorTerms:
    """The rules of a door. `trusted`: proxies whose X-Forwarded-For counts. `most`: connections."""

    beyond: Beyond
    certificate: Certificate | None = None
    trusted: Collection[str] = ()
    most: int = MOST
    most_of_an_address: int = MOST_OF_AN_ADDRESS


class OpenDoor:
    """An open door; made by `open_door`."""

    def __init__(self, terms: DoorTerms):
        self._terms = terms
        self._crowd = Crowd(terms.most, terms.most_of_an_address)
        self._log = RareLog(log, trio.current_time)
        self.places: list[ListenPlace] = []

    def __repr__(self) -> str:
        return f"<OpenDoor to {self._terms.beyond}, {self._crowd!r}>"

    async def receive(
        self, listener: trio.SocketListener, place: ListenPlace, nursery: trio.Nursery
    ) -> None:
        """Accept connections at a place until cancelled."""
        while True:
            for _ in range(ACCEPTS_IN_A_ROW):
                try:
                    stream = await listener.accept()
                except OSError as error:
                    self._log.warning("cannot accept a connection: %s", error)
                    await trio.sleep(TROUBLE_SECONDS)
                    break
                sock = socket.socket(fileno=stream.socket.detach())
                scope = trio.CancelScope(deadline=trio.current_time() + HANDSHAKE_SECONDS)
                try:
                    self._crowd.enter(scope)
                except TooMany as error:
                    self._log.warning("a connection is refused: %s", error)
                    sock.close()
                    continue
                nursery.start_soon(self._take, sock, place, scope)
            await trio.sleep(PAUSE_SECONDS)

    async def _take(self, sock: socket.socket, place: ListenPlace, scope: trio.CancelScope) -> None:
        """Handle one connection. No exception of ours leaves it."""
        try:
            with scope:
                await self._greet(sock, place, scope)
        except Exception:  # a bug met by one connection must never end others
            self._log.exception("a connection was dropped: this is a bug in arena")
        finally:
            self._crowd.leave(scope)
            sock.close()

    async def _greet(
        self, sock: socket.socket, place: ListenPlace, scope: trio.CancelScope
    ) -> None:
        """Take a connection from its first byte to its last."""
        try:
            peer = plain_address(str(sock.getpeername()[0]))
            keep_alive(sock)
        except OSError:  # reset by the other side
            return
        tcp = StampedStream(sock, now_us)
        counted = None
        try:
            if peer not in self._terms.trusted:
                counted = self._crowd.enter_from(peer)
            bot, origin = await self._met(tcp, place, peer)
            if counted is None:
                counted = self._crowd.enter_from(origin)
            await self._hand_on(bot, origin, scope)
        except TooMany as error:
            self._log.warning("a connection is refused: %s", error)
        except (trio.BrokenResourceError, NoUpgrade, BotLeft):
            return  # it is gone, or was told
        finally:
            if counted is not None:
                self._crowd.leave_from(counted)

    async def _met(
        self, tcp: StampedStream, place: ListenPlace, peer: str
    ) -> tuple[BotAtDoor, str]:
        """Go through the handshakes of a place; return the bot and its origin."""
        stream: StampedStream | trio.SSLStream[StampedStream] = tcp
        if place.is_encrypted:
            assert self._terms.certificate is not None  # checked by `open_door`
            context = self._terms.certificate.context
            stream = trio.SSLStream(tcp, context, server_side=True, https_compatible=True)
            await stream.do_handshake()
            if place.way is Way.TLS:
                return TlsBot(stream), peer
        try:
            head, rest = await take_head(stream)
            connection, response, headers = upgraded(head)
        except NoUpgrade as error:
            with trio.move_on_after(REFUSAL_SECONDS):
                await stream.send_all(refusal(str(error)))
            raise
        await stream.send_all(response)
        bot = WebSocketBot(stream, tcp, connection, rest)
        return bot, origin_of(peer, headers, self._terms.trusted)

    async def _hand_on(self, bot: BotAtDoor, origin: str, scope: trio.CancelScope) -> None:
        """Connect to the referee, and pass bytes until one of the two leaves."""
        try:
            referee = await self._terms.beyond.connect(origin, now_us)
        except NoReferee as error:
            self._log.warning("a bot is turned away: %s", error)
            with trio.move_on_after(REFUSAL_SECONDS):
                await bot.say_goodbye()
            return
        self._crowd.know(scope)
        scope.deadline = float("inf")
        try:
            await Passing(bot, referee).run()
        except Exception:
            # Told as the bot's end: a bot that knew such a bug must not have matches void by it.
            await _say_bot_left(referee)
            raise
        finally:
            referee.close()


async def _say_bot_left(referee: Referee) -> None:
    try:
        await referee.bot_left()
    except RefereeLeft:
        return


@asynccontextmanager
async def open_door(places: Sequence[ListenPlace], terms: DoorTerms) -> AsyncIterator[OpenDoor]:
    """Listen at these places until the scope is left; then all connections end at once.

    Raises CannotOpen. Where a place is encrypted the terms have a certificate.
    """
    door = OpenDoor(terms)
    listeners: dict[ListenPlace, trio.SocketListener] = {}
    try:
        for place in places:
            listener, where = _listening(place)
            listeners[where] = listener
        door.places = [*listeners]
        async with trio.open_nursery() as nursery:
            for place, listener in listeners.items():
                nursery.start_soon(door.receive, listener, place, nursery)
            yield door
            nursery.cancel_scope.cancel()
    finally:
        for listener in listeners.values():
            listener.socket.close()


def _listening(place: ListenPlace) -> tuple[trio.SocketListener, ListenPlace]:
    """Listen at a place; return the listener, and the place with the port that was taken."""
    try:
        listener, address = TcpAddress(place.host, place.port).listen(BACKLOG)
    except OSError as error:
        raise CannotOpen(f"cannot listen at {place}: {error.strerror or error}") from None
    return listener, ListenPlace(place.way, place.host, int(host_and_port(address)[1]))
