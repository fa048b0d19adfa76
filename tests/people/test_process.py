"""The process of the tables, spoken to as the web server does."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from arena import data
from arena.people.options import MOST_OF_ONE, READY, SOCKET, TablesOptions

SECONDS = 30
NOPE = {"type": "open", "game": "nope", "bots": ["python-random"], "name": "Ada"}


class PageHere:
    """One page's connection."""

    def __init__(self, path: Path, by: str):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(SECONDS)
        self._socket.connect(str(path))
        self._file = self._socket.makefile("rwb")
        self.say({"by": by})

    def say(self, message: Any) -> None:
        self.say_bytes(json.dumps(message).encode() + b"\n")

    def say_bytes(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()

    def next(self) -> dict[str, Any] | None:
        line = self._file.readline()
        message: dict[str, Any] | None = json.loads(line) if line else None
        return message

    def until(self, kind: str) -> dict[str, Any]:
        while (message := self.next()) is not None:
            if message["type"] == kind:
                return message
        raise AssertionError(f"no {kind!r} came")

    def leave(self) -> None:
        with suppress(ConnectionError):
            self._file.close()
        self._socket.close()


Pages: TypeAlias = Callable[[str], PageHere]


@pytest.fixture
def pages(tables: Path) -> Iterator[Pages]:
    """Connects a page, asked from this network; all are closed in the end."""
    with ExitStack() as opened:

        def connected(by: str) -> PageHere:
            page = PageHere(tables, by)
            opened.callback(page.leave)
            return page

        yield connected


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Path]:
    bots = tuple(str(data.sample_bots() / name) for name in ("python-random", "python-high"))
    options = TablesOptions(bots, most_tables=3)
    command = [sys.executable, "-m", "arena.people.process", str(os.getpid()), str(tmp_path)]
    with subprocess.Popen(
        [*command, options.to_json()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        while (line := process.stdout.readline().strip()) != READY:
            assert line
        yield tmp_path / SOCKET
        process.stdin.close()
        assert process.wait(SECONDS) == 0


def test_a_match_is_played_over_two_connections_and_its_end_told_to_a_third(pages: Pages) -> None:
    page = pages("a")
    page.say(NOPE)
    seat = page.until("seated")["seat"]
    page.until("request")
    page.leave()
    page = pages("a")
    page.say({"type": "rejoin", "seat": seat})
    while (message := page.next()) is not None and message["type"] != "end":
        if message["type"] == "request":
            action = {"match": message["match"], "id": message["id"]}
            page.say({"type": "action", "action": message["legal"][0], **action})
    assert message is not None
    late = pages("b")
    late.say({"type": "rejoin", "seat": seat})
    assert late.until("end") == message


def test_a_second_page_takes_the_seat_and_the_first_is_told(pages: Pages) -> None:
    first, second = pages("a"), pages("a")
    first.say(NOPE)
    seat = first.until("seated")["seat"]
    first.until("request")
    second.say({"type": "rejoin", "seat": seat})
    second.until("request")
    first.until("replaced")
    assert first.next() is None


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({**NOPE, "game": "chess"}, "no game of the name 'chess'"),
        ({**NOPE, "bots": ["python-random"] * 6}, "is played by 2, 3, 4, 5 and 6, not by 7"),
        ({**NOPE, "bots": ["../../etc"]}, "does not play nope"),
        ({"type": "rejoin", "seat": "guessed"}, "seat was given up"),
        ({"type": "leave"}, "Open a table first"),
        ({"type": "fly"}, "fly"),
    ],
)
def test_what_cannot_be_had_is_refused_in_words(
    pages: Pages, asked: dict[str, Any], words: str
) -> None:
    page = pages("a")
    page.say(asked)
    assert words in page.until("refused")["text"]
    assert page.next() is None


def test_tables_have_a_bound_for_each_network_and_in_all(pages: Pages) -> None:
    kept = []
    for by in ["a"] * MOST_OF_ONE:
        kept.append(opened(pages, by))
    assert "from your network already" in refused(pages, "a")
    kept.append(opened(pages, "b"))
    assert "come again" in refused(pages, "c")


def test_a_table_that_was_left_makes_room_for_another(pages: Pages) -> None:
    for _ in range(MOST_OF_ONE):
        page = opened(pages, "a")
        page.until("request")
        page.say({"type": "leave"})
    until = time.monotonic() + SECONDS
    while (told := answer(pages, "a"))["type"] == "refused":  # its bots are leaving
        assert time.monotonic() < until, told


def opened(pages: Pages, by: str) -> PageHere:
    page = pages(by)
    page.say(NOPE)
    page.until("seated")
    return page


def answer(pages: Pages, by: str) -> dict[str, Any]:
    page = pages(by)
    page.say(NOPE)
    message = page.next()
    assert message is not None
    return message


def refused(pages: Pages, by: str) -> str:
    message = answer(pages, by)
    assert message["type"] == "refused"
    return str(message["text"])


@pytest.mark.parametrize("line", [b"\xff" * 100 + b"\n", b"{" * 3_000 + b"\n", b"x" * 10_000])
def test_bytes_that_mean_nothing_end_their_connection_alone(pages: Pages, line: bytes) -> None:
    page = pages("a")
    page.say(NOPE)
    page.until("seated")
    page.until("request")
    try:
        page.say_bytes(line)
        while page.next() is not None:
            pass
    except ConnectionError:
        pass
    other = pages("b")
    other.say(NOPE)
    assert other.until("request")["legal"]


def test_the_tables_and_their_bots_end_with_the_server_that_was_killed(tmp_path: Path) -> None:
    options = TablesOptions((str(data.sample_bots() / "python-random"),))
    server = (
        "import subprocess, sys, os;"
        "p = subprocess.Popen([sys.executable, '-m', 'arena.people.process', str(os.getpid()),"
        " *sys.argv[1:]], stdin=subprocess.PIPE); print(p.pid, flush=True); p.wait()"
    )
    command = [sys.executable, "-c", server, str(tmp_path), options.to_json()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        tables = os.pidfd_open(int(process.stdout.readline()))
        while process.stdout.readline().strip() != READY:
            pass
        page = PageHere(tmp_path / SOCKET, "a")
        page.say(NOPE)
        page.until("request")
        process.send_signal(signal.SIGKILL)
        page.leave()
    # Its descriptor becomes readable when the process has ended.
    assert select.select([tables], [], [], SECONDS)[0]
    os.close(tables)
