"""The kit's connections to a server with TLS, over real sockets."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from protocol.encrypted import (
    Refused,
    TlsSocket,
    WebSocket,
    connected_by_tls,
    connected_by_websocket,
)
from protocol.kit import _connected
from tests.door.an_open_door import CHAIN, KEY
from tests.protocol.test_encrypted import accepting, answering

PATIENCE = 30.0


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the certificate of these servers, as SPEC 2.2 says for a private authority."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CHAIN))


@contextmanager
def a_server(serve: Callable[[socket.socket], None], host: str = "127.0.0.1") -> Iterator[int]:
    """Serve one connection with TLS at this port; without a client it ends all the same."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CHAIN, KEY)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:
        listener.settimeout(PATIENCE)

        def run() -> None:
            with suppress(OSError):
                link, _ = listener.accept()
                with context.wrap_socket(link, server_side=True) as wrapped:
                    serve(wrapped)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            thread.join()


def echo(link: socket.socket) -> None:
    while data := link.recv(4096):
        link.sendall(data)


def upgrade(link: socket.socket) -> None:
    link.sendall(accepting(link.recv(4096)) + b"\x82\x02hi")
    while link.recv(4096):
        pass


def refuse(link: socket.socket) -> None:
    link.recv(4096)
    link.sendall(b"HTTP/1.1 404 Not Found\r\n\r\n")


def test_bytes_pass_both_ways_through_tls() -> None:
    with a_server(echo) as port, connected_by_tls("localhost", port, PATIENCE) as link:
        link.sendall(b"fox")
        assert link.recv(10) == b"fox"


def test_a_websocket_is_opened_through_tls() -> None:
    with a_server(upgrade) as port, connected_by_websocket("localhost", port, "/") as link:
        assert link.recv() == b"\0\0\0\2hi"


def test_a_server_without_websockets_is_left() -> None:
    with a_server(refuse) as port, pytest.raises(Refused, match="404"):
        connected_by_websocket("localhost", port, "/")


def test_a_certificate_that_nobody_vouches_for_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/dev/null")
    with a_server(echo) as port, pytest.raises(ssl.SSLCertVerificationError):
        connected_by_tls("localhost", port)


@pytest.mark.parametrize("call", [lambda link: link.sendall(b"x"), lambda link: link.recv(1)])
def test_an_error_of_tls_is_the_end_of_the_connection(
    call: Callable[[socket.socket], object],
) -> None:
    """Here: a handshake with a server that speaks no TLS."""
    ours, theirs = socket.socketpair()
    with theirs:
        theirs.sendall(b"no TLS at all\r\n")
        context = ssl.create_default_context()
        context.sslsocket_class = TlsSocket
        with (
            context.wrap_socket(
                ours, server_hostname="localhost", do_handshake_on_connect=False
            ) as link,
            pytest.raises(ConnectionAbortedError),
        ):
            call(link)


@pytest.mark.parametrize(("scheme", "serve"), [("tls:{}:{}", echo), ("wss://{}:{}/", upgrade)])
def test_the_kit_connects_to_both_kinds_of_address(
    scheme: str, serve: Callable[[socket.socket], None]
) -> None:
    with a_server(serve) as port, _connected(scheme.format("localhost", port)) as link:
        assert isinstance(link, TlsSocket | WebSocket)


@pytest.mark.parametrize("cut", [1, 3, 10])
def test_a_part_of_a_message_is_waited_for(cut: int) -> None:
    """Also one whose length is not whole yet."""
    ours, theirs = socket.socketpair()
    message = b"\x82\x7e\x00\x80" + bytes(128)

    def serve() -> None:
        with theirs:
            theirs.sendall(accepting(theirs.recv(4096)) + message[:cut])
            assert theirs.recv(4096)  # a pong: the first part was read
            theirs.sendall(message[cut:])

    thread = threading.Thread(target=serve)
    thread.start()
    with ours:
        bot = WebSocket(ours, "localhost", "/")
        assert bot._read() is None
        bot.sendall(b"\0\0\0\1x")
        assert bot.recv() == b"\0\0\0\x80" + bytes(128)
    thread.join()


def test_an_end_without_a_farewell_is_an_end() -> None:
    with answering(accepting) as link:
        assert WebSocket(link, "localhost", "/").recv() == b""


def test_a_long_message_is_refused_by_its_length_alone() -> None:
    """Nobody waits for the rest."""
    with answering(accepting, b"\x82\x7f" + (2**20).to_bytes(8, "big")) as link:
        bot = WebSocket(link, "localhost", "/")
        with pytest.raises(Refused, match="1048576 bytes"):
            bot.recv()
