"""`arena door` as a command: what it refuses, what it tells, and how it ends."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.door.referees import Beyond
from arena.referee.door.addresses import RELAY
from tests.door.an_open_door import CHAIN, KEY, upgrade
from tests.league.play.test_dialling_league import free_port
from tests.league.rights import as_nobody
from tests.league.running import ARENA

ENDS_SECONDS = 2  # after SIGTERM, however many are connected


def door(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["door", *arguments])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tcp:127.0.0.1:4000"], "Missing option '--listen'"),
        (["tcp:127.0.0.1:4000", "--listen", "wss://x/"], "is not tls:HOST:PORT, wss:HOST:PORT"),
        (["tcp:127.0.0.1:4000", "--listen", "tls:127.0.0.1:4001"], "needs --certificate and --key"),
        (
            ["tcp:127.0.0.1:4000", "--listen", "ws:127.0.0.1:4001", "--trust", "caddy"],
            "'caddy' is no IP address, such as 127.0.0.1",
        ),
        (
            ["tcp:127.0.0.1:4000", "--listen", "ws:127.0.0.1:4001", "--certificate", "chain.pem"],
            "--certificate is of no use with ws:127.0.0.1:4001, which is not encrypted",
        ),
        (
            ["tcp:127.0.0.1:4000", "--listen", "ws:127.0.0.1:4001", "--key", "key.pem"],
            "--key is of no use with ws:127.0.0.1:4001, which is not encrypted",
        ),
    ],
    ids=["nowhere", "no place", "no certificate", "no address", "no use", "no use of a key"],
)
def test_what_is_no_order_is_refused_in_words(arguments: list[str], words: str) -> None:
    result = door(*arguments)
    assert result.exit_code == 2
    assert words in result.output


def test_a_league_that_is_not_there_and_a_bad_certificate_are_told(tmp_path: Path) -> None:
    result = door(str(tmp_path / "cup"), "--listen", "ws:127.0.0.1:4001")
    assert result.exit_code != 0
    assert "cup" in result.output
    result = door(
        *("tcp:127.0.0.1:4000", "--listen", "tls:127.0.0.1:4001"),
        *("--certificate", str(KEY), "--key", str(CHAIN)),
    )
    assert result.exit_code == 1
    assert "expected a certificate chain and its key" in result.output


def test_the_socket_of_a_league_of_another_user_is_refused_before_a_bot_comes() -> None:
    """Not below the folder of the test, which is closed to other users."""
    with TemporaryDirectory() as name, socket.socket(socket.AF_UNIX) as theirs:
        folder = Path(name)
        folder.chmod(0o755)
        assert as_nobody(lambda: Beyond(folder).check()) == "None"  # the league rests
        theirs.bind(str(folder / RELAY))
        (folder / RELAY).chmod(0o600)
        Beyond(folder).check()
        if os.getuid():
            (folder / RELAY).chmod(0)
        assert as_nobody(lambda: Beyond(folder).check()) == (
            f"NoReferee: {folder / RELAY}: this user may not open it; the door of a league runs as"
            " the user who plays the league"
        )


def test_a_place_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"ws:127.0.0.1:{taken.getsockname()[1]}"
        result = door("tcp:127.0.0.1:4000", "--listen", place)
    assert result.exit_code == 1
    assert f"cannot listen at {place}: Address already in use" in result.output


@contextmanager
def an_open_door(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The process of a door without a league, and its port."""
    port = free_port()
    command = [*ARENA, "door", "tcp:127.0.0.1:1", "--listen", f"ws:127.0.0.1:{port}", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert process.stderr.readline() == f"open at ws:127.0.0.1:{port}, to tcp:127.0.0.1:1\n"
            yield process, port
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.alone
def test_a_door_ends_at_once_when_it_is_told_to_however_many_are_there() -> None:
    with an_open_door("--most-of-an-address", "400") as (process, port):
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
        for each in silent[:100]:
            each.sendall(upgrade()[:50])
        process.send_signal(signal.SIGTERM)
        assert process.wait(ENDS_SECONDS) == 0
        for each in silent:
            each.close()


@pytest.mark.slow
@pytest.mark.alone
def test_the_certificate_is_read_again_at_sighup_and_an_old_one_kept(tmp_path: Path) -> None:
    chain, key = (shutil.copy(each, tmp_path) for each in (CHAIN, KEY))
    files = ("--certificate", str(chain), "--key", str(key))
    with an_open_door("--listen", f"tls:127.0.0.1:{free_port()}", *files) as (process, _):
        assert process.stderr is not None
        assert process.stderr.readline().startswith("open at tls:")
        process.send_signal(signal.SIGHUP)
        assert process.stderr.readline() == "the certificate was read again\n"
        Path(chain).write_text("nothing")
        process.send_signal(signal.SIGHUP)
        assert process.stderr.readline().startswith("the old certificate stays in use: ")
        process.send_signal(signal.SIGINT)
        assert process.wait(ENDS_SECONDS) == 130


@pytest.mark.slow
@pytest.mark.alone
def test_ten_thousand_connections_leave_a_door_open_and_small() -> None:
    """Of all kinds of silence, two thousand of them at a time."""
    halves = (b"", b"G", upgrade()[:60], upgrade())
    with an_open_door("--most-of-an-address", "60000") as (process, port):
        there: deque[socket.socket] = deque()
        for number in range(10_000):
            each = socket.create_connection(("127.0.0.1", port))
            with suppress(ConnectionError):
                each.sendall(halves[number % len(halves)])
            there.append(each)
            if len(there) > 2_000:
                there.popleft().close()
        assert _resident_bytes(process.pid) < 150_000_000
        with socket.create_connection(("127.0.0.1", port)) as last:
            last.sendall(upgrade())
            assert last.recv(100).startswith(b"HTTP/1.1 101 ")
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(ENDS_SECONDS) == 0
        for each in there:
            each.close()


def _resident_bytes(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()
