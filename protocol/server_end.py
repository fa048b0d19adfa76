"""The server's end of one connection: bytes in, messages and breaches out, no I/O.

    end = ServerEnd()
    got = end.receive(data)         # Hello, Action, Stale, a Breach, or None: more is needed
    while got is not None:
        ...
        got = end.receive()         # the next message in the same bytes
    data = end.request(...)         # bytes to send; end.send(...) gives bytes too

While a decision is owed, a message that is not the answer is a breach that settles the
request; the caller plays for the bot and sends the `Fault`. A breach of kind `out-of-turn`
settles nothing. One of kind `gone` is final: say `Bye` and close. A referee that rules a bot
late sends a `Fault` with the id of the open request, which settles it too.
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
from protocol.messages import (
    Action,
    Bye,
    End,
    Fault,
    FaultEvidence,
    FromServer,
    Hello,
    Start,
    Welcome,
)
from protocol.order import TRANSITIONS, ConnectionState, Event


class Stale(Struct, frozen=True):
    """An answer to a request that was settled before: to be logged, and no fault."""

    action: Action


Received: TypeAlias = Hello | Action | Stale | Breach


class EndBetweenMatches(Struct, frozen=True):
    """All that one end knows of its connection between two matches, so that another process goes
    on with it: the id of the last request, the bytes of messages not read yet, the number of stale
    answers, and the ids of requests that were settled without an answer."""

    last_id: int = 0
    held: bytes = b""
    stale: int = 0
    unanswered: tuple[int, ...] = ()


# The two entries of TRANSITIONS that every decision uses, looked up once: two look-ups for each
# decision would cost 3 % of the time that both messages take here. The tests try all entries.
_PLAYING, _ASKED = ConnectionState.PLAYING, ConnectionState.ASKED
_AFTER_REQUEST = TRANSITIONS[_PLAYING][Event.REQUEST]
_AFTER_ACTION = TRANSITIONS[_ASKED][Event.ACTION]


class ServerEnd:
    """One connection as the server sees it.

    `asked` is the id of the open request, or 0 if none is open; `last_id` that of the last one
    made; `body` the body of the message received last, kept as evidence; `second_answers` how many
    answers came to a request that had one.
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
        "second_answers",
        "state",
    )

    def __init__(self) -> None:
        self.state = ConnectionState.OPENED
        self.asked = 0
        self.body = b""
        self.last_id = 0
        self.second_answers = 0
        self._frames = FrameReader(MAX_BOT_BODY_BYTES)
        self._match = ""
        self._legal: Sequence[str] = ()
        self._stale = 0
        # The last stale answer; the id of the request open then, or 0; True if that answer was
        # the second to its request.
        self._stale_now: tuple[Action, int, bool] | None = None
        self._unanswered: set[int] = set()  # ids of requests that were settled without an answer

    @classmethod
    def going_on(cls, known: EndBetweenMatches) -> ServerEnd:
        """Make the end of a connection that another process had until now; no match is on."""
        end = cls()
        end.state = ConnectionState.IDLE
        end.last_id = known.last_id
        end._frames.held = known.held
        end._stale = known.stale
        end._unanswered = set(known.unanswered)
        return end

    def between_matches(self) -> EndBetweenMatches:
        """Return what another process needs to go on; Misuse in a match."""
        if self.state is not ConnectionState.IDLE:
            raise self._misuse("handing over")
        unanswered = tuple(sorted(self._unanswered))
        return EndBetweenMatches(self.last_id, self._frames.held, self._stale, unanswered)

    def __repr__(self) -> str:
        asked = f" #{self.asked}" if self.asked else ""
        return f"<ServerEnd {self.state.value}{asked}, {self.last_id} requests made>"

    def receive(self, data: bytes = b"") -> Received | None:
        """Add the bytes of one read and judge the first message in them; None if more is needed.

        One read may bring several messages: call again without `data` until None comes.
        """
        body = self._frames.read(data)
        if body is None:
            return None
        if isinstance(body, Breach):
            return body
        self.body = body
        message = decode_from_bot(body)
        # The usual case first, for speed: a correct answer to the open request.
        if (
            type(message) is Action
            and message.id == self.asked
            and message.match == self._match
            and message.action in self._legal
            and self.state is _ASKED
        ):
            self.state = _AFTER_ACTION
            self.asked = 0
            self._legal = ()
            return message
        return self._judge(message)

    @property
    def is_between_frames(self) -> bool:
        """True if no byte of an unfinished frame has come."""
        return not self._frames.held

    def unfinished(self) -> Breach:
        """Build the breach of a bot that began a frame and did not finish it in time."""
        return self._frames.unfinished()

    def out_of_time(self, took_us: int, time_us: int) -> Breach:
        """Build the breach of a bot that did not answer the open request in time.

        `took_us` are the microseconds it has taken, `time_us` those it had. An answer to another
        request that came meanwhile is named in it.
        """
        if self._stale_now is not None:
            action, asked, is_second = self._stale_now
            if asked == self.asked:
                return answered_another(took_us, time_us, asked, action, is_second=is_second)
        return out_of_time(took_us, time_us)

    def closed(self) -> Breach:
        """Note that the connection has ended, and give the breach that this is.

        TRANSITIONS has no entry for this end, because it is no message: it ends every state.
        """
        self.state = ConnectionState.CLOSED
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
        """Make the frame that asks for a decision; Misuse if none may be asked for now.

        `match` names the match in play; `view` is all that the seat may know; `legal` are the
        texts of its actions. `time_us` are the microseconds until it is late, bank included;
        `charged_us` those that its last decision was counted as. The id of the request is
        `asked` until it is settled.
        """
        if self.state is not _PLAYING or match != self._match:
            raise self._misuse("request")
        data = encode_request(match, self.last_id + 1, view, legal, time_us, charged_us)
        self.last_id += 1
        self.asked = self.last_id
        self._legal = legal
        self.state = _AFTER_REQUEST
        return data

    def send(self, message: Welcome | Start | Fault | End | FaultEvidence | Bye) -> bytes:
        """Make the frame of any message but a request; Misuse if it may not come now."""
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
        """Judge every message but the correct answer."""
        event = self._event_from_bot(message)
        after = TRANSITIONS[self.state].get(event)
        if after is None:
            return self._out_of_order(message)
        self.state = after
        if isinstance(message, Hello):
            return message
        if event is Event.STALE and isinstance(message, Action):
            return self._note_stale(message)
        asked, self.asked = self.asked, 0
        if isinstance(message, Breach):
            return message
        if message.id != asked:
            return wrong_id(message, asked)
        if message.match != self._match:
            return wrong_match(message, self._match)
        return not_legal(message, self._legal)

    def _event_from_bot(self, message: Hello | Action | Breach) -> Event:
        """The event of the table; a body that cannot be read counts as an answer (SPEC 5.2)."""
        if isinstance(message, Hello):
            return Event.HELLO
        if isinstance(message, Action) and self._is_settled(message.id):
            return Event.STALE
        return Event.ACTION

    def _out_of_order(self, message: Hello | Action | Breach) -> Breach:
        """Build the breach of a message for which the table has no cell."""
        if isinstance(message, Hello):
            return second_hello()
        if self.state is ConnectionState.OPENED:
            return before_hello(message) if isinstance(message, Action) else message
        return nothing_asked(message)

    def _note_stale(self, action: Action) -> Stale | Breach:
        """Count an answer to a settled request, and remember it for `out_of_time`."""
        self._stale += 1
        is_second = action.id not in self._unanswered
        self.second_answers += is_second
        self._unanswered.discard(action.id)
        self._stale_now = action, self.asked, is_second
        # One for each request made is allowed: a bot late with each may still answer each.
        if self._stale > self.last_id:
            return too_many_answers(action, self.last_id)
        return Stale(action)

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
    FaultEvidence: Event.EVIDENCE,
    Bye: Event.BYE,
}
_SENT = {event.value for event in (*_EVENTS.values(), Event.REQUEST, Event.RULING)}
