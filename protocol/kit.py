"""The kit: you write a function from a request to an action, and call `run` with it.

    from protocol import run

    def decide(request):
        return request["legal"][0]

    run(decide)

It uses a blocking socket, sends each frame with one call, and reads without a time limit,
because matches begin when the server wants. A bot that dials in connects again where that is of
use (SPEC 2.5), if ARENA_RETRY_S in its environment or `again_seconds` says so. Mistakes of your
function are printed on stderr, with the request that led to them; stdout is yours.
"""

from __future__ import annotations

import os
import socket
import sys
import time

from protocol.bot_end import BotEnd
from protocol.errors import Breached
from protocol.limits import CONNECT_VARIABLE, RETRY_VARIABLE, TOKEN_VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from protocol.encrypted import WebSocket

    Message: TypeAlias = Mapping[str, Any]
    Answer: TypeAlias = str | tuple[str, str]
    # Any, so that a bot may have a type of its own for a request.
    Decide: TypeAlias = Callable[[Any], Answer]
    Hook: TypeAlias = Callable[[Any], object]

_READ_BYTES = 65_536
_MOST_PORT = 65_535
_ADDRESS = "unix:PATH, tcp:HOST:PORT, tls:HOST:PORT or wss://HOST/PATH (SPEC 2.2)"
_TOKEN = "the token of the bot, unchanged (SPEC 2.3)"

# The reasons of `bye` with which a session ends well.
_PEACEFUL = ("done", "stopping", "replaced")
# The reasons after which a bot that dials in may come again (SPEC 2.5).
_COME_AGAIN = ("stopping", "hung", "token-in-use")


class _Again(Exception):
    """A session ended so that another may follow. `is_well`: the bot has nothing to regret."""

    def __init__(self, text: str, *, is_well: bool = False) -> None:
        super().__init__(text)
        self.is_well = is_well


def run(
    decide: Decide,
    *,
    version: str = "",
    author: str = "",
    on_start: Hook | None = None,
    on_end: Hook | None = None,
    connect: str | None = None,
    token: str | None = None,
    again_seconds: float | None = None,
) -> None:
    """Play until the server says bye.

    `decide(request)` returns one of `request["legal"]`, or such a text and a note for the
    record. `version` and `author` describe the bot to people. `on_start` and `on_end` get the
    messages `start` and `end`, the latter with the last view of the seat; the clock of the next
    request may run while they work. `connect` and `token` are read from ARENA_CONNECT and
    ARENA_TOKEN unless given, as by a bot that dials in. With `again_seconds`, read from
    ARENA_RETRY_S unless given, a bot that cannot connect, or loses its connection, tries again
    after so long; without, it ends.

    An answer that is not legal is sent as it is, for the server to judge, and printed on
    stderr. An exception of yours ends the bot, after the request that led to it was printed.
    """
    address = connect or _environment(CONNECT_VARIABLE, "connect", _ADDRESS)
    secret = token or _environment(TOKEN_VARIABLE, "token", _TOKEN)
    if not _is_text(secret):
        sys.exit(f"{TOKEN_VARIABLE} is {secret!r}, which is not UTF-8; expected {_TOKEN}.")
    hooks = {"start": on_start, "end": on_end}
    wait = _wait(again_seconds)

    def hello(end: BotEnd) -> bytes:
        return end.hello(secret, version=version, author=author, language="Python")

    while True:
        try:
            return _session(address, hello, decide, hooks)
        except _Again as ended:
            if wait is None:
                return None if ended.is_well else sys.exit(str(ended))
            _tell(f"{ended} Trying again in {wait:g} s.")
            time.sleep(wait)


def _session(
    address: str,
    hello: Callable[[BotEnd], bytes],
    decide: Decide,
    hooks: Mapping[str, Hook | None],
) -> None:
    """Play from connecting to `bye`. Raises _Again where another session may follow."""
    end = BotEnd()
    with _connected(address) as link:
        try:
            link.sendall(hello(end))
            while True:
                data = link.recv(_READ_BYTES)
                if not data:
                    raise _Again("The server closed the connection without a bye.")
                message = end.receive(data)
                while message is not None:
                    kind = message.get("type")
                    if kind == "request":
                        link.sendall(_answer(end, decide, message))
                    elif kind == "bye":
                        return _leave(message)
                    elif kind == "fault":
                        _tell(f"FAULT: {message.get('text')}")
                    elif (hook := hooks.get(str(kind))) is not None:
                        hook(message)
                    message = end.receive()
        # Only the connection's own exceptions: those of the hooks and of `decide` pass through.
        except (Breached, ConnectionError) as error:
            raise _Again(f"Lost the server: {error}") from None


def _wait(again_seconds: float | None) -> float | None:
    """Return the seconds before another try; None for none."""
    if again_seconds is not None:
        return again_seconds
    value = os.environ.get(RETRY_VARIABLE)
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        sys.exit(f"{RETRY_VARIABLE} is {value!r}; expected a number of seconds (SPEC 2.5).")


def _answer(end: BotEnd, decide: Decide, request: Message) -> bytes:
    try:
        answer = decide(request)
        action, note = (answer, "") if isinstance(answer, str) else _with_note(answer)
        data = end.action(action, note)
    except Exception:  # any: the author wants to see the request; it is raised again below
        _tell(f"Your bot failed to decide. The request was: {request}")
        raise
    if action not in request["legal"]:
        _tell(
            f"Your bot answered {action!r}, which is not legal here. "
            f"Legal: {', '.join(request['legal'])}. The request was: {request}"
        )
    return data


def _with_note(answer: object) -> tuple[str, str]:
    match answer:
        case (str(action), str(note)):
            return action, note
    raise TypeError(f"a decision is a text, or a text and a note; got {answer!r}")


def _leave(bye: Message) -> None:
    """Return after a reason that ends all well; end the program with an error after another, but
    raise _Again where the bot may come again.

    Where all is well the bot ends without a word, unless the server has more to say than the reason
    itself, such as that the bot was retired: that is a second sentence.
    """
    reason = bye.get("reason")
    text = f"The server said bye ({reason}): {bye.get('text')}"
    if reason in _COME_AGAIN:
        raise _Again(text, is_well=reason in _PEACEFUL)
    if reason not in _PEACEFUL:
        sys.exit(text)
    if ". " in str(bye.get("text")):
        _tell(text)


def _connected(address: str) -> socket.socket | WebSocket:
    scheme, _, place = address.partition(":")
    host, _, port = place.rpartition(":")
    try:
        if scheme == "unix" and place:
            return _connected_to_path(place)
        if scheme in ("tls", "wss"):
            # Not at the top: few bots need it, and every start of the others would wait for it.
            from protocol import encrypted

            if scheme == "wss" and (where := encrypted.split(address)) is not None:
                return encrypted.connected_by_websocket(*where)
            if scheme == "tls" and host and port.isdecimal() and int(port) <= _MOST_PORT:
                return encrypted.connected_by_tls(host.strip("[]"), int(port))
        if scheme == "tcp" and host and port.isdecimal() and int(port) <= _MOST_PORT:
            link = socket.create_connection((host.strip("[]"), int(port)))
            # Nagle's algorithm would hold a small frame back until the last was acknowledged.
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return link
    # UnicodeError: of a host's name with a part that is empty or too long.
    except (OSError, UnicodeError) as error:
        raise _Again(f"Cannot connect to {address}: {error}") from None
    sys.exit(f"{CONNECT_VARIABLE} is {address!r}; expected {_ADDRESS}.")


def _connected_to_path(path: str) -> socket.socket:
    link = socket.socket(socket.AF_UNIX)
    try:
        link.connect(path)
    except OSError:
        link.close()
        raise
    return link


def _environment(variable: str, argument: str, expected: str) -> str:
    value = os.environ.get(variable)
    if not value:
        sys.exit(
            f"{variable} is not set; expected {expected}. `arena` sets it for the bots it starts; "
            f"a bot that dials in sets it itself or passes {argument}= to run (SPEC 2.5)."
        )
    return value


def _is_text(value: str) -> bool:
    """Return False for what Python makes of a variable whose bytes are not UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
