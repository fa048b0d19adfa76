"""Strangers who mean harm: `python -m benchmarks.attackers KIND ADDRESS SECONDS`.

Attacks one address, a Unix socket or a port of this machine, in a bounded number of connections
and for a bounded time. Prints "begun", and at the end how often it connected and how often it
was let in, which should be never.
"""

from __future__ import annotations

import errno
import os
import random
import selectors
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import msgpack

Step: TypeAlias = Callable[["Attack"], None]

CHANCE = random.Random(1)


def hello(token: str) -> bytes:
    body: bytes = msgpack.packb({"type": "hello", "protocol": 1, "token": token})
    return len(body).to_bytes(4, "big") + body


class Attack:
    """Connections to one address, none of which ever waits."""

    def __init__(self, address: str, seconds: float):
        scheme, _, place = address.partition(":")
        host, _, port = place.rpartition(":")
        self._family = socket.AF_UNIX if scheme == "unix" else socket.AF_INET
        self._place = place if scheme == "unix" else (host, int(port))
        if scheme != "unix" and host != "127.0.0.1":
            raise SystemExit(f"{address} is not on this machine")
        self._until = time.monotonic() + seconds
        self.open: list[socket.socket] = []
        self.connected = 0
        self.let_in = 0

    def connect(self) -> socket.socket | None:
        """One more connection; None if there is no room for it now."""
        sock = socket.socket(self._family)
        sock.setblocking(False)
        try:
            sock.connect(self._place)
        except BlockingIOError as error:
            if self._family == socket.AF_UNIX or error.errno != errno.EINPROGRESS:
                sock.close()  # its queue is full
                return None
        except OSError:
            sock.close()
            return None
        self.connected += 1
        self.open.append(sock)
        return sock

    def connect_many(self, count: int) -> None:
        """So many in all, as fast as they are taken."""
        while len(self.open) < count and time.monotonic() < self._until:
            if self.connect() is None:
                time.sleep(0.001)

    def rounds(self, pause: float) -> Iterator[None]:
        """Again and again until the time is over."""
        while time.monotonic() < self._until:
            yield
            time.sleep(pause)

    def send(self, sock: socket.socket, data: bytes) -> None:
        """What it takes; who has been hung up on is replaced."""
        try:
            sock.send(data)
        except BlockingIOError:
            return
        except OSError:
            self.drop(sock)
            self.connect()

    def look(self, sock: socket.socket) -> None:
        """Whether it was let in."""
        try:
            self.let_in += b"welcome" in sock.recv(4096)
        except OSError:
            return

    def is_hung_up_on(self, sock: socket.socket) -> bool:
        """Whether the other end has closed, after a last word or without one."""
        try:
            data = sock.recv(4096)
        except BlockingIOError:
            return False
        except OSError:
            return True
        self.let_in += b"welcome" in data
        return True

    def drop(self, sock: socket.socket) -> None:
        self.open.remove(sock)
        sock.close()

    def drop_all(self) -> None:
        for sock in self.open:
            self.look(sock)
            sock.close()
        self.open.clear()


def drip(attack: Attack) -> None:
    """200 that send a byte of a hello now and then."""
    attack.connect_many(200)
    data = hello("x" * 100)
    for number, _ in enumerate(attack.rounds(0.05)):
        for sock in [*attack.open]:
            attack.send(sock, data[number % 100 : number % 100 + 1])


def idle(attack: Attack) -> None:
    """500 that say nothing."""
    attack.connect_many(500)
    for _ in attack.rounds(0.05):
        pass


def crowd(attack: Attack) -> None:
    """600 that say nothing; each one that was sent away comes again at once."""
    for _ in attack.rounds(0.005):
        for sock in [*attack.open]:
            if attack.is_hung_up_on(sock):
                attack.drop(sock)
        while len(attack.open) < 600 and attack.connect() is not None:
            pass


def storm(attack: Attack) -> None:
    """2,000 connections at a stroke, kept open; and then once more."""
    for _ in attack.rounds(0.2):
        attack.connect_many(2_000)
        attack.drop_all()


def wrong_tokens(attack: Attack) -> None:
    """2,000 tokens a second, all wrong."""
    began = time.monotonic()
    selector = selectors.DefaultSelector()
    for _ in attack.rounds(0.002):
        while attack.connected < (time.monotonic() - began) * 2_000:
            sock = attack.connect()
            if sock is None:
                break
            selector.register(sock, selectors.EVENT_WRITE)
        for key, events in selector.select(0):
            one = key.fileobj
            assert isinstance(one, socket.socket)
            if events & selectors.EVENT_WRITE:
                selector.modify(one, selectors.EVENT_READ)
                try:
                    one.send(hello(CHANCE.randbytes(12).hex()))
                except OSError:
                    selector.unregister(one)
                    attack.drop(one)
            else:
                selector.unregister(one)
                attack.look(one)
                attack.drop(one)


def garbage(attack: Attack) -> None:
    """Frames of anything, text, and headers that announce anything."""
    for _ in attack.rounds(0.01):
        while len(attack.open) < 50 and attack.connect() is not None:
            pass
        for sock in [*attack.open]:
            body = CHANCE.randbytes(CHANCE.randrange(0, 4_096))
            header = len(body).to_bytes(4, "big") if CHANCE.random() < 0.7 else b""
            attack.send(sock, header + body)
            attack.look(sock)


def half_frames(attack: Attack) -> None:
    """300 that begin the longest body there may be, and go no further."""
    attack.connect_many(300)
    for sock in [*attack.open]:
        attack.send(sock, (4_096).to_bytes(4, "big") + b"\x81" * 4_000)
    for _ in attack.rounds(0.05):
        pass


def non_readers(attack: Attack) -> None:
    """100 that send what they can and read nothing."""
    data = hello("nobody's") * 1_000
    for _ in attack.rounds(0.005):
        while len(attack.open) < 100 and attack.connect() is not None:
            pass
        for sock in [*attack.open]:
            attack.send(sock, data)


KINDS: Mapping[str, Step] = {
    "drip": drip,
    "idle": idle,
    "crowd": crowd,
    "storm": storm,
    "wrong-tokens": wrong_tokens,
    "garbage": garbage,
    "half-frames": half_frames,
    "non-readers": non_readers,
}


def main(kind: str, address: str, seconds: float) -> None:
    attack = Attack(address, seconds)
    os.write(1, b"begun\n")
    KINDS[kind](attack)
    attack.drop_all()
    print(f"connected {attack.connected}, let in {attack.let_in}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
