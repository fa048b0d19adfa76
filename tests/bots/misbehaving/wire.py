"""The bare wire for bots that misuse it: nothing is checked, everything can be sent.

python -m tests.bots.NAME      from the folder that holds `tests`
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgpack

Message: TypeAlias = Mapping[str, Any]


def framed(message: object) -> bytes:
    """A frame of anything."""
    body: bytes = msgpack.packb(message)
    return len(body).to_bytes(4, "big") + body


def hello(**otherwise: object) -> bytes:
    """A good hello, but for what is said otherwise."""
    good = {"type": "hello", "protocol": 1, "token": os.environ["ARENA_TOKEN"]}
    return framed(good | otherwise)


def action(request: Message, **otherwise: object) -> bytes:
    """A good answer, but for what is said otherwise."""
    good = {
        "type": "action",
        "match": request["match"],
        "id": request["id"],
        "action": request["legal"][0],
    }
    return framed(good | otherwise)


class Wire:
    """One connection."""

    def __init__(self) -> None:
        scheme, _, place = os.environ["ARENA_CONNECT"].partition(":")
        if scheme == "unix":
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.connect(place)
        else:
            host, _, port = place.rpartition(":")
            self.sock = socket.create_connection((host, int(port)))
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def receive(self) -> Message:
        """The next message; the program ends if there is none."""
        message: Message = msgpack.unpackb(self._exactly(int.from_bytes(self._exactly(4), "big")))
        return message

    def request(self) -> Message:
        """The next request, whatever comes before it; `bye` ends the program."""
        while (message := self.receive())["type"] != "request":
            if message["type"] == "bye":
                raise SystemExit(0)
        return message

    def play_on(self) -> None:
        """Play well until `bye`."""
        while True:
            self.send(action(self.request()))

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self.sock.recv(count - len(data))
            if not part:
                raise SystemExit(1)
            data += part
        return data


def greeted() -> Wire:
    """A connection that has said hello."""
    wire = Wire()
    wire.send(hello())
    return wire


def misplay(number: int, misdeed: Callable[[Wire, Message], object], *, times: int = 1) -> None:
    """Play well but for a few requests, the first of which has this number, from 1."""
    wire = greeted()
    asked = 0
    while True:
        request = wire.request()
        asked += 1
        if number <= asked < number + times:
            misdeed(wire, request)
        else:
            wire.send(action(request))


def wait_for_ever() -> None:
    """Do nothing, and live."""
    import signal

    while True:
        signal.pause()
