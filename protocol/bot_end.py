"""A bot's end of one connection: bytes in, plain maps out, no I/O; the kit's core.

It loads msgpack and the tables and nothing else, so that a bot starts fast. It ignores fields
and messages that it does not know, so that the protocol may grow.
"""

from __future__ import annotations

import msgpack

from protocol.errors import Breached, Misuse
from protocol.frames import FrameReader, frame
from protocol.limits import MAX_BOT_BODY_BYTES, MAX_SERVER_BODY_BYTES
from protocol.order import TRANSITIONS, ConnectionState, Event
from protocol.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_EVENTS = {
    "welcome": Event.WELCOME,
    "start": Event.START,
    "request": Event.REQUEST,
    "fault": Event.FAULT,
    "end": Event.END,
    "evidence": Event.EVIDENCE,
    "bye": Event.BYE,
}
# The fields of a request without which it cannot be answered.
_NEEDED = {"match", "id", "legal"}


class BotEnd:
    """One connection as a bot sees it. `asked` is the open request, or None.

    Misuse says that the bot broke the protocol, Breached that the server did.
    """

    __slots__ = ("_frames", "_pack", "asked", "state")

    def __init__(self) -> None:
        self.state = ConnectionState.OPENED
        self.asked: Mapping[str, Any] | None = None
        self._frames = FrameReader(MAX_SERVER_BODY_BYTES)
        self._pack = msgpack.Packer().pack

    def __repr__(self) -> str:
        return f"<BotEnd {self.state.value}>"

    def hello(
        self,
        token: str,
        *,
        version: str = "",
        author: str = "",
        language: str = "",
        offers: tuple[str, ...] = (),
    ) -> bytes:
        """Make the frame of the first message.

        `token` is the value of ARENA_TOKEN, unchanged. `version`, `author` and `language`
        describe the bot to people; `offers` are abilities beyond the protocol (SPEC 9).
        """
        self._move(Event.HELLO)
        return self._frame(
            {
                "type": "hello",
                "protocol": VERSION,
                "token": token,
                "version": version,
                "author": author,
                "language": language,
                "offers": offers,
            }
        )

    def action(self, action: str, note: str = "") -> bytes:
        """Make the frame that answers the open request; Misuse if there is none.

        `action` should be one of the request's `legal`; the server judges it. `note` is a
        remark for the record of the match.
        """
        asked, after = self.asked, TRANSITIONS[self.state].get(Event.ACTION)
        if asked is None or after is None:
            raise Misuse(f"an action while nothing is asked ({self.state.value}; SPEC 5.1)")
        self.asked = None
        self.state = after
        answer = {"type": "action", "match": asked["match"], "id": asked["id"], "action": action}
        if note:
            answer["note"] = note
        return self._frame(answer)

    def receive(self, data: bytes = b"") -> dict[str, Any] | None:
        """Add the bytes of one read and return the first whole message, or None if more is needed.

        One read may bring several messages: call again without `data` until None comes.
        """
        body = self._frames.read(data)
        if body is None:
            return None
        if not isinstance(body, bytes):
            raise Breached(body)
        message = _unpack(body)
        name = message.get("type")
        if isinstance(name, str) and name in _EVENTS:
            event = _EVENTS[name]
            if event is Event.FAULT and self._is_ruling(message):
                event = Event.RULING
            self._move(event)
            if event is Event.REQUEST:
                self._open(message)
            elif self.state is not ConnectionState.ASKED:
                self.asked = None
        return message

    def _is_ruling(self, fault: Mapping[str, Any]) -> bool:
        """Return True for a fault that names the open request, and so settles it."""
        return self.asked is not None and fault.get("id") == self.asked["id"]

    def _open(self, request: Mapping[str, Any]) -> None:
        if not request.keys() >= _NEEDED:
            raise _broken("missing-field", "a request", "match, id and legal")
        self.asked = request

    def _move(self, event: Event) -> None:
        after = TRANSITIONS[self.state].get(event)
        if after is None:
            what = f"a {event.value} while the connection is {self.state.value} (SPEC 5.1)"
            if event is Event.HELLO:
                raise Misuse(what)
            raise _broken("nothing-asked", what, "another message")
        self.state = after

    def _frame(self, message: dict[str, Any]) -> bytes:
        return frame(self._pack(message), MAX_BOT_BODY_BYTES)


def _broken(code: str, came: str, expected: str) -> Breached:
    """Build the exception for a server that broke the protocol: the bug is in the server."""
    # Imported here because most bots never need it, and start sooner without the table of codes.
    from protocol.breach import Breach

    advice = "This is a bug in the server, not in your bot."
    return Breached(Breach(code, came, expected, advice))


def _unpack(body: bytes) -> dict[str, Any]:
    try:
        message = msgpack.unpackb(body)
    # msgpack raises a ValueError for its own errors, wrong UTF-8 and impossible lengths alike.
    except (ValueError, RecursionError) as error:
        raise _broken("malformed", f"a body that cannot be read ({error})", "one map") from None
    if not isinstance(message, dict):
        raise _broken("not-a-map", "a body that is not a map", "one map")
    return message
