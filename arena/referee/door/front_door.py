"""The front door of a league: bots that dial in, their connections, and the sets they are lent to.

All bots dial in here, in the process of the runner. A connection rests here between sets and is
lent to the job that plays one: the job gets another descriptor of the same socket. This one stays
open, so that here it is always seen whether the bot is still connected, and a token that is revoked
ends the connection at once, in a match too.
"""

from __future__ import annotations

import logging
import math
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from secrets import randbits

import trio

from arena.referee.door.addresses import RelayAddress, TcpAddress
from arena.referee.door.evidence import EvidenceSource
from arena.referee.door.guests import Guest
from arena.referee.door.lobby import Lobby, open_lobby
from arena.referee.door.wrong_tokens import WrongTokensCount
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout
from arena.referee.wire.packed import LendLink, LinkBack, LinkBetweenMatches, PackedBreach
from arena.tokens import KnownToken
from protocol.breach import Breach
from protocol.breaches import no_connection
from protocol.farewells import farewell

log = logging.getLogger(__name__)

# A bot that comes and goes again sooner was not here, as far as others wait for it.
STAYS_SECONDS = 5.0
# A number of each connection, never used twice: 48 bits fit every reader's integers.
NUMBER_BITS = 48


@dataclass(eq=False)
class Visit:
    """One connection of a bot, until it is lost."""

    link: Link
    number: int = field(default_factory=lambda: randbits(NUMBER_BITS))
    known: LinkBetweenMatches = field(default_factory=LinkBetweenMatches)  # when it was lent last
    is_parting: bool = False  # the league stops, and a job that is ending may still have it
    since: float = field(default_factory=trio.current_time)


class Visitor:
    """A bot that dials in, with its connections."""

    def __init__(self, guest: Guest):
        self.guest = guest
        self.visits: list[Visit] = []
        self.lent: dict[int, list[Visit]] = {}  # by set, until the set is over
        self.away_since: float | None = trio.current_time()  # None while it is connected
        # Since when others wait for it; a connection that is lost at once does not end the wait.
        self.waited_since: float | None = self.away_since
        self._was_here = False  # at the last look

    def __repr__(self) -> str:
        return f"<Visitor {self.guest!r}, in {len(self.lent)} sets>"

    @property
    def free(self) -> list[Visit]:
        """The connections that are lent to no set."""
        lent = [visit for visits in self.lent.values() for visit in visits]
        return [
            each
            for each in self.visits
            if each not in lent and not each.is_parting and each.link.is_alive()
        ]

    def come(self, link: Link) -> Visit:
        """Take a new connection."""
        visit = Visit(link)
        self.visits.append(visit)
        self.away_since = None
        return visit

    def forget_lost(self) -> None:
        """Forget connections that are lost."""
        self.guest.drop_lost()
        self.visits = [each for each in self.visits if each.link.is_open]
        now = trio.current_time()
        if any(now - each.since >= STAYS_SECONDS for each in self.visits):
            self.waited_since = None
        if not self.visits and self.away_since is None:
            self.away_since = now
            self.waited_since = self.waited_since or now

    def look(self) -> bool:
        """Forget connections that are lost; tell whether the bot has come or gone since the last
        look."""
        self.forget_lost()
        was_here, self._was_here = self._was_here, bool(self.visits)
        return was_here is not self._was_here


Lend = Callable[[LendLink, socket.socket], object]
"""Called with a connection for a set in play, and a socket of it, to be closed once it is sent;
returns at once."""


class FrontDoor:
    """The door of a league that runs; made by `open_front_door`.

    `away_ms`: milliseconds for which a bot that is away is waited for; then its sets may be played
    without it.
    """

    def __init__(self, lobby: Lobby, away_ms: int):
        self._lobby = lobby
        self._away_ms = away_ms
        self._visitors: dict[str, Visitor] = {}
        self._lends: dict[int, tuple[int, Lend]] = {}  # by set in play: its lease, and the way
        # Called with each bot that has a new connection.
        self.on_come: Callable[[Guest], object] = lambda guest: None
        lobby.on_admitted = self._admitted

    def __repr__(self) -> str:
        here = sum(each.away_since is None for each in self._visitors.values())
        return f"<FrontDoor, {here} of {len(self._visitors)} bots are here>"

    @property
    def address(self) -> str:
        """The address at which bots dial in."""
        return self._lobby.addresses[0]

    # Admission.

    def expect(self, name: str, token: KnownToken | None, connections: int = 1) -> None:
        """Admit a bot by this token, with at most so many connections at a time. None: by none.

        Of one that is admitted already only the number of connections changes: those that it has
        beyond that stay.
        """
        visitor = self._visitors.get(name)
        if visitor is None:
            guest = self._lobby.expect(name, token, dials_in=True, most=connections)
            self._visitors[name] = Visitor(guest)
            return
        visitor.guest.most = connections
        if visitor.guest.farewell is not None:  # it was dismissed
            visitor.guest.farewell = None
            if visitor.guest.token != token:
                self._lobby.change_token(visitor.guest, token)

    def change_token(self, name: str, token: KnownToken | None) -> None:
        """Admit a bot by another token from now on, or by none. Its connections end at once."""
        self._lobby.change_token(self._visitors[name].guest, token)
        self._visitors[name].forget_lost()

    def dismiss(self, name: str, reason: str, detail: str) -> None:
        """Admit a bot no more, and send `bye` to it: where it plays a set, after that, and whenever
        it dials in again. `detail`: a sentence for its author."""
        visitor = self._visitors[name]
        visitor.guest.farewell = farewell(reason, detail)
        self._say_farewell(visitor)

    def _say_farewell(self, visitor: Visitor) -> None:
        bye = visitor.guest.farewell
        for visit in visitor.free:
            if bye is not None:
                visit.link.tell(bye)
                visit.link.drop()

    def expects(self, name: str) -> bool:
        """Tell whether a bot may come, and was not dismissed."""
        return name in self and self._visitors[name].guest.farewell is None

    def __contains__(self, name: object) -> bool:
        return name in self._visitors

    @property
    def names(self) -> Sequence[str]:
        """The names of all bots that dial in, and did."""
        return [*self._visitors]

    async def wrong_tokens(self) -> WrongTokensCount:
        """Wait until a wrong token has come; return the count since the last call."""
        return await self._lobby.wrong_tokens()

    # Presence.

    def look(self) -> Sequence[str]:
        """Return the names of the bots that have come or gone since the last look."""
        return [name for name, visitor in self._visitors.items() if visitor.look()]

    def is_here(self, name: str) -> bool:
        """Tell whether a bot is connected."""
        return self._visitors[name].away_since is None

    def away_seconds(self, name: str) -> float:
        """Return for how long a bot has been away; 0 while it is connected."""
        since = self._visitors[name].away_since
        return 0.0 if since is None else trio.current_time() - since

    def connections(self, name: str) -> tuple[int, int]:
        """Return the number of connections that a bot has, and that of those that it may have."""
        visitor = self._visitors[name]
        return len(visitor.visits), visitor.guest.most

    # Sets.

    def blocker(self, line_up: Iterable[str]) -> str | None:
        """Return a bot that dials in and has no connection for a further set; None without one."""
        visitors = self._visitors
        return next(
            (name for name in line_up if name in visitors and not visitors[name].free), None
        )

    def waits_until(self, line_up: Iterable[str]) -> float:
        """Return the time in seconds of Trio's clock from which a set may be played without those
        of its bots that are away; infinity if a bot that is here has no connection free."""
        return max((self._wait_ends(name) for name in line_up if name in self), default=-math.inf)

    def _wait_ends(self, name: str) -> float:
        visitor = self._visitors[name]
        if visitor.free:
            return -math.inf
        if visitor.visits:
            return math.inf
        if visitor.guest.farewell is not None or visitor.waited_since is None:  # it cannot come
            return -math.inf
        # One whose token was taken back is waited for too: it may get another meanwhile.
        return visitor.waited_since + self._away_ms / 1000

    def reserve(self, set_number: int, line_up: Iterable[str], most: int) -> None:
        """Keep connections of each of these bots for a set, at most this many of each."""
        for name in line_up:
            if name in self:
                visitor = self._visitors[name]
                visitor.lent[set_number] = visitor.free[:most]
                if visitor.lent[set_number]:
                    visitor.waited_since = None

    def guests_of(self, set_number: int) -> Mapping[str, int]:
        """Return by bot the number of connections that are kept for a set."""
        return {name: len(visits) for name, visits in self._kept_for(set_number)}

    def absent_of(self, set_number: int) -> Mapping[str, PackedBreach]:
        """Return by bot that a set is played without the reason."""
        return {
            name: PackedBreach.of(self._why_absent(name))
            for name, visits in self._kept_for(set_number)
            if not visits and self._visitors[name].away_since is not None
        }

    def _why_absent(self, name: str) -> Breach:
        waited = no_connection(math.ceil(self.away_seconds(name) * 1000))
        return self._visitors[name].guest.refused or waited

    def has_lost_one_of(self, set_number: int) -> bool:
        """Tell whether a bot of a set is away now, for which connections are kept."""
        return any(
            not any(visit.link.is_alive() for visit in visits)
            for _, visits in self._kept_for(set_number)
        )

    def lend(self, set_number: int, lease: int, lend: Lend) -> None:
        """Lend a set's kept connections to the job that plays it, and those that replace them."""
        self._lends[set_number] = lease, lend
        for name, visits in self._kept_for(set_number):
            for visit in visits:
                self._hand_over(set_number, name, visit)

    def take_back(self, set_number: int, back: Iterable[LinkBack]) -> None:
        """Go on with connections that were lent; they stay kept for the set."""
        if self._lends.pop(set_number, None) is None:
            return
        known = {each.connection: each.known for each in back}
        for _, visits in self._kept_for(set_number):
            for visit in visits:
                # One that the job does not have has come too late for it, or is closed.
                visit.link.go_on_from(known.get(visit.number, visit.known))

    def set_free(self, set_number: int, *, is_stopping: bool = False) -> None:
        """Keep nothing for a set any more. Connections that are still lent are let go of: the job
        that has them is ending, and says goodbye on them if it can.

        `is_stopping`: the league is. Then they stay open here until `say_bye`: a job that has just
        given a connection back says nothing on it.
        """
        was_lent = self._lends.pop(set_number, None) is not None
        for name, visits in self._kept_for(set_number):
            if was_lent:
                for visit in visits:
                    visit.is_parting = True
                    if not is_stopping:
                        visit.link.release()
            del self._visitors[name].lent[set_number]
            self._say_farewell(self._visitors[name])

    def _kept_for(self, set_number: int) -> Iterator[tuple[str, list[Visit]]]:
        for name, visitor in [*self._visitors.items()]:
            if set_number in visitor.lent:
                yield name, visitor.lent[set_number]

    def _hand_over(self, set_number: int, name: str, visit: Visit) -> None:
        lease, lend = self._lends[set_number]
        if visit.link.is_open:
            # A descriptor of its own: until it is sent this one may be closed, and its number be
            # that of another bot.
            try:
                lent = visit.link.sock.dup()
            except OSError as error:
                log.warning("%s cannot play set %d: %s", name, set_number, error)
                return
            visit.known = visit.link.between_matches()
            # Bytes that are sent by the job are not to be sent from here.
            visit.link.go_on_from(LinkBetweenMatches())
            lend(LendLink(set_number, lease, name, visit.number, visit.known), lent)

    def _admitted(self, guest: Guest, link: Link) -> None:
        """Take a new connection; it goes to a set at once that has lost one of this bot."""
        visitor = self._visitors[guest.name]
        visit = visitor.come(link)
        self.on_come(guest)
        for number, visits in visitor.lent.items():
            lost = next((each for each in visits if not each.link.is_open), None)
            if lost is not None or not visits:
                if lost is not None:
                    visits.remove(lost)
                visits.append(visit)
                if number in self._lends:
                    self._hand_over(number, guest.name, visit)
                return

    def say_bye(self, reason: str) -> None:
        """Send `bye` on all connections that are not lent, and close all.

        The jobs have ended: where one of them has said it, the connection is closed.
        """
        for visitor in self._visitors.values():
            parting = [each for each in visitor.visits if each.is_parting and each.link.is_alive()]
            for visit in (*visitor.free, *parting):
                visit.link.hang_up(reason)


@asynccontextmanager
async def open_front_door(
    listen: TcpAddress,
    evidence: EvidenceSource,
    *,
    hello_ms: int,
    away_ms: int,
    relay: RelayAddress | None = None,
) -> AsyncIterator[FrontDoor]:
    """Listen until the scope is left. `relay`: where `arena door` hands on connections.

    `hello_ms`: milliseconds from connecting to a whole hello. `away_ms`: as in `FrontDoor`.
    `evidence`: answers hellos that ask for it.
    """
    lookout = Lookout()  # its clock and its sockets alone: no match is played here
    try:
        doors = (listen,) if relay is None else (listen, relay)
        async with open_lobby(lookout, *doors, hello_ms=hello_ms, evidence=evidence) as lobby:
            yield FrontDoor(lobby, away_ms)
    finally:
        lookout.close()
