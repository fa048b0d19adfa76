"""Where the web server listens and logs, and what cannot be had there."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from arena.serve.options import ServeAddress
from arena.serve.supervisor import CannotServe, address_of, check_log, listen


def has_ipv6() -> bool:
    with socket.socket(socket.AF_INET6) as tried:
        try:
            tried.bind(("::1", 0))
        except OSError:
            return False
    return True


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        pytest.param("::1", marks=pytest.mark.skipif(not has_ipv6(), reason="no IPv6 here")),
    ],
)
def test_it_listens_at_a_port_of_the_systems_choice_and_tells_it(host: str) -> None:
    with listen(ServeAddress(host, 0)) as listener:
        found = address_of(listener)
        assert found.host == host
        assert found.port > 0
        socket.create_connection((host, found.port)).close()


def test_its_port_may_be_taken_again_while_connections_of_the_last_server_end() -> None:
    with listen(ServeAddress("127.0.0.1", 0)) as listener:
        assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 1


def test_an_address_where_nothing_can_listen_is_told_with_the_reason() -> None:
    with listen(ServeAddress("127.0.0.1", 0)) as listener:
        taken = address_of(listener)
        with pytest.raises(CannotServe) as caught:
            listen(taken)
        assert str(caught.value) == (
            f"nothing can be served at {taken}: Address already in use; name another address"
        )
    with pytest.raises(CannotServe, match="this is no host name; name another address"):
        listen(ServeAddress("a..example", 0))


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    check_log("")
    check_log(str(tmp_path / "log"))
    with pytest.raises(CannotServe, match=f"{tmp_path} cannot be written: Is a directory"):
        check_log(str(tmp_path))
