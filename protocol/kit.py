"""The kit: a bot is a function from a request to an action, and one call that runs it.

    from protocol import run

    def decide(request):
        return request["legal"][0]

    run(decide)

A blocking socket, one send for each frame, no time limit on reading: matches begin when the
server says so. What your function gets wrong is told on stderr, with the request that led
to it; stdout is yours.
"""

from __future__ import annotations

import os
import socket
import sys

from protocol.bot_end import BotEnd
from protocol.errors import Breached
from protocol.limits import CONNECT_VARIABLE, TOKEN_VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    Message: TypeAlias = Mapping[str, Any]
    Answer: TypeAlias = str | tuple[str, str]

_READ_BYTES = 65_536


def run(
    decide: Callable[[Message], Answer],
    *,
    version: str = "",
    author: str = "",
    on_start: Callable[[Message], object] | None = None,
    on_end: Callable[[Message], object] | None = None,
    connect: str | None = None,
    token: str | None = None,
) -> None:
    """Play until the server says bye.

    `decide(request)` gives one of `request["legal"]`, or such a text and a note for the
    record. `on_start` and `on_end` get those messages; the clock of the next request may run
    while they work. `connect` and `token` are read from ARENA_CONNECT and ARENA_TOKEN unless
    given, as a bot that dials in may.

    An answer that is not legal is sent as it is, for the server to judge, and shown on
    stderr. An exception of yours ends the bot, after the request that led to it was shown.
    """
    address = connect or _environment(CONNECT_VARIABLE, "connect")
    secret = token or _environment(TOKEN_VARIABLE, "token")
    hooks = {"start": on_start, "end": on_end}
    end = BotEnd()
    with _connected(address) as link:
        try:
            link.sendall(end.hello(secret, version=version, author=author, language="Python"))
            while True:
                data = link.recv(_READ_BYTES)
                if not data:
                    sys.exit("The server closed the connection without a bye.")
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
        # What the hooks and `decide` raise passes through; these are the connection's own.
        except (Breached, ConnectionError) as error:
            sys.exit(f"Lost the server: {error}")


def _answer(end: BotEnd, decide: Callable[[Message], Answer], request: Message) -> bytes:
    try:
        answer = decide(request)
        action, note = (answer, "") if isinstance(answer, str) else _with_note(answer)
        data = end.action(action, note)
    except Exception:  # whatever it is, the author wants to see the request; it goes on up
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
    """A refusal ends the program with an error, everything else as it should."""
    if bye.get("reason") not in ("done", "stopping"):
        sys.exit(f"The server said bye ({bye.get('reason')}): {bye.get('text')}")


def _connected(address: str) -> socket.socket:
    scheme, _, place = address.partition(":")
    host, _, port = place.rpartition(":")
    try:
        if scheme == "unix" and place:
            return _connected_to_path(place)
        if scheme == "tcp" and host and port.isdecimal():
            link = socket.create_connection((host.strip("[]"), int(port)))
            # A small frame must not wait for the one before to be acknowledged.
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return link
    except OSError as error:
        sys.exit(f"Cannot connect to {address}: {error}")
    sys.exit(f"{CONNECT_VARIABLE} is {address!r}; expected unix:PATH or tcp:HOST:PORT (SPEC 2.2).")


def _connected_to_path(path: str) -> socket.socket:
    link = socket.socket(socket.AF_UNIX)
    try:
        link.connect(path)
    except OSError:
        link.close()
        raise
    return link


def _environment(variable: str, argument: str) -> str:
    value = os.environ.get(variable)
    if not value:
        sys.exit(
            f"{variable} is not set. `arena` sets it for the bots it starts; a bot that dials "
            f"in sets it itself or passes {argument}= to run (SPEC 2.5)."
        )
    return value


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
