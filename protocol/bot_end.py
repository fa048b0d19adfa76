"""A bot's end of one connection: bytes in, plain maps out, no I/O; the kit's core.

Light on purpose: msgpack and the tables, so that a bot is up before its clock notices.
Fields and messages it does not know are passed over, so that the protocol may grow.
"""

from __future__ import annotations

import msgpack

from protocol.breach import Breach
from protocol.errors import Breached, Misuse
from protocol.frames import FrameReader, frame
from protocol.limits import MAX_BOT_BODY_BYTES, MAX_SERVER_BODY_BYTES
from protocol.order import TRANSITIONS, Event, State
from protocol.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_EVENTS = {
    "welcome": Event.WELCOME,
    "start": Event.START,
    "request": Event.REQUEST,
    "end": Event.END,
    "bye": Event.BYE,
}
# Without these no request can be answered.
_NEEDED = {"match", "id", "legal"}

_PLAYING, _ASKED = State.PLAYING, State.ASKED


class BotEnd:
    """One connection as a bot sees it. `asked` is the open request, or None."""

    __slots__ = ("_frames", "_pack", "asked", "state")

    def __init__(self) -> None:
        self.state = State.OPENED
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
        """The first message of the connection."""
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
        """The answer to the open request, legal or not; Misuse if there is none."""
        asked = self.asked
        if asked is None:
            raise Misuse(f"an action while nothing is asked ({self.state.value}; SPEC 5.1)")
        self.asked = None
        self.state = _PLAYING
        answer = {"type": "action", "match": asked["match"], "id": asked["id"], "action": action}
        if note:
            answer["note"] = note
        return self._frame(answer)

    def receive(self, data: bytes = b"") -> dict[str, Any] | None:
        """Take what was read, give the first message in it; without data, the next one."""
        body = self._frames.read(data)
        if body is None:
            return None
        if isinstance(body, Breach):
            raise Breached(body)
        message = _unpack(body)
        name = message.get("type")
        if name == "request" and self.state is _PLAYING:
            if not message.keys() >= _NEEDED:
                raise Breached(
                    Breach("missing-field", "a request", "match, id and legal", _THEIR_BUG)
                )
            self.state = _ASKED
            self.asked = message
        elif name == "fault":
            is_ruling = self.asked is not None and message.get("id") == self.asked["id"]
            self._take(Event.RULING if is_ruling else Event.FAULT)
        elif isinstance(name, str) and name in _EVENTS:
            self._take(_EVENTS[name])
        return message

    def _take(self, event: Event) -> None:
        self._move(event)
        if self.state is not _ASKED:
            self.asked = None

    def _move(self, event: Event) -> None:
        after = TRANSITIONS[self.state].get(event)
        if after is None:
            what = f"a {event.value} while the connection is {self.state.value} (SPEC 5.1)"
            if event is Event.HELLO:
                raise Misuse(what)
            raise Breached(Breach("nothing-asked", what, "another message", _THEIR_BUG))
        self.state = after

    def _frame(self, message: dict[str, Any]) -> bytes:
        return frame(self._pack(message), MAX_BOT_BODY_BYTES)


_THEIR_BUG = "This is a bug in the server, not in your bot."


def _unpack(body: bytes) -> dict[str, Any]:
    try:
        message = msgpack.unpackb(body)
    # The unpacker's own errors, wrong UTF-8 and impossible lengths are all ValueErrors.
    except (ValueError, RecursionError) as error:
        raise Breached(
            Breach("malformed", f"a body that cannot be read ({error})", "one map", _THEIR_BUG)
        ) from None
    if not isinstance(message, dict):
        raise Breached(Breach("not-a-map", "a body that is not a map", "one map", _THEIR_BUG))
    return message
