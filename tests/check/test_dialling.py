"""Why an address cannot be dialled, in words, from real servers with TLS."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest

from arena.check.bench import why_unreachable
from arena.check.dialling import connected, why_not
from tests.cli.test_main import run
from tests.door.an_open_door import CHAIN
from tests.league.play.test_dialling_league import free_port
from tests.protocol.test_encrypted_connections import a_server, refuse, upgrade

UNKNOWN = "its certificate is not trusted here ("
REMEDY = (
    "): if it is of a private authority, SSL_CERT_FILE has to name the file with the certificate of"
    " that authority, in PEM (SPEC 2.2)"
)


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CHAIN))


@pytest.fixture
def untrusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)


def bad_gateway(link: socket.socket) -> None:
    link.recv(4096)
    link.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")


def why(address: str) -> str:
    try:
        connected(address, 30.0).close()
    except OSError as error:
        return why_not(error)
    raise AssertionError(f"{address} was reached")


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize(
    ("serve", "words"),
    [
        (
            bad_gateway,
            "no WebSocket there: 'HTTP/1.1 502 Bad Gateway'; the web server is there, and the door"
            " behind it is not: does it run?",
        ),
        (refuse, "no WebSocket there: 'HTTP/1.1 404 Not Found'"),
    ],
    ids=["the door is down", "another path"],
)
def test_the_status_of_a_server_that_takes_no_bots_is_told(
    serve: Callable[[socket.socket], None], words: str
) -> None:
    with a_server(serve) as port:
        assert why(f"wss://localhost:{port}/bots") == words


@pytest.mark.usefixtures("untrusted")
@pytest.mark.parametrize("address", ["wss://localhost:{}/bots", "tls:localhost:{}"])
def test_an_unknown_authority_is_told_with_the_variable_that_names_it(address: str) -> None:
    with a_server(upgrade) as port:
        told = why(address.format(port))
    assert told.startswith(UNKNOWN)
    assert told.endswith(REMEDY)


@pytest.mark.usefixtures("trusted")
def test_a_certificate_of_another_host_is_told_without_a_remedy_that_is_none() -> None:
    with a_server(upgrade, "127.0.0.2") as port:
        told = why(f"tls:127.0.0.2:{port}")
    assert told.startswith("its certificate does not hold: IP address mismatch")
    assert "SSL_CERT_FILE" not in told


def test_of_an_address_where_nobody_is_nothing_more_is_known() -> None:
    assert why(f"tcp:127.0.0.1:{free_port()}") == ""


@pytest.mark.usefixtures("trusted")
def test_an_address_that_is_reached_needs_no_words() -> None:
    with a_server(upgrade) as port:
        assert why_unreachable(f"wss://localhost:{port}/") == ""


@pytest.mark.usefixtures("untrusted")
def test_a_check_tells_why_the_address_could_not_be_dialled_and_not_of_unix_sockets() -> None:
    at = f"wss://localhost:{free_port()}/bots"
    listen = f"tcp:127.0.0.1:{free_port()}"
    code, output = run("check", "python-random", "--at", at, "--listen", listen)
    told = " ".join(output.split())
    assert code == 4
    assert f"{at} cannot be reached: Connection refused; does the door run" in told
    assert "connect = [" not in told


@pytest.mark.usefixtures("untrusted")
def test_evidence_from_a_server_with_an_unknown_authority_names_the_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "tK3x")
    with a_server(upgrade) as port:
        code, output = run("evidence", f"wss://localhost:{port}/bots")
    assert code == 1
    assert "SSL_CERT_FILE" in output
    assert "is it running" not in output
