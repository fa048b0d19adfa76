"""A server as operators run it, with visitors that mean no good."""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from arena.serve.connections.http import HEAD_SECONDS, STALL_SECONDS
from arena.serve.worker import LONGEST_MESSAGE
from tests.league.leagues import NASTY, Simulated
from tests.serve.running import END_SECONDS, RunningServer, read_all, serving
from tests.serve.told import KEY, ToldLeague

pytestmark = [pytest.mark.slow, pytest.mark.alone]

BOTS = ("fox", "owl", "crow", "hare", NASTY)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToldLeague]:
    """A league that is being written, with a set that is begun."""
    folder = tmp_path_factory.mktemp("served") / "cup.arena"
    with closing(ToldLeague(folder, Simulated(bots=BOTS, sets=4), 2)) as told:
        told.begin()
        (folder / "lock").touch()
        yield told


@pytest.fixture(scope="module")
def server(told: ToldLeague) -> Iterator[RunningServer]:
    with serving(told.folder) as server:
        yield server
        assert server.is_well()
        assert server.stop() < END_SECONDS


def upgrade(
    server: RunningServer, *more: str, path: str = "/cup/live", behind: bytes = b""
) -> bytes:
    """Ask for a WebSocket; return the answer."""
    head = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        f"Origin: http://127.0.0.1:{server.port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *more,
    ]
    return server.ask("\r\n".join([*head, "", ""]).encode("latin-1") + behind)


def asked(first: bytes, *heads: bytes, body: bytes = b"") -> bytes:
    """A request for this server that ends its connection, as bytes."""
    lines = [first + b" HTTP/1.1", b"Host: 127.0.0.1", b"Connection: close", *heads, b"", body]
    return b"\r\n".join(lines)


CHUNKED = b"Transfer-Encoding: chunked"
HOSTILE = {
    "nothing": b"",
    "no request": b"\x00\x01\x02\x03\r\n\r\n",
    "tls": bytes.fromhex("16030100c8010000c40303") + b"x" * 200,
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "old http": b"GET / HTTP/1.0\r\n\r\n",
    "newer http": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "long head": asked(b"GET /", b"X: " + b"x" * 100_000),
    "long path": asked(b"GET /" + b"x" * 100_000),
    "many heads": asked(b"GET /", *[b"X: y"] * 20_000),
    "two lengths": asked(b"GET /", b"Content-Length: 1", b"Content-Length: 2"),
    "length and chunks": asked(
        b"POST /", b"Content-Length: 5", CHUNKED, body=b"0\r\n\r\nGET /cup/ HTTP/1.1\r\n\r\n"
    ),
    "huge length": asked(b"POST /", b"Content-Length: 99999999999999999999"),
    "bad chunk": asked(b"POST /", CHUNKED, body=b"xyz\r\n"),
    "bare newline": b"GET / HTTP/1.1\nHost: 127.0.0.1\nX: a\rb\nConnection: close\n\n",
    "absolute": asked(b"GET http://evil.example/"),
    "connect": asked(b"CONNECT 127.0.0.1:22"),
    "trace": asked(b"TRACE /"),
    "high bytes": asked(b"GET /\xff\xfe", b"X: \xff"),
    "percent": asked(b"GET /cup/%ff%00%2e%2e%2fleague.db"),
    "range": asked(b"GET /cup/", b"Range: bytes=0-1,0-1,0-1"),
    "expect": asked(b"GET /", b"Expect: 100-continue", b"Content-Length: 3"),
    "h2c": asked(b"GET /", b"Connection: Upgrade", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABk"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_it_lives_on_after_requests_that_are_none(server: RunningServer, name: str) -> None:
    with server.connect() as connection:
        connection.sendall(HOSTILE[name])
        connection.shutdown(socket.SHUT_WR)
        answer = read_all(connection)
    assert b"Traceback" not in answer
    assert server.is_well()


@pytest.mark.parametrize(
    ("more", "behind"),
    [
        ((), b""),
        ((), b"\x81\x05hello" * 100),  # bytes after the blank line
        ((), b"x" * 200_000),
        (("Sec-WebSocket-Protocol: \xff\xe9\u00fc",), b""),
        (("Sec-WebSocket-Protocol: a, a, \x7f",), b""),
        (("Sec-WebSocket-Extensions: permessage-deflate; x=\xff",), b""),
        (("Sec-WebSocket-Key: \xff",), b""),
        (("Upgrade: \xff",), b""),
    ],
)
@pytest.mark.parametrize("path", ["/cup/live", "/", "/play", "/nowhere"])
def test_an_upgrade_that_nobody_wants_is_refused(
    server: RunningServer, path: str, more: tuple[str, ...], behind: bytes
) -> None:
    answer = upgrade(server, path, *more, behind=behind)
    assert not answer.startswith(b"HTTP/1.1 101")
    assert b"Traceback" not in answer
    assert server.is_well()


def test_half_requests_end_in_time_and_hold_up_nobody(server: RunningServer) -> None:
    halves = (b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0", b"GET /healthz HTTP/1.1\r\n")
    with ExitStack() as stack:
        connections = []
        for half in halves * 10:
            connection = stack.enter_context(server.connect())
            connection.sendall(half)
            connection.settimeout(3 * HEAD_SECONDS)
            connections.append(connection)
        assert server.is_well()
        for connection in connections:
            assert read_all(connection) == b""  # it was the server that ended it


def test_a_second_half_request_on_one_connection_ends_in_time(server: RunningServer) -> None:
    with server.connect() as connection:
        connection.settimeout(3 * HEAD_SECONDS)
        whole = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
        connection.sendall(whole.encode() + b"GET / HT")
        assert read_all(connection).count(b"HTTP/1.1 ") == 1


def test_readers_that_never_read_hold_up_nobody(server: RunningServer) -> None:
    with ExitStack() as stack:
        for _ in range(50):
            connection = socket.socket()
            stack.callback(connection.close)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            connection.connect(("127.0.0.1", server.port))
            host = f"Host: 127.0.0.1:{server.port}\r\n\r\n"
            for path in ("/cup/", "/cup/live", "/cup/sets/000/1.html"):
                connection.sendall(f"GET {path} HTTP/1.1\r\n{host}".encode())
        for _ in range(20):
            assert server.get("/cup/").startswith(b"HTTP/1.1 200")
    assert server.is_well()


def test_a_reader_whose_buffers_are_full_is_left_in_time(server: RunningServer) -> None:
    """Nothing else would ever end an answer that somebody asked for and does not read."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        connection.connect(("127.0.0.1", server.port))
        request = f"GET /cup/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        connection.setblocking(False)
        with suppress(BlockingIOError):
            for _ in range(2_000):
                connection.send(request)
        poll = select.poll()
        poll.register(connection, 0)  # of what it has not read nothing is reported, but its end
        assert poll.poll(5_000 * STALL_SECONDS)
    assert server.is_well()


def test_as_many_connections_as_there_are_descriptors_leave_it_alive(
    server: RunningServer,
) -> None:
    """Ten thousand, or as many as this process may open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 12_000), hard))
    try:
        with ExitStack() as stack:
            for _ in range(min(10_000, min(hard, 12_000) - 500)):
                connection = socket.socket()
                stack.callback(connection.close)
                connection.settimeout(30)
                try:
                    connection.connect(("127.0.0.1", server.port))
                except OSError:
                    break  # no port or descriptor is left on our side
        assert server.is_well()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_message_of_any_size_to_what_takes_none_is_refused(server: RunningServer) -> None:
    size = 50 * LONGEST_MESSAGE
    head = (
        f"POST /cup/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Origin: http://127.0.0.1:{server.port}\r\nContent-Length: {size}\r\n\r\n"
    )
    with server.connect() as connection:
        with suppress(OSError):  # it ends the connection before the end of the message
            connection.sendall(head.encode() + b"x" * size)
        assert b" 405 " in read_all(connection)
    assert server.is_well()


def test_nothing_of_an_unfinished_set_or_of_the_key_leaves_it(
    server: RunningServer, told: ToldLeague
) -> None:
    unfinished = told.store._db.execute(
        "SELECT record FROM matches JOIN sets USING (number) WHERE NOT is_complete"
    ).fetchall()
    assert unfinished
    secrets = [KEY, KEY.hex().encode(), *(told.secrets_of_begun())]
    for path in (
        "/cup/",
        "/cup/events",
        "/cup/live",
        "/cup/sets/000/3.html",
        "/cup/standings.json",
    ):
        with server.connect() as connection:
            connection.settimeout(2)
            head = f"GET /cup/{path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
            connection.sendall(head.encode())
            found = b""
            with suppress(TimeoutError):  # a stream has no end
                while data := connection.recv(65_536):
                    found += data
        assert len(found) > 100
        assert not [secret for secret in secrets if secret in found], path


def test_it_says_what_holds_and_where_it_is(server: RunningServer) -> None:
    where, holds = server.said
    assert where == f"http://127.0.0.1:{server.port}/cup/"
    assert "confined" in holds


def test_it_ends_within_two_seconds_though_streams_are_open(told: ToldLeague) -> None:
    with serving(told.folder) as server, ExitStack() as stack:
        streams = []
        for path in ("/cup/live", "/cup/tv/live", "/cup/events") * 3:
            stream = stack.enter_context(server.connect())
            stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert stream.recv(100).startswith(b"HTTP/1.1 200")
            streams.append(stream)
        half = stack.enter_context(server.connect())
        half.sendall(b"GET / HT")
        assert server.stop() < END_SECONDS
        for stream in streams:
            read_all(stream)


def test_a_serving_process_that_is_killed_is_started_again(told: ToldLeague) -> None:
    with serving(told.folder) as server:
        before = server.worker()
        os.kill(before, signal.SIGKILL)
        assert server.is_well()  # the connection waits until the next one takes it
        assert server.worker() != before


def test_a_killed_supervisor_leaves_no_serving_process(told: ToldLeague) -> None:
    with serving(told.folder) as server:
        ended = os.pidfd_open(server.worker())
        server.process.kill()
        with closing(open(ended, "rb", buffering=0)):
            poll = select.poll()
            poll.register(ended, select.POLLIN)
            assert poll.poll(5_000)


def test_a_runner_that_begins_is_noticed_and_streams_go_on_elsewhere(tmp_path: Path) -> None:
    """The files of a database that is written are new ones, so another process takes over."""
    told = ToldLeague(tmp_path / "cup.arena", Simulated(sets=4), 1)
    told.close()  # at rest it is one file
    (told.folder / "lock").touch()
    with serving(told.folder) as server:
        before = server.worker()
        with closing(told.opened_again()):
            told.play()
            assert told.store.last_event()
            while server.worker() == before:
                assert server.is_well()
            page = b""
            while b"Set 2" not in page:
                page = server.get("/cup/")
        assert server.is_well()
