"""The server's end of one connection: bytes in, messages and breaches out, no I/O.

    end = ServerEnd()
    what = end.receive(data)        # Hello, Action, Stale, a Breach, or None: more is needed
    while what is not None:
        ...
        what = end.receive()        # what else was in those bytes
    data = end.request(...)         # bytes to send; so are end.send(...)'s

While a decision is owed, a message that is not the answer is a breach that settles the
request; the caller plays for the bot and sends the `Fault`. A breach of kind `out-of-turn`
settles nothing, one of kind `gone` is final: say `Bye` and close. Whoever rules a bot late
sends a `Fault` with the open request's id, which settles it too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from protocol.breach import Breach
from protocol.breaches import (
    answered_another,
    before_hello,
    not_legal,
    nothing_asked,
    out_of_time,
    second_hello,
    too_many_answers,
    wrong_id,
    wrong_match,
)
from protocol.decode import decode_from_bot
from protocol.encode import encode, encode_request
from protocol.errors import Misuse
from protocol.frames import FrameReader
from protocol.limits import MAX_BOT_BODY_BYTES
from protocol.messages import Action, Bye, End, Fault, FromServer, Hello, Start, Welcome
from protocol.order import TRANSITIONS, Event, State


class Stale(Struct, frozen=True):
    """An answer to a request settled before: to be logged, and no fault."""

    action: Action


Received: TypeAlias = Hello | Action | Stale | Breach

_OPENED, _PLAYING, _ASKED = State.OPENED, State.PLAYING, State.ASKED


class ServerEnd:
    """One connection as the server sees it.

    `asked` is the id of the open request, or 0; `body` the bytes that `receive` last made
    something of, kept as evidence.
    """

    __slots__ = (
        "_frames",
        "_legal",
        "_match",
        "_stale",
        "_stale_now",
        "_unanswered",
        "asked",
        "body",
        "last_id",
        "state",
    )

    def __init__(self) -> None:
        self.state = _OPENED
        self.asked = 0
        self.body = b""
        self.last_id = 0
        self._frames = FrameReader(MAX_BOT_BODY_BYTES)
        self._match = ""
        self._legal: Sequence[str] = ()
        self._stale = 0
        # The last stale answer, which request was open then, and whether it was a second one.
        self._stale_now: tuple[Action, int, bool] | None = None
        self._unanswered: set[int] = set()  # ids of requests that were settled without an answer

    def __repr__(self) -> str:
        asked = f" #{self.asked}" if self.asked else ""
        return f"<ServerEnd {self.state.value}{asked}, {self.last_id} requests made>"

    def receive(self, data: bytes = b"") -> Received | None:
        """Take what was read, give the first thing in it; without data, the next thing."""
        body = self._frames.read(data)
        if body is None:
            return None
        if isinstance(body, Breach):
            return body
        self.body = body
        message = decode_from_bot(body)
        # The case that matters for speed, first: the answer to what was asked.
        if (
            type(message) is Action
            and message.id == self.asked
            and message.match == self._match
            and message.action in self._legal
            and self.state is _ASKED
        ):
            self.state = _PLAYING
            self.asked = 0
            self._legal = ()
            return message
        return self._judge(message)

    @property
    def is_between_frames(self) -> bool:
        """No frame is begun and not finished."""
        return not self._frames.held

    def unfinished(self) -> Breach:
        """The breach of a bot that let too long pass in the middle of a frame."""
        return self._frames.unfinished()

    def out_of_time(self, took_us: int, time_us: int) -> Breach:
        """The open request was not answered in its time; what came instead is told."""
        if self._stale_now is not None:
            action, asked, is_second = self._stale_now
            if asked == self.asked:
                return answered_another(took_us, time_us, asked, action, is_second=is_second)
        return out_of_time(took_us, time_us)

    def closed(self) -> Breach:
        """The other side has closed, or the connection broke: what that is."""
        self.state = State.CLOSED
        self.asked = 0
        if not self.is_between_frames:
            return self.unfinished()
        return Breach("closed", "the connection ended", "it open until `bye`")

    def request(
        self,
        match: str,
        view: Mapping[str, Any],
        legal: Sequence[str],
        time_us: int,
        charged_us: int,
    ) -> bytes:
        """Ask for a decision; its id is `asked` until it is settled."""
        if self.state is not _PLAYING or match != self._match:
            raise self._misuse("request")
        data = encode_request(match, self.last_id + 1, view, legal, time_us, charged_us)
        self.last_id += 1
        self.asked = self.last_id
        self._legal = legal
        self.state = _ASKED
        return data

    def send(self, message: Welcome | Start | Fault | End | Bye) -> bytes:
        """Any message but a request; Misuse if it may not come now."""
        event = self._event(message)
        after = TRANSITIONS[self.state].get(event)
        if after is None:
            raise self._misuse(event.value)
        data = encode(message)
        if isinstance(message, Start):
            self._match = message.match
        if after is not _ASKED:
            if self.asked:
                self._unanswered.add(self.asked)
            self.asked = 0
        self.state = after
        return data

    def _event(self, message: FromServer) -> Event:
        if isinstance(message, Fault) and message.id is not None and message.id == self.asked:
            return Event.RULING
        return _EVENTS[type(message)]

    def _judge(self, message: Hello | Action | Breach) -> Received:
        """Everything but the plain good answer."""
        if self.state is _OPENED:
            if isinstance(message, Hello):
                self.state = State.GREETED
            return before_hello(message) if isinstance(message, Action) else message
        if isinstance(message, Hello):
            return second_hello()
        if isinstance(message, Action) and self._is_settled(message.id):
            self._stale += 1
            is_second = message.id not in self._unanswered
            self._unanswered.discard(message.id)
            self._stale_now = message, self.asked, is_second
            # As many as there were requests: a bot late with each may still answer each.
            if self._stale > self.last_id:
                return too_many_answers(message, self.last_id)
            return Stale(message)
        if self.state is not _ASKED:
            return nothing_asked(message)
        self.state = _PLAYING
        asked, self.asked = self.asked, 0
        if isinstance(message, Breach):
            return message
        if message.id != asked:
            return wrong_id(message, asked)
        if message.match != self._match:
            return wrong_match(message, self._match)
        return not_legal(message, self._legal)

    def _is_settled(self, id_: int) -> bool:
        return 1 <= id_ <= self.last_id and id_ != self.asked

    def _misuse(self, event: str) -> Misuse:
        may = [each.value for each in TRANSITIONS[self.state] if each.value in _SENT]
        return Misuse(
            f"a {event} while the connection is {self.state.value}"
            f" in match {self._match!r}; the server may send: {', '.join(may) or 'nothing'}"
            " (SPEC 5.1). This is a bug in arena."
        )


_EVENTS = {
    Welcome: Event.WELCOME,
    Start: Event.START,
    Fault: Event.FAULT,
    End: Event.END,
    Bye: Event.BYE,
}
_SENT = {event.value for event in (*_EVENTS.values(), Event.REQUEST, Event.RULING)}
