"""One bot's connection, as the match that plays on it uses it.

The hot path of the whole referee: a raw non-blocking socket and `wait_readable` in the
match's own task, one send for each frame, no task or scope for a decision. What bots send
wrongly comes back as a value. Sending never waits: what the socket does not take at once is
kept, up to a limit, and goes out when the bot reads again; so a bot that never reads holds up
nobody but itself.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import trio
from trio.lowlevel import wait_readable, wait_writable

from arena.referee.clock import Now
from arena.referee.lag import LagMeter
from arena.referee.replies import Chose, Failed, Lagged, Reply
from arena.referee.stamps import NoStamps, Stamps, has_come
from arena.referee.watchdog import Watchdog
from protocol.breach import Breach
from protocol.breaches import hung, out_of_time
from protocol.farewells import farewell
from protocol.faults import fault_message
from protocol.messages import Action, Bye, End, Fault, Hello, Start, Welcome
from protocol.order import State
from protocol.server_end import ServerEnd, Stale

READ_BYTES = 8192
# What a bot may leave unread: some dozens of requests. More, and it is not reading.
MOST_UNSENT_BYTES = 262_144
# The lag of this machine inside a decision that makes a late ruling void (SPEC 6.5).
LAG_MARGIN_US = 20_000
# What came between matches and is told to the bot; what more there is counts in the match.
MOST_ASIDES = 64


@dataclass(frozen=True)
class Time:
    """The clock, and what watches over it: the same for all links of a referee."""

    now: Now
    watchdog: Watchdog
    lag: LagMeter


class Tap(Protocol):
    """Sees every frame that crosses, as bytes; `arena match --tap` prints them."""

    def sent(self, link: Link, data: bytes) -> None: ...
    def came(self, link: Link, body: bytes) -> None: ...


class Link:
    """An accepted connection: its hello was good."""

    def __init__(
        self,
        sock: socket.socket,
        end: ServerEnd,
        time: Time,
        name: str,
        stamps: Stamps | NoStamps | None = None,
        tap: Tap | None = None,
    ):
        self.sock = sock
        self.end = end
        self.name = name
        self.is_open = True
        self.fd = sock.fileno()
        self.deadline_us = 0
        self.last_request = b""  # the frame, kept as evidence
        self._time = time
        self._stamps = stamps if stamps is not None else NoStamps(sock, time.lag)
        self._tap = tap
        self._sock_send = sock.send
        self._unsent = bytearray()
        self._asides: list[Breach] = []
        self._asides_left = MOST_ASIDES  # before we stop listening
        self._lost: Breach | None = None  # why it is not open, if it is the bot's doing
        self._frame_begun_us: int | None = None
        # Since when the bot has been late without answering anything; None: it is not. While
        # nothing is asked it has nothing to say, so that time is taken out again.
        self._silent_since_us: int | None = None
        # When it was last asked, it had not answered anything since it was ruled late, nor did
        # it while it was asked: then another miss is the same `late` (SPEC 6.4).
        self.was_late_before = False
        self._ruled_us = 0  # when it was last ruled late

    def __repr__(self) -> str:
        state = "open" if self.is_open else "closed"
        return f"<Link {self.name!r} {state}, {self.end!r}>"

    @property
    def last_id(self) -> int:
        """The id of the last request."""
        return self.end.last_id

    def take_asides(self) -> Sequence[Breach]:
        """What came that nobody had asked for, since this was last called."""
        if not self._asides:
            return ()
        asides, self._asides = self._asides, []
        return asides

    def tell(self, message: Welcome | Start | Fault | End | Bye) -> None:
        """Send a message that wants no answer; a link that cannot take it is soon found gone."""
        if self.is_open and self.end.state is not State.CLOSED:
            self._send(self.end.send(message))

    async def ask(
        self,
        match: str,
        view: Mapping[str, Any],
        legal: Sequence[str],
        allowed_us: int,
        charged_us: int,
        hang_us: int,
    ) -> Reply:
        """Send a request and wait for what comes of it."""
        if not self.is_open:
            return Failed(self._lost or self.end.closed(), 0, b"")
        if has_come(self.fd):
            gone = self._read_unasked()
            if gone is not None:
                return Failed(gone, 0, b"")
        self.last_request = data = self.end.request(match, view, legal, allowed_us, charged_us)
        # Gone before the wait, the view leaves its memory, still in the processor's cache, to
        # the next match that asks: a tenth of a decision when hundreds are played at once.
        del view
        time = self._time
        waiters = time.watchdog.waiters
        lag_before = time.lag.lag_us
        began = time.now()
        self._send(data)  # right after its time is taken, and before anything that waits
        self.deadline_us = began + allowed_us
        self.was_late_before = self._silent_since_us is not None
        if self._silent_since_us is not None:
            self._silent_since_us += began - self._ruled_us
            self.deadline_us = self._deadline(began, allowed_us, hang_us)
        waiters.add(self)
        try:
            while self.is_open:
                called = False
                try:
                    if self._unsent:
                        await wait_writable(self.fd)
                        self._send(b"")
                    else:
                        await wait_readable(self.fd)
                except trio.ClosedResourceError:
                    called = True
                reply = self._read(began)
                if reply is not None:
                    if reply.took_us > allowed_us:
                        return self._too_late(reply, allowed_us, time.lag.lag_us - lag_before)
                    return reply
                if called and time.now() >= self.deadline_us:
                    lag = time.lag.lag_us - lag_before
                    return self._out_of_time(began, allowed_us, hang_us, lag)
                self.deadline_us = self._deadline(began, allowed_us, hang_us)
        finally:
            waiters.discard(self)
        # Dropped: there was too much that it has not read.
        return Failed(self._lost or self.end.closed(), time.now() - began, b"")

    def begin(self, faults_to_forfeit: int) -> None:
        """Before a match: what came since the last one is told to the bot and costs nothing."""
        if not self.is_open:
            return
        self._silent_since_us = None
        self._asides_left = MOST_ASIDES
        # What came together with the hello, say, has been read already.
        gone = self._read_unasked() or self._set_aside()
        for aside in self.take_asides():
            message = fault_message(
                aside, match=None, id_=None, played=None, faults=0, forfeit=False
            )
            self.tell(message)
        if gone is not None and gone.kind == "gone":
            self._lost = gone
            self.hang_up(gone.code, gone.came)
        self._asides_left = faults_to_forfeit

    def hang_up(self, reason: str, detail: str = "") -> None:
        """Say `bye` and close."""
        if self.is_open:
            if self.end.state is not State.CLOSED:
                self.tell(farewell(reason, detail))
            self.drop()

    def is_alive(self) -> bool:
        """Whether the other side still holds the connection, as far as can be seen from here."""
        if not self.is_open:
            return False
        # Not by a peek: what a bot sent before it went would hide that it has gone.
        poll = select.poll()
        poll.register(self.sock, select.POLLRDHUP)
        return not poll.poll(0)

    def drop(self) -> None:
        """Close without a word."""
        if self.is_open:
            self.is_open = False
            trio.lowlevel.notify_closing(self.sock)
            self.sock.close()

    # What `ask` is made of.

    def _read_unasked(self) -> Breach | None:
        """Take what came while nothing was asked: it is an aside, or the link is gone."""
        data = self._stamps.read(READ_BYTES)
        if data is None:
            return None
        if not data:
            return self.end.closed()
        return self._set_aside(data)

    def _set_aside(self, data: bytes = b"") -> Breach | None:
        """What is in these bytes, and was left over before, answers nothing."""
        if self._asides_left <= 0:
            return None  # nobody listens any more; the request that is open stays so
        what = self.end.receive(data)
        while what is not None:
            self._frame_begun_us = None
            if isinstance(what, Stale):
                self._silent_since_us = None
            elif isinstance(what, Breach) and what.kind == "out-of-turn":
                self._asides.append(what)
                self._asides_left -= 1
                if self._asides_left <= 0:
                    return what
            else:
                assert isinstance(what, Breach), f"{what!r} unasked: this is a bug in arena"
                return what
            what = self.end.receive()
        self._note_frame(self._time.now())
        return None

    def _deadline(self, began: int, allowed_us: int, hang_us: int) -> int:
        """When this decision is over whatever comes: out of time, silent or unfinished too long."""
        deadline = began + allowed_us
        for since in (self._silent_since_us, self._frame_begun_us):
            if since is not None:
                deadline = min(deadline, since + hang_us)
        return deadline

    def _read(self, began: int) -> Chose | Failed | None:
        """Take what is there; the first thing that settles the request is the reply."""
        data = self._stamps.read(READ_BYTES) if self.is_open else b""
        if data is None:
            return None
        took = self._stamps.arrived - began
        if took < 0:
            took = 0  # it came before, unasked; or while the loop was busy since its last look
        if not data:
            return Failed(self._lost or self.end.closed(), took, b"")
        end = self.end
        what = end.receive(data)
        # The case that matters for speed, first: the answer and nothing else.
        if type(what) is Action and end.is_between_frames:
            if self._tap is not None:
                self._tap.came(self, end.body)
            self._silent_since_us = self._frame_begun_us = None
            return Chose(what.action, took, what.note)
        while what is not None:
            self._frame_begun_us = None
            reply = self._settle(what, took)
            if reply is not None:
                if not end.is_between_frames:
                    self._set_aside()  # if it is the link's end, the next read says so again
                return reply
            what = end.receive()
        self._note_frame(began + took)
        return None

    def _settle(self, what: Hello | Action | Stale | Breach, took: int) -> Chose | Failed | None:
        """What a thing that came settles; None if it settles nothing."""
        if self._tap is not None:
            self._tap.came(self, self.end.body)
        if isinstance(what, Action):
            self._silent_since_us = None
            return Chose(what.action, took, what.note)
        if isinstance(what, Stale):
            self._silent_since_us = None
            self.was_late_before = False
            return None
        assert isinstance(what, Breach), f"{what!r} in a match: this is a bug in arena"
        if what.kind == "out-of-turn":
            self._asides.append(what)
            self._asides_left -= 1
            # So many have forfeited the seat. Nobody listens to a flood until it ends.
            return Failed(what, took, self.end.body) if self._asides_left <= 0 else None
        self._silent_since_us = None
        return Failed(what, took, self.end.body)

    def _note_frame(self, now: int) -> None:
        """Remember since when a frame is begun and not finished."""
        if self.end.is_between_frames:
            self._frame_begun_us = None
            return
        self._stamps.acknowledge()
        if self._frame_begun_us is None:
            self._frame_begun_us = now

    def _too_late(self, reply: Chose | Failed, allowed_us: int, lag: int) -> Reply:
        """What came after the deadline is late whatever it was, unless this machine was slow."""
        if isinstance(reply, Failed) and reply.breach.kind == "gone":
            return reply
        if lag > LAG_MARGIN_US:
            return Lagged(reply.took_us, lag)
        return Failed(out_of_time(reply.took_us, allowed_us), reply.took_us, self.end.body)

    def _out_of_time(self, began: int, allowed_us: int, hang_us: int, lag: int) -> Reply:
        """The deadline is past: late, unless this machine was, or gone, if it never answers."""
        now = self._time.now()
        took = now - began
        if lag > LAG_MARGIN_US:
            return Lagged(took, lag)
        begun = self._frame_begun_us
        if begun is not None and now - begun >= hang_us:
            return Failed(self.end.unfinished(), took, b"")
        self._ruled_us = now
        if self._silent_since_us is None:
            self._silent_since_us = now
        elif now - self._silent_since_us >= hang_us:
            silent_ms = (now - self._silent_since_us) // 1000
            return Failed(hung(silent_ms, hang_us // 1000), took, b"")
        return Failed(out_of_time(took, allowed_us), took, b"")

    def _send(self, data: bytes) -> None:
        """Give the socket what it takes; keep the rest. Never waits."""
        if data and self._tap is not None:
            self._tap.sent(self, data)
        if self._unsent:
            self._unsent += data
            data = bytes(self._unsent)
        try:
            sent = self._sock_send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            # It is gone; the next read says so.
            self._unsent.clear()
            return
        if sent == len(data) and not self._unsent:
            return
        self._unsent[:] = data[sent:]
        if len(self._unsent) > MOST_UNSENT_BYTES:
            came = f"more than {MOST_UNSENT_BYTES} bytes wait for you to read them"
            self._lost = Breach("closed", came, "every message to be read")
            self.drop()
