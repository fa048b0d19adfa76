"""Ask the bot at the other end of a connection for decisions, and judge its answers.

This is the hot path of the referee: a raw non-blocking socket, one send for each frame, one read
for each answer, and no call that waits. `ask` sends a request. From then on the lookout calls
`look` when input has come and `rule` when the deadline is past, until one of them returns the
reply. A breach by the bot is returned as a value, not raised.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from typing import Any

from arena.referee.replies import Chose, Failed, Lagged, Reply
from arena.referee.wire.connection import Connection, Tap
from arena.referee.wire.lookout import GoOn, Lookout, Watch
from arena.referee.wire.packed import LinkBetweenMatches, PackedBreach
from arena.referee.wire.patience import Patience
from arena.referee.wire.relay import RelayStamps
from arena.referee.wire.stamps import NoStamps, Stamps, has_come
from protocol.breach import Breach
from protocol.breaches import hung, out_of_time
from protocol.faults import fault_message
from protocol.messages import Action, Hello
from protocol.server_end import ServerEnd, Stale

# Most bytes of one read; reads are repeated until none are left. Nearly every answer is shorter,
# and Python allocates up to 512 bytes from memory that it keeps at hand.
READ_BYTES = 448
# Lag of this machine in the last second before a deadline, or after it, may have kept an answer
# back. The bot is not charged for it if it exceeds the margin (SPEC 6.5). Earlier lag
# counts for the bot's own time.
LAG_WINDOW_US = 1_000_000
LAG_MARGIN_US = 20_000
# Breaches between two matches that are told to the bot. More of them count in the next match.
MOST_ASIDES = 64


class Link(Connection):
    """A connection that a match asks for decisions.

    Times are whole microseconds of the lookout's clock. `stamps` reads the socket; left out, it is
    one without the kernel's receive stamps.
    """

    def __init__(
        self,
        sock: socket.socket,
        end: ServerEnd,
        lookout: Lookout,
        name: str,
        stamps: Stamps | NoStamps | RelayStamps | None = None,
        tap: Tap | None = None,
    ):
        super().__init__(sock, end, lookout, name, tap)
        self.asides: tuple[Breach, ...] = ()  # breaches by messages that nothing had asked for
        self.watch = Watch()  # the lookout writes it
        # The link writes these, and the lookout reads them.
        self.go_on: GoOn = _no_match_waits
        self.is_asked = False
        self.asked_us = 0
        self.deadline_us = 0
        # Time limits of the open request.
        self._allowed_us = self._hang_us = 0
        self._now = lookout.now
        self._lag = lookout.lag
        self._stamps = stamps if stamps is not None else NoStamps(sock, lookout.lag)
        self._full_bytes = READ_BYTES  # a read of so many bytes may have left some
        self._patience = Patience()
        self._asides_left = MOST_ASIDES  # further breaches that are read; after them input is left

    @property
    def last_id(self) -> int:
        """The id of the last request sent."""
        return self.end.last_id

    @property
    def was_late_before(self) -> bool:
        """True if another miss now belongs to the last `late`, and is no new fault."""
        return self._patience.was_late_before

    @property
    def second_answers(self) -> int:
        """The number of answers so far to a request that had one (SPEC 5.3)."""
        return self.end.second_answers

    def take_asides(self) -> Sequence[Breach]:
        """Return the breaches by unasked messages since the last call."""
        asides, self.asides = self.asides, ()
        return asides

    def join(self, go_on: GoOn) -> None:
        """Enter a match: `go_on` takes the replies that `ask` does not return at once."""
        self.go_on = go_on
        if self.is_open:
            self._lookout.watch(self)
            if self._is_holding:
                self._lookout.is_to_take(self, more=True)

    def leave(self) -> None:
        """Leave the match: it is over, or given up."""
        self.go_on = _no_match_waits
        self.is_asked = False
        self._lookout.forget(self)

    def ask(
        self,
        match: str,
        view: Mapping[str, Any],
        legal: Sequence[str],
        allowed_us: int,
        charged_us: int,
        hang_us: int,
    ) -> Reply | None:
        """Send a request. Returns the reply if it is known already, else None: `go_on` will get it.

        `allowed_us`: the time that the bot has for the decision, its bank included. `charged_us`:
        the charge for its last decision, for its information. `hang_us`: the silence after which it
        is gone.
        """
        if not self.is_open:
            return self._gone(self._lost or self.end.closed(), 0)
        if self.watch.may_have_ended or has_come(self.fd):
            gone = self._read_unasked()
            if gone is not None:
                return self._gone(gone, 0)
        data = self.end.request(match, view, legal, allowed_us, charged_us)
        self._allowed_us = allowed_us
        self._hang_us = hang_us
        self.asked_us = began = self._now()
        self._send(data)  # at once, so that nothing runs between the start of its time and the send
        patience = self._patience
        if patience.is_tried or patience.was_late_before:
            patience.asks(began)
        self.is_asked = True
        if self.is_open:  # else too many bytes were unread, and the next sweep reports it
            self.deadline_us = self._deadline()
        self._lookout.asked(self)
        return None

    def look(self) -> Reply | None:
        """Read the input. Returns the reply if the input settles the request."""
        if self._is_holding:
            self._send(b"")
        reply = self._read(self.asked_us)
        if reply is None:
            self.deadline_us = self._deadline()
            self._lookout.expect(self.deadline_us)
            return None
        self.is_asked = False
        if reply.took_us > self._allowed_us and not isinstance(reply, Lagged):
            return self._too_late(reply)
        return reply

    def rule(self) -> Reply | None:
        """Read the socket once more, for an answer may be there, and rule on a deadline past."""
        reply = self.look()
        if reply is None and self._now() >= self.deadline_us + self._lag_at(self.deadline_us):
            return self._overdue()
        return reply

    def was_cut(self) -> bool:
        """Tell whether a process of ours between the bot and this one has lost the connection."""
        return False

    def abandon(self) -> None:
        """Give up the open request: a bug of ours kept its answer from being judged."""
        self.is_asked = False

    def begin(self, faults_to_forfeit: int) -> None:
        """Prepare for a match: tell the bot of its breaches since the last one, which cost nothing.

        `faults_to_forfeit`: as many unasked messages in the match forfeit the seat, and no more are
        read.
        """
        if not self.is_open:
            return
        self._patience.hears()
        self._asides_left = MOST_ASIDES
        # Bytes that came together with the hello, for instance, have been read already.
        gone = self._read_unasked() or self._set_aside()
        for aside in self.take_asides():
            message = fault_message(
                aside,
                match=None,
                id_=None,
                played=None,
                faults=0,
                forfeit=False,
                faults_to_forfeit=faults_to_forfeit,
            )
            self.tell(message)
        if gone is not None and gone.kind == "gone":
            self._lost = gone
            self.hang_up(gone.code, gone.came)
        self._asides_left = faults_to_forfeit

    def between_matches(self) -> LinkBetweenMatches:
        """Return all that another process needs to go on with the connection; Misuse in a match."""
        asides = tuple(PackedBreach.of(each) for each in self.asides)
        return LinkBetweenMatches(self.end.between_matches(), asides, self._outbox.unsent)

    def go_on_from(self, known: LinkBetweenMatches) -> None:
        """Go on where another process left the connection, between two matches."""
        self.end = ServerEnd.going_on(known.end)
        self.asides = tuple(each.breach for each in known.asides)
        self._outbox.go_on_from(known.unsent)
        self._is_holding = bool(known.unsent)

    def release(self) -> None:
        """Close the socket here, and leave the connection open: another process has it too."""
        if self.is_open:
            self.is_open = False
            self._lookout.forget_socket(self)
            self.sock.close()

    def drop(self) -> None:
        """Close without sending `bye`. A match that waits for a reply gets it at the next sweep."""
        super().drop()
        self.deadline_us = 0
        self._lookout.expect(0)

    # Parts of the above.

    def _read_unasked(self) -> Breach | None:
        """Read the input that came while no request was open. Returns a breach that ends the seat,
        if there is one."""
        found, is_full = None, True
        # Read all there is: epoll reports an arrival only once.
        while found is None and is_full and self._asides_left > 0:
            data = self._stamps.read(READ_BYTES)
            if data is None:
                return None
            if not data:
                return self.end.closed()
            is_full = len(data) >= self._full_bytes
            found = self._set_aside(data)
        return found

    def _set_aside(self, data: bytes = b"") -> Breach | None:
        """Take the unasked messages out of these bytes and those left over before.

        Returns a breach that ends the seat, if there is one.
        """
        if self._asides_left <= 0:
            return None  # nothing more is read; an open request stays open
        came = self.end.receive(data)
        while came is not None:
            self._patience.sees_whole_frame()
            if isinstance(came, Stale):
                self._patience.hears()
            elif isinstance(came, Breach) and came.kind == "out-of-turn":
                self.asides += (came,)
                self._asides_left -= 1
                if self._asides_left <= 0:
                    return came
            else:
                assert isinstance(came, Breach), f"{came!r} unasked: this is a bug in arena"
                return came
            came = self.end.receive()
        self._note_frame(self._now())
        return None

    def _deadline(self) -> int:
        """The time at which the open request is over, in microseconds of the referee's clock."""
        deadline = self.asked_us + self._allowed_us
        if self._patience.is_tried:
            deadline = self._patience.deadline(deadline, self._hang_us)
        return deadline

    def _gone(self, breach: Breach, took_us: int) -> Failed | Lagged:
        """Return the reply of a connection that is lost."""
        return Failed(breach, took_us, b"")

    def _read(self, began: int) -> Chose | Failed | Lagged | None:
        """Read the input that there is. The first message that settles the request is the reply."""
        end, is_full = self.end, True
        # Read all there is: epoll reports an arrival only once.
        while is_full:
            data = self._stamps.read(READ_BYTES) if self.is_open else b""
            if data is None:
                return None
            took = self._stamps.arrived(self.watch.found_us) - began
            if took < 0:
                took = 0  # the bytes came before the request, or while the loop was busy
            if not data:
                return self._gone(self._lost or end.closed(), took)
            came = end.receive(data)
            # First the case that matters for speed: an answer and nothing else.
            if type(came) is Action and end.is_between_frames:
                if self._tap is not None:
                    self._tap.came(self, end.body)
                if self._patience.is_tried:
                    self._patience.sees_whole_frame()
                    self._patience.hears()
                return Chose(came.action, took, came.note)
            while came is not None:
                self._patience.sees_whole_frame()
                reply = self._settle(came, took)
                if reply is not None:
                    if not end.is_between_frames:
                        self._set_aside()  # a breach that ends the link is found again later
                    return reply
                came = end.receive()
            self._note_frame(began + took)
            is_full = len(data) >= self._full_bytes
        return None

    def _settle(self, came: Hello | Action | Stale | Breach, took: int) -> Chose | Failed | None:
        """Return the reply that a message or breach makes, None if the request stays open."""
        if self._tap is not None:
            self._tap.came(self, self.end.body)
        if isinstance(came, Action):
            self._patience.hears()
            return Chose(came.action, took, came.note)
        if isinstance(came, Stale):
            self._patience.hears_stale()
            return None
        assert isinstance(came, Breach), f"{came!r} in a match: this is a bug in arena"
        if came.kind == "out-of-turn":
            self.asides += (came,)
            self._asides_left -= 1
            # The last one forfeits the seat: a flood must not be read to its end.
            return Failed(came, took, self.end.body) if self._asides_left <= 0 else None
        self._patience.hears()
        return Failed(came, took, self.end.body)

    def _note_frame(self, now: int) -> None:
        """Note the time since which a frame is unfinished, if one is."""
        if self.end.is_between_frames:
            self._patience.sees_whole_frame()
        else:
            self._stamps.acknowledge()
            self._patience.sees_beginning(now)

    def _too_late(self, reply: Chose | Failed) -> Reply:
        """Rule on input after the deadline: late, unless this machine lagged by as much as it
        was over."""
        if isinstance(reply, Failed) and reply.breach.kind == "gone":
            return reply
        took, allowed = reply.took_us, self._allowed_us
        late = Failed(out_of_time(took, allowed), took, self.end.body)
        lag = self._lag_at(self.asked_us + allowed)
        return Lagged(took, lag, late) if took - allowed <= lag else late

    def _overdue(self) -> Reply | None:
        """Rule on a silence that has lasted long enough; None to wait a little more."""
        self.is_asked = False
        return self._out_of_time()

    def _out_of_time(self) -> Failed:
        """Rule on silence after the deadline and the lag of this machine: late, or gone if it has
        lasted too long."""
        now, hang_us = self._now(), self._hang_us
        if self._patience.is_over_frame(now, hang_us):
            breach = self.end.unfinished()
        else:
            silent_us = self._patience.rules_late(now, hang_us)
            if silent_us is not None:
                breach = hung(silent_us // 1000, hang_us // 1000)
            else:
                breach = self.end.out_of_time(now - self.asked_us, self._allowed_us)
        return Failed(breach, now - self.asked_us, b"")

    def _lag_at(self, deadline: int) -> int:
        """Return the lag, in microseconds, that may have kept back an answer that was due then; 0
        if it is within the margin."""
        lag = self._lag.since(max(self.asked_us, deadline - LAG_WINDOW_US))
        return lag if lag > LAG_MARGIN_US else 0


def _no_match_waits(reply: Reply) -> None:
    """Raise: a reply came when no match waits for it, so there is a bug in arena."""
    raise AssertionError(f"{reply!r} for no match: this is a bug in arena")
