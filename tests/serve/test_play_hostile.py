"""Visitors of /play that mean no good, at a server as operators run it, while a person plays."""

from __future__ import annotations

import json
import os
import resource
import select
import socket
import threading
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from arena import data
from arena.people.options import MOST_OF_ONE
from arena.serve.connections.http import HEAD_SECONDS
from arena.serve.connections.places import MOST_PAGES
from arena.serve.worker import LONGEST_MESSAGE
from tests.league.leagues import Simulated
from tests.serve.running import END_SECONDS, RunningServer, read_all, serving
from tests.serve.told import KEY, ToldLeague
from tests.serve.web_page import (
    BINARY,
    NOPE,
    PING,
    SECONDS,
    TABLE,
    WebPage,
    frame,
    is_ended,
    upgrade_head,
)

pytestmark = [pytest.mark.slow, pytest.mark.alone]

PLAY = ("--play", str(data.sample_bots() / "python-random"), "--behind-proxy")
# Descriptors of a serving process: its files and the pages of these tests, each with its table.
MOST_DESCRIPTORS = 100 + 2 * MOST_PAGES
# Of a serving process, during a flood too; at rest it has some 70.
MOST_MB = 400


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToldLeague]:
    """A league with a set that is begun."""
    folder = tmp_path_factory.mktemp("served") / "cup.arena"
    bots = ("fox", "owl", "crow", "hare")
    with closing(ToldLeague(folder, Simulated(bots=bots, sets=4), 2)) as told:
        told.begin()
        (folder / "lock").touch()
        yield told


@pytest.fixture(scope="module")
def server(told: ToldLeague) -> Iterator[RunningServer]:
    with serving(told.folder, options=PLAY) as server:
        yield server
        assert server.is_well()
        assert server.stop() < END_SECONDS


NETWORKS = iter(range(1, 60_000))


@pytest.fixture
def person(server: RunningServer) -> Iterator[WebPage]:
    """Somebody who plays before, during and after the attack, with no fault."""
    while True:
        with WebPage(server.port, next(NETWORKS)) as page:
            page.sit_down()
            if page.choose() == "end":
                continue  # a match that was over after one move
            yield page
            page.play_on()
            return


def tables(server: RunningServer) -> int:
    """The number of the process of the tables."""
    (found,) = [
        each
        for each in children(server.process.pid)
        if b"arena.people.process" in Path(f"/proc/{each}/cmdline").read_bytes()
    ]
    return found


def children(process: int) -> list[int]:
    """The numbers of the processes that this one has started."""
    listed = Path(f"/proc/{process}/task").glob("*/children")
    return [int(number) for each in listed for number in each.read_text().split()]


def descriptors(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


def megabytes(process: int) -> float:
    """The most memory that a process had."""
    text = Path(f"/proc/{process}/status").read_text()
    return int(text.partition("VmHWM:")[2].split()[0]) / 1024


@pytest.mark.parametrize(
    ("more", "behind"),
    [
        ((), frame(b'{"type":"leave"}') * 200),
        ((), b"x" * 200_000),
        ((), b"GET /play HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
        (("Sec-WebSocket-Protocol: \xff\xe9\u00fc",), b""),
        (("Sec-WebSocket-Protocol: a, a, \x7f",), b""),
        (("Sec-WebSocket-Extensions: permessage-deflate; x=\xff",), b""),
        (("Sec-WebSocket-Key: \xff",), b""),
        (("Sec-WebSocket-Version: 14",), b""),
        (("Upgrade: \xff",), b""),
        (("X-Forwarded-For: <script>, \xff",), b""),
        (("Content-Length: 10",), b"0123456789"),
        (("Transfer-Encoding: chunked",), b"5\r\nhello\r\n0\r\n\r\n"),
    ],
)
def test_no_upgrade_holds_up_a_person(
    server: RunningServer, person: WebPage, more: tuple[str, ...], behind: bytes
) -> None:
    with server.connect() as connection:
        with suppress(ConnectionError):
            connection.sendall(upgrade_head(server.port, *more) + behind)
            connection.shutdown(socket.SHUT_WR)
        assert b"Traceback" not in read_all(connection)
    assert server.is_well()


@pytest.mark.parametrize(
    "path",
    [
        "/play",
        "/play/",
        f"{TABLE}/",
        f"/{TABLE}",
        f"{TABLE}%00",
        f"{TABLE};x=y",
        "/PLAY/TABLE",
        "/play/../play/table/..",
        "/cup/play/table",
        "/bots",
        "/%ff",
        "/",
        "*",
    ],
)
def test_a_web_socket_at_another_path_is_answered_in_words(
    server: RunningServer, path: str
) -> None:
    for is_page in (True, False):
        answer = server.ask(upgrade_head(server.port, path=path, is_page=is_page))
        assert answer.startswith(b"HTTP/1.1 404 "), answer
        assert b"There is no WebSocket here. Bots dial in to a league at" in answer


@pytest.mark.parametrize(
    ("more", "status"),
    [
        (("Origin: https://evil.example",), 403),  # two of them: none is believed
        (("Host: evil.example",), 400),
    ],
)
def test_a_second_origin_or_host_opens_no_table(
    server: RunningServer, more: tuple[str, ...], status: int
) -> None:
    answer = server.ask(upgrade_head(server.port, *more))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("Host: 127.0.0.1:", "Host: evil.example:", b"421"),
        ("Origin: http://127.0.0.1:", "Origin: http://evil.example:", b"403"),
        ("Origin: http://127.0.0.1:", "Origin: null", b"403"),
    ],
)
def test_a_foreign_page_opens_no_table(
    server: RunningServer, old: str, new: str, status: bytes
) -> None:
    head = upgrade_head(server.port).replace(old.encode(), new.encode())
    answer = server.ask(head)
    assert answer.startswith(b"HTTP/1.1 " + status + b" ")
    assert b"This server is not" in answer or b"Only pages of this server" in answer


WRONG = {
    "no JSON": frame(b"{"),
    "a list": frame(b"[]"),
    "deep": frame(b"[" * 3_000),
    "another type": frame(b'{"type":"fly"}'),
    "a second table": frame(json.dumps(NOPE).encode()),
    "a second seat": frame(b'{"type":"rejoin","seat":"x"}'),
    "a number for a text": frame(b'{"type":"action","match":1,"id":2,"action":3}'),
    "one field more": frame(b'{"type":"leave","x":1}'),
    "half a surrogate": frame(b'{"type":"leave","\\ud800":1}'),
    "two lines": frame(b'{"type":\n"leave"}'),
    "nothing": frame(b""),
    "binary": frame(b'{"type":"leave"}', BINARY),
    "no UTF-8": frame(b"\xff\xfe"),
    "long": frame(b"x" * 5_000),
    "too long": frame(b"x" * (LONGEST_MESSAGE + 1)),
    "compressed": frame(zlib.compress(b"x"), first=0xC0),
    "reserved": frame(b"", 3),
    "a long ping": frame(b"x" * 126, PING),
    "not masked": b"\x81\x02{}",
    "a frame of 2 ** 63 bytes": b"\x81\xff\x80" + bytes(7) + b"abcd",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_message_in_a_match_ends_its_page_and_not_the_match(
    server: RunningServer, name: str
) -> None:
    with WebPage(server.port, next(NETWORKS)) as page:
        seat = page.sit_down()
        page.choose()
        page.socket.sendall(WRONG[name])
        assert page.ends()
        with page.again(seat) as other:
            assert (other.asked["id"], other.asked["legal"]) == (
                page.asked["id"],
                page.asked["legal"],
            )
            other.play_on()


def test_actions_nobody_asked_for_change_nothing(server: RunningServer) -> None:
    with WebPage(server.port, next(NETWORKS)) as page:
        page.sit_down()
        right = {"match": page.asked["match"], "id": page.asked["id"], "action": "x"}
        wrong: tuple[dict[str, object], ...] = (
            {"id": -1},
            {"id": 2**80},
            {"match": "other"},
            {"action": "<script>"},
            {},
        )
        for each in wrong:
            page.say({"type": "action", **right, **each})
            again = page.until("request")
            assert (again["id"], again["legal"]) == (page.asked["id"], page.asked["legal"])
        page.play_on()


@pytest.mark.parametrize(
    "data",
    [
        frame(b"", 0, first=0x00) * 40_000,  # parts of a message that never ends
        frame(b"{") * 40_000,
        frame(b"x" * 125, PING) * 20_000,
        frame(b"x", 10) * 40_000,  # pongs
    ],
)
def test_a_flood_of_frames_ends_its_connection_and_holds_up_nobody(
    server: RunningServer, person: WebPage, data: bytes
) -> None:
    with ExitStack() as stack:
        pages = [stack.enter_context(WebPage(server.port, next(NETWORKS))) for _ in range(10)]
        for page in pages:
            page.socket.sendall(frame(b"", first=0x00))  # a message begins
            with suppress(ConnectionError):
                page.socket.sendall(data)
        person.choose()
        assert all(is_ended(page.socket) for page in pages)
    assert megabytes(server.worker()) < MOST_MB


def test_nothing_is_compressed_because_little_may_become_much(server: RunningServer) -> None:
    with WebPage(server.port, 1, "Sec-WebSocket-Extensions: permessage-deflate") as page:
        assert b"101" in page.head
        assert b"xtensions" not in page.head
    assert megabytes(server.worker()) < MOST_MB


def test_pages_without_a_word_make_room_for_visitors(
    server: RunningServer, person: WebPage
) -> None:
    """Ten thousand, or as many as this process may open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 12_000), hard))
    head = upgrade_head(server.port, "X-Forwarded-For: 10.250.0.1")
    try:
        with ExitStack() as stack:
            for number in range(min(10_000, min(hard, 12_000) - 500)):
                connection = socket.socket()
                stack.callback(connection.close)
                connection.settimeout(30)
                try:
                    connection.connect(("127.0.0.1", server.port))
                    connection.sendall(head)
                except OSError:
                    break  # no port or descriptor is left on our side
                if number % 2_000 == 0:
                    person.choose()
            assert server.is_well()
            with WebPage(server.port, next(NETWORKS)) as newcomer:
                newcomer.sit_down()
                newcomer.play_on()
            for process in (server.worker(), tables(server)):
                assert descriptors(process) < MOST_DESCRIPTORS
                assert megabytes(process) < MOST_MB
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_half_requests_for_a_table_end_in_time(server: RunningServer, person: WebPage) -> None:
    head = upgrade_head(server.port)
    with ExitStack() as stack:
        halves = []
        for at in range(1, len(head), 20):
            connection = stack.enter_context(server.connect())
            connection.settimeout(3 * HEAD_SECONDS)
            connection.sendall(head[:at])
            halves.append(connection)
        person.choose()
        assert all(is_ended(each) for each in halves)


def test_a_hundred_pages_of_one_network_have_two_seats(
    server: RunningServer, person: WebPage
) -> None:
    network = next(NETWORKS)
    with ExitStack() as stack:
        answers = []
        for _ in range(100):
            page = stack.enter_context(WebPage(server.port, network))
            page.say({**NOPE, "name": "<script>alert(1)</script>"})
            message = page.next()
            assert message is not None
            answers.append(message)
        person.choose()
    assert [each["type"] for each in answers].count("seated") == MOST_OF_ONE
    refused = {each["text"] for each in answers if each["type"] == "refused"}
    assert all("from your network already" in each for each in refused)


def test_tables_that_are_opened_and_left_become_rare(
    server: RunningServer, person: WebPage
) -> None:
    network = next(NETWORKS)
    told = ""
    while "in a row: come again in" not in told:
        with WebPage(server.port, network) as page:
            page.say(NOPE)
            message = page.until("seated", "refused")
            told = message.get("text", "")
            if message["type"] == "seated":
                page.say({"type": "leave"})
                page.until("request", "moved", "bye")
    person.choose()


def test_a_storm_of_pages_with_right_and_wrong_secrets_leaves_a_seat_to_who_knows_it(
    server: RunningServer, person: WebPage
) -> None:
    with WebPage(server.port, next(NETWORKS)) as first:
        seat = first.sit_down()
        cards = json.dumps(first.asked["view"], separators=(",", ":"))[:60].encode()
        assert cards in first.seen
        with ExitStack() as stack:
            for number in range(60):
                guess = seat if number % 3 == 0 else seat[:-1] + "?"
                page = stack.enter_context(WebPage(server.port, next(NETWORKS)))
                page.say({"type": "rejoin", "seat": guess})
                message = page.next()
                assert message is not None
                assert message["type"] == ("seated" if guess == seat else "refused")
                if guess != seat:
                    assert page.ends()
                    assert cards not in page.seen
        with first.again(seat) as last:
            assert last.asked["id"] == first.asked["id"]
            last.play_on()


def test_a_whole_match_tells_nothing_of_an_unfinished_set(
    server: RunningServer, told: ToldLeague
) -> None:
    with WebPage(server.port, next(NETWORKS)) as page:
        page.sit_down()
        page.play_on()
        secrets = [KEY, KEY.hex().encode(), *told.secrets_of_begun()]
        assert not [each for each in secrets if each in page.seen]


def test_it_ends_within_two_seconds_in_the_middle_of_matches(told: ToldLeague) -> None:
    with serving(told.folder, options=PLAY) as server, ExitStack() as stack:
        pages = [stack.enter_context(WebPage(server.port, 200 + each)) for each in range(4)]
        for page in pages:
            page.sit_down()
        silent = [stack.enter_context(WebPage(server.port, 300 + each)) for each in range(4)]
        people = tables(server)
        left = [server.worker(), people, *children(people)]
        ended = [os.pidfd_open(each) for each in left]
        for each in ended:
            stack.callback(os.close, each)
        assert server.stop() < END_SECONDS
        assert all(is_ended(page.socket) for page in (*pages, *silent))
        for each in ended:
            assert select.select([each], [], [], 5)[0]


def test_it_ends_within_two_seconds_under_a_flood(told: ToldLeague) -> None:
    with serving(told.folder, options=PLAY) as server, ExitStack() as stack:
        person = stack.enter_context(WebPage(server.port, 400))
        person.sit_down()
        flood = [Flood(server.port) for _ in range(4)]
        for each in flood:
            each.start()
        person.choose()
        assert server.stop() < END_SECONDS
        for each in flood:
            each.join(SECONDS)
            assert not each.is_alive()


class Flood(threading.Thread):
    """Opens WebSockets and sends frames on them, until nobody listens any more."""

    def __init__(self, port: int):
        super().__init__(daemon=True)
        self._port = port

    def run(self) -> None:
        data = upgrade_head(self._port) + frame(b"{") * 1_000
        place = ("127.0.0.1", self._port)
        while True:
            try:
                with socket.create_connection(place, timeout=SECONDS) as connection:
                    connection.sendall(data)
            except ConnectionRefusedError:
                return
            except OSError:
                pass  # the server has ended this one


def test_tables_that_were_killed_are_there_again(told: ToldLeague) -> None:
    with serving(told.folder, options=PLAY) as server:
        with WebPage(server.port) as page:
            page.sit_down()
            os.kill(tables(server), 9)
            assert page.ends()
        seated = False
        while not seated:  # they are started again after a second
            with WebPage(server.port) as page:
                page.say(NOPE)
                message = page.next()
                seated = message is not None and message["type"] == "seated"
        assert server.is_well()
