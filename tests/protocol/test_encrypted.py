"""The kit over TLS and WebSockets: what it sends, what it takes, what it refuses."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from protocol import run
from protocol.encrypted import Refused, WebSocket, split


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("wss://arena.example.org", ("arena.example.org", 443, "/")),
        ("wss://arena.example.org/bots", ("arena.example.org", 443, "/bots")),
        ("wss://localhost:8443/a/b?c", ("localhost", 8443, "/a/b?c")),
        ("wss://[::1]:8443/", ("::1", 8443, "/")),
        ("wss://[::1]", ("::1", 443, "/")),
        ("ws://localhost/", None),
        ("wss:localhost", None),
        ("wss://", None),
        ("wss://host:x/", None),
        ("wss://host:99999/", None),
        ("wss://host/a b", None),
        ("wss://host/\r\nX: y", None),
    ],
)
def test_an_address_has_its_parts_or_is_none(url: str, parts: tuple[str, int, str] | None) -> None:
    assert split(url) == parts


@pytest.mark.parametrize("address", ["wss:host", "tls:host", "tls:host:x", "wss://host:x/"])
def test_an_address_that_is_none_is_told_with_all_that_are(address: str) -> None:
    with pytest.raises(SystemExit, match=r"wss://HOST/PATH \(SPEC 2\.2\)"):
        run(lambda request: "", connect=address, token="t")


@contextmanager
def answering(
    *parts: bytes | Callable[[bytes], bytes], kind: int = socket.SOCK_STREAM
) -> Iterator[socket.socket]:
    """A connection to somebody who reads the request, and says this; a function gets the head.

    On a stream several parts may come at once; with SOCK_SEQPACKET each comes by itself.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)

    def serve() -> None:
        with theirs:
            head = theirs.recv(4096)
            for each in parts:
                theirs.sendall(each if isinstance(each, bytes) else each(head))
            theirs.shutdown(socket.SHUT_WR)
            while theirs.recv(4096):
                pass

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with ours:
            yield ours
    finally:
        thread.join()


def accepting(head: bytes) -> bytes:
    """The proof of RFC 6455, worked out by another library."""
    from wsproto.utilities import generate_accept_token

    (key,) = (
        line.partition(b": ")[2]
        for line in head.split(b"\r\n")
        if line.startswith(b"Sec-WebSocket-Key")
    )
    token = generate_accept_token(key).decode()
    return f"HTTP/1.1 101 Fine\r\nSEC-WEBSOCKET-ACCEPT:  {token}\r\n\r\n".encode()


def test_messages_come_as_frames_whole_in_parts_and_between_pings() -> None:
    parts = b"\x82\x02hi" + b"\x02\x01a" + b"\x89\x01?" + b"\x80\x02bc" + b"\x8a\x00"
    long = b"\x82\x7e\x01\x00" + bytes(256)
    with answering(accepting, parts + long, b"\x88\x02\x03\xe8") as link:
        bot = WebSocket(link, "localhost", "/")
        assert bot.recv() == b"\0\0\0\2hi"
        assert bot.recv() == b"\0\0\0\3abc"
        assert bot.recv() == b"\0\0\1\0" + bytes(256)
        assert bot.recv() == bot.recv() == b""


REFUSED = {
    "another status": [b"HTTP/1.1 404 Not Found\r\n\r\n"],
    "another proof": [b"HTTP/1.1 101 Fine\r\nSec-WebSocket-Accept: x\r\n\r\n"],
    "no HTTP": [b"\0\0\0\1x\r\n\r\n"],
    "an end": [b"HTTP/1.1 101 Fine\r\n"],
    "no end": [b"x" * 20_000],
}


@pytest.mark.parametrize("said", REFUSED.values(), ids=REFUSED)
def test_a_server_that_is_no_websocket_is_refused(said: list[bytes]) -> None:
    with answering(*said) as link, pytest.raises(Refused):
        WebSocket(link, "localhost", "/")


def refusal_of(*said: bytes, kind: int = socket.SOCK_STREAM) -> str:
    with answering(*said, kind=kind) as link, pytest.raises(Refused) as refused:
        WebSocket(link, "localhost", "/")
    return str(refused.value)


def test_a_refusal_is_told_with_the_words_of_the_server() -> None:
    head = b"HTTP/1.1 404 Not Found\r\nContent-Length: 29\r\n\r\n"
    body = b"Bots dial in at\nwss://cup/bot"
    told = "no WebSocket there: 'HTTP/1.1 404 Not Found': Bots dial in at wss://cup/bot"
    assert refusal_of(head + body) == told
    assert refusal_of(head, body[:9], body[9:], kind=socket.SOCK_SEQPACKET) == told


@pytest.mark.parametrize(
    ("length", "body", "told"),
    [
        ("9", b"fine, and more", "fine, and"),
        ("4", b"\x1b[2J", "[2J"),
        ("4", b"\xff\0\x9b!", "\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}!"),
        ("9" * 5000, b"x" * 1_000, "x" * 300),
        ("chunked", b"came at once", "came at once"),
        ("0", b"x", ""),
    ],
)
def test_of_a_refusal_a_bounded_beginning_is_told_that_prints(
    length: str, body: bytes, told: str
) -> None:
    said = refusal_of(b"HTTP/1.1 503 No\r\nContent-Length: %s\r\n\r\n" % length.encode() + body)
    assert said == "no WebSocket there: 'HTTP/1.1 503 No'" + (f": {told}" if told else "")


WRONG = {
    "text": b"\x81\x01x",
    "masked": b"\x82\x81abcdx",
    "too long": b"\x82\x7f" + (2**40).to_bytes(8, "big"),
    "too long in parts": (b"\x02\x7e\x20\x00" + bytes(8192)) + (b"\x80\x7e\x20\x01" + bytes(8193)),
    "a kind that is none": b"\x83\x00",
}


@pytest.mark.parametrize("said", WRONG.values(), ids=WRONG)
def test_what_no_server_sends_ends_the_connection(said: bytes) -> None:
    with answering(accepting, said) as link:
        bot = WebSocket(link, "localhost", "/")
        with pytest.raises(Refused):
            bot.recv()


@pytest.mark.parametrize("size", [0, 125, 126, 4096])
def test_a_frame_is_one_masked_message(size: int) -> None:
    """Unmasked again by another library."""
    from wsproto.connection import Connection, ConnectionType
    from wsproto.events import BytesMessage

    heard: list[bytes] = []
    ours, theirs = socket.socketpair()

    def serve() -> None:
        theirs.sendall(accepting(theirs.recv(4096)))
        with theirs:
            heard.extend(iter(lambda: theirs.recv(8192), b""))

    thread = threading.Thread(target=serve)
    thread.start()
    body = bytes(each % 256 for each in range(size))
    with ours:
        WebSocket(ours, "localhost", "/").sendall(size.to_bytes(4, "big") + body)
    thread.join()
    server = Connection(ConnectionType.SERVER)
    server.receive_data(b"".join(heard))
    came = b"".join(each.data for each in server.events() if isinstance(each, BytesMessage))
    assert came == body
