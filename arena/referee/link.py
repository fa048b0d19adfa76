"""One bot's connection, as the match that plays on it uses it.

The hot path of the whole referee: a raw non-blocking socket, one send for each frame, one read
for each answer, and nothing that waits. A request goes out in `ask`; from then on the lookout
calls `look` when something has come and `rule` when the deadline is past, until one of them
has the reply. What bots send wrongly comes back as a value.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from typing import Any

from arena.referee.connection import Connection, Tap
from arena.referee.lookout import GoOn, Lookout
from arena.referee.patience import Patience
from arena.referee.replies import Chose, Failed, Lagged, Reply
from arena.referee.stamps import NoStamps, Stamps, has_come
from protocol.breach import Breach
from protocol.breaches import hung, out_of_time
from protocol.faults import fault_message
from protocol.messages import Action, Hello
from protocol.server_end import ServerEnd, Stale

# Of one read; it goes on until nothing is left. Nearly every answer is shorter, and Python has
# memory for so few bytes at hand.
READ_BYTES = 448
# What is lag before a decision's time is up, and since then, may have kept its answer back: more
# than a margin of it is not the bot's (SPEC 6.5). What was longer ago the bot could know of.
LAG_WINDOW_US = 1_000_000
LAG_MARGIN_US = 20_000
# What came between matches and is told to the bot; what more there is counts in the match.
MOST_ASIDES = 64


class Link(Connection):
    """A connection, asked for decisions."""

    def __init__(
        self,
        sock: socket.socket,
        end: ServerEnd,
        lookout: Lookout,
        name: str,
        stamps: Stamps | NoStamps | None = None,
        tap: Tap | None = None,
    ):
        super().__init__(sock, end, lookout, name, tap)
        self.asides: tuple[Breach, ...] = ()  # what came that nobody had asked for
        # For the lookout.
        self.go_on: GoOn = _nobody_waits
        self.is_asked = False
        self.asked_us = 0
        self.may_have_ended = False
        self.found_us: int | None = None
        self.deadline_us = 0
        self.misses = self.untried = 0
        # Of the open request.
        self._allowed_us = self._hang_us = 0
        self._now = lookout.now
        self._lag = lookout.lag
        self._stamps = stamps if stamps is not None else NoStamps(sock, lookout.lag)
        self._patience = Patience()
        self._asides_left = MOST_ASIDES  # before we stop listening

    @property
    def last_id(self) -> int:
        """The id of the last request."""
        return self.end.last_id

    @property
    def was_late_before(self) -> bool:
        """Another miss now belongs to the `late` there was."""
        return self._patience.was_late_before

    def take_asides(self) -> Sequence[Breach]:
        """What came that nobody had asked for, since this was last called."""
        asides, self.asides = self.asides, ()
        return asides

    def join(self, go_on: GoOn) -> None:
        """A match begins: `go_on` takes the replies that `ask` does not have at once."""
        self.go_on = go_on
        self.may_have_ended = True  # the lookout has not seen what came before now
        if self.is_open:
            self._lookout.watch(self)
            if self._is_holding:
                self._lookout.is_to_take(self, more=True)

    def leave(self) -> None:
        """The match is over, or given up."""
        self.go_on = _nobody_waits
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
        """Send a request. The reply, if it is known already; else None, and it will come."""
        if not self.is_open:
            return Failed(self._lost or self.end.closed(), 0, b"")
        if self.may_have_ended or has_come(self.fd):
            self.may_have_ended = False
            gone = self._read_unasked()
            if gone is not None:
                return Failed(gone, 0, b"")
        data = self.end.request(match, view, legal, allowed_us, charged_us)
        self._allowed_us = allowed_us
        self._hang_us = hang_us
        self.asked_us = began = self._now()
        self._send(data)  # right after its time is taken
        patience = self._patience
        patience.was_late_before = False
        if patience.is_tried:
            patience.asks(began)
        self.is_asked = True
        self._lookout.just_asked = self
        if self.is_open:  # else it had left too much unread, and the next sweep says so
            self._set_deadline()
        return None

    def look(self) -> Reply | None:
        """Something may have come: the reply, if it settles the request."""
        if self._is_holding:
            self._send(b"")
        reply = self._read(self.asked_us)
        if reply is None:
            self._set_deadline()
            return None
        self.is_asked = False
        if reply.took_us > self._allowed_us:
            return self._too_late(reply)
        return reply

    def rule(self) -> Reply | None:
        """The deadline is past, as far as is known. The socket is read once more before that."""
        reply = self.look()
        if reply is None and self._now() >= self.deadline_us + self._lag_at(self.deadline_us):
            self.is_asked = False
            return self._out_of_time()
        return reply

    def begin(self, faults_to_forfeit: int) -> None:
        """Before a match: what came since the last one is told to the bot and costs nothing."""
        if not self.is_open:
            return
        self._patience.hears()
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

    def drop(self) -> None:
        """Close without a word. A match that waits for it learns so at the next sweep."""
        super().drop()
        self.deadline_us = self._lookout.soonest_us = 0

    # What these are made of.

    def _read_unasked(self) -> Breach | None:
        """Take what came while nothing was asked: it is an aside, or the link is gone."""
        found, is_full = None, True
        # All there is: the lookout is told of an arrival only once.
        while found is None and is_full and self._asides_left > 0:
            data = self._stamps.read(READ_BYTES)
            if data is None:
                return None
            if not data:
                return self.end.closed()
            is_full = len(data) == READ_BYTES
            found = self._set_aside(data)
        return found

    def _set_aside(self, data: bytes = b"") -> Breach | None:
        """What is in these bytes, and was left over before, answers nothing."""
        if self._asides_left <= 0:
            return None  # nobody listens any more; the request that is open stays so
        what = self.end.receive(data)
        while what is not None:
            self._patience.sees_whole_frame()
            if isinstance(what, Stale):
                self._patience.hears()
            elif isinstance(what, Breach) and what.kind == "out-of-turn":
                self.asides += (what,)
                self._asides_left -= 1
                if self._asides_left <= 0:
                    return what
            else:
                assert isinstance(what, Breach), f"{what!r} unasked: this is a bug in arena"
                return what
            what = self.end.receive()
        self._note_frame(self._now())
        return None

    def _set_deadline(self) -> None:
        deadline = self.asked_us + self._allowed_us
        if self._patience.is_tried:
            deadline = self._patience.deadline(deadline, self._hang_us)
        self.deadline_us = deadline
        if deadline < self._lookout.soonest_us:
            self._lookout.soonest_us = deadline

    def _read(self, began: int) -> Chose | Failed | None:
        """Take what is there; the first thing that settles the request is the reply."""
        end, is_full = self.end, True
        # All there is: the lookout is told of an arrival only once.
        while is_full:
            data = self._stamps.read(READ_BYTES) if self.is_open else b""
            if data is None:
                return None
            took = self._stamps.arrived(self.found_us) - began
            if took < 0:
                took = 0  # it came before, unasked; or while the loop was busy since its last look
            if not data:
                return Failed(self._lost or end.closed(), took, b"")
            what = end.receive(data)
            # The case that matters for speed, first: the answer and nothing else.
            if type(what) is Action and end.is_between_frames:
                if self._tap is not None:
                    self._tap.came(self, end.body)
                if self._patience.is_tried:
                    self._patience.sees_whole_frame()
                    self._patience.hears()
                return Chose(what.action, took, what.note)
            while what is not None:
                self._patience.sees_whole_frame()
                reply = self._settle(what, took)
                if reply is not None:
                    if not end.is_between_frames:
                        self._set_aside()  # if it is the link's end, the next read says so again
                    return reply
                what = end.receive()
            self._note_frame(began + took)
            is_full = len(data) == READ_BYTES
        return None

    def _settle(self, what: Hello | Action | Stale | Breach, took: int) -> Chose | Failed | None:
        """What a thing that came settles; None if it settles nothing."""
        if self._tap is not None:
            self._tap.came(self, self.end.body)
        if isinstance(what, Action):
            self._patience.hears()
            return Chose(what.action, took, what.note)
        if isinstance(what, Stale):
            self._patience.hears_stale()
            return None
        assert isinstance(what, Breach), f"{what!r} in a match: this is a bug in arena"
        if what.kind == "out-of-turn":
            self.asides += (what,)
            self._asides_left -= 1
            # So many have forfeited the seat. Nobody listens to a flood until it ends.
            return Failed(what, took, self.end.body) if self._asides_left <= 0 else None
        self._patience.hears()
        return Failed(what, took, self.end.body)

    def _note_frame(self, now: int) -> None:
        """Remember since when a frame is begun and not finished."""
        if self.end.is_between_frames:
            self._patience.sees_whole_frame()
        else:
            self._stamps.acknowledge()
            self._patience.sees_beginning(now)

    def _too_late(self, reply: Chose | Failed) -> Reply:
        """What came after the deadline is late whatever it was, unless this machine was slow by
        as much."""
        if isinstance(reply, Failed) and reply.breach.kind == "gone":
            return reply
        took, allowed = reply.took_us, self._allowed_us
        late = Failed(out_of_time(took, allowed), took, self.end.body)
        lag = self._lag_at(self.asked_us + allowed)
        return Lagged(took, lag, late) if took - allowed <= lag else late

    def _out_of_time(self) -> Failed:
        """The deadline is past, and what this machine was slow by: late, or gone, if it never
        answers."""
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
        """By how much this machine may have kept an answer back that was due then; 0 if that is
        within the margin."""
        lag = self._lag.since(max(self.asked_us, deadline - LAG_WINDOW_US))
        return lag if lag > LAG_MARGIN_US else 0


def _nobody_waits(reply: Reply) -> None:
    """A reply that comes when its match is over would be a bug of ours."""
    raise AssertionError(f"{reply!r} for no match: this is a bug in arena")
