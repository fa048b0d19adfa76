"""What every request goes through first."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.serve.web.guard import HEADERS, host_in, is_from_here
from tests.serve.asked import HOST, Visitor, visit


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("Example.ORG", "example.org"),
        ("localhost:8000", "localhost"),
        ("[::1]:8000", "[::1]"),
        ("example.org.", "example.org"),
        ("a@b", None),
        ("127.0.0.1:8000/x", None),
        ("", None),
        ("a:b", None),
    ],
)
def test_a_host_header_is_read_without_its_port(header: str, host: str | None) -> None:
    assert host_in(header) == host


def test_an_origin_is_that_of_the_page_as_it_was_asked_for() -> None:
    assert is_from_here("http://127.0.0.1:8000", "127.0.0.1:8000")
    assert is_from_here("https://Cup.example.org", "cup.example.org")
    for origin in ("null", "http://127.0.0.1:9000", "http://evil.example", "file://", ""):
        assert not is_from_here(origin, "127.0.0.1:8000")


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("host", "evil.example")],
        [("host", "evil.example"), ("host", HOST)],
        [("host", HOST), ("host", HOST)],
        [("host", "127.0.0.1:8000@evil.example")],
    ],
)
def test_a_request_for_another_host_is_refused(headers: list[tuple[str, str]]) -> None:
    """A hostile page whose name leads to 127.0.0.1 names its own host."""

    async def ask(visitor: Visitor) -> None:
        for path in ("/healthz", "/", "/cup/", "/cup/live"):
            answer = await visitor.ask(path, headers=headers)
            assert answer.status == 421
            assert answer.headers.keys() >= HEADERS.keys()

    visit(ask)


def test_of_a_long_host_that_is_refused_the_beginning_is_told() -> None:
    async def ask(visitor: Visitor) -> None:
        told = {}
        for length in (100, 101):
            answer = await visitor.ask("/", headers=[("host", "x" * length)])
            told[length] = answer.text.split("'")[1]
        assert told == {100: "x" * 100, 101: "x" * 100}

    visit(ask)


def test_names_that_the_operator_adds_are_answered() -> None:
    async def ask(visitor: Visitor) -> None:
        for host in ("cup.example.org", "CUP.example.org:443", "192.0.2.1", "localhost", "[::1]:8"):
            assert (await visitor.ask("/healthz", headers=[("host", host)])).status == 200

    visit(ask, hosts=("cup.example.org",), address="192.0.2.1:80")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"])
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ([], 403),
        ([("origin", "http://evil.example")], 403),
        ([("origin", "null")], 403),
        ([("origin", f"http://{HOST}"), ("origin", "http://evil.example")], 403),
        ([("origin", f"http://{HOST}")], 405),
    ],
)
def test_what_is_more_than_reading_comes_from_our_own_pages(
    method: str, origin: list[tuple[str, str]], status: int
) -> None:
    async def ask(visitor: Visitor) -> None:
        answer = await visitor.ask("/healthz", method=method, headers=[("host", HOST), *origin])
        assert answer.status == status

    visit(ask)


def test_a_web_socket_from_elsewhere_is_refused() -> None:
    async def ask(visitor: Visitor) -> None:
        for origin in (
            ["http://evil.example"],
            ["null"],
            [f"http://{HOST}", "http://evil.example"],
        ):
            headers = [("host", HOST), *(("origin", each) for each in origin)]
            answer = await visitor.ask("/play/table", kind="websocket", headers=headers)
            assert (answer.status, answer.text) == (403, "Only pages of this server may do that.\n")
            answer = await visitor.ask("/x", kind="websocket", headers=[("host", "evil.example")])
            assert answer.status == 421

    visit(ask)


def test_a_bot_that_mistakes_the_address_is_told_the_right_one() -> None:
    async def ask(visitor: Visitor) -> None:
        for origin in ([], [("origin", f"http://{HOST}")]):
            answer = await visitor.ask("/bot", kind="websocket", headers=[("host", HOST), *origin])
            assert answer.status == 404
            assert "dial in to a league at wss://a.org/bots (SPEC 2.2)" in answer.text

    visit(ask, dial_in="wss://a.org/bots")


def test_every_answer_has_the_strict_headers_and_a_line_in_the_log() -> None:
    async def ask(visitor: Visitor) -> None:
        for path, status in (("/healthz", 200), ("/nothing/at/all", 404), ("/%00", 404)):
            answer = await visitor.ask(path)
            assert answer.status == status
            assert {**answer.headers, **HEADERS} == answer.headers
            (line,) = visitor.log.lines
            assert (line["path"], line["status"], line["by"]) == (path, status, "192.0.2.0")
            visitor.log.lines.clear()

    visit(ask)


def test_a_request_with_a_body_that_nobody_reads_ends_its_connection() -> None:
    async def ask(visitor: Visitor) -> None:
        headers = [("host", HOST), ("content-length", "1000000000")]
        assert (await visitor.ask("/healthz", headers=headers)).headers["connection"] == "close"

    visit(ask)


def test_a_bug_of_ours_is_told_to_the_operator_and_not_to_the_visitor(tmp_path: Path) -> None:
    async def ask(visitor: Visitor) -> None:
        visitor.site.assets = None  # type: ignore[assignment]  # the bug
        answer = await visitor.ask("/assets/style.css")
        assert answer.status == 500
        assert answer.text == "A bug in arena: its operator has a line about it.\n"
        assert {**answer.headers, **HEADERS} == answer.headers
        assert "NoneType" in visitor.log.lines[0]["error"]

    visit(ask)


def test_a_web_socket_that_meets_a_bug_of_ours_ends_unanswered() -> None:
    async def ask(visitor: Visitor) -> None:
        visitor.site.places = None  # type: ignore[assignment]  # the bug
        headers = [("host", HOST), ("origin", f"http://{HOST}")]
        with pytest.raises(AttributeError, match="NoneType"):
            await visitor.ask("/play/table", kind="websocket", headers=headers)
        bug, request = visitor.log.lines
        assert (bug["kind"], request["kind"]) == ("bug", "request")
        assert request["status"] == 0

    visit(ask, play=("python-random",))
