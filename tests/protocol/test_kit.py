"""The kit against a server that has its lines written down."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgpack
import pytest
from msgspec import to_builtins

import protocol
from arena.league.play.attendance import RETIRED
from protocol import run
from protocol.farewells import farewell
from protocol.frames import FrameReader
from protocol.limits import MAX_BOT_BODY_BYTES
from tests.helpers import packed

WELCOME = {"type": "welcome", "protocol": 1, "name": "fox", "offers": [], "limits": {}}
START = {"type": "start", "match": "m-1", "game": "toy", "seat": 0}
REQUEST = {"type": "request", "match": "m-1", "id": 1, "view": {"hand": []}, "legal": ["G2", "G9"]}
END = {"type": "end", "match": "m-1", "scores": [1, 0], "places": [1, 2]}
DONE = {"type": "bye", "reason": "done", "text": "There are no more matches for you."}

Request = Mapping[str, Any]


class Server:
    """Says all its lines at once, then listens until the bot hangs up."""

    def __init__(self, *lines: Mapping[str, Any] | bytes):
        self.data = b"".join(x if isinstance(x, bytes) else packed(x) for x in lines)
        self.heard: list[dict[str, Any]] = []

    def serve(self, listener: socket.socket) -> None:
        link, _ = listener.accept()
        with link:
            link.sendall(self.data)
            link.shutdown(socket.SHUT_WR)
            reader = FrameReader(MAX_BOT_BODY_BYTES)
            while data := link.recv(65_536):
                body = reader.read(data)
                while isinstance(body, bytes):
                    self.heard.append(msgpack.unpackb(body))
                    body = reader.read()


class Deaf(Server):
    """Waits for the hello, leaves it unread and goes: the bot's connection is reset."""

    def serve(self, listener: socket.socket) -> None:
        link, _ = listener.accept()
        with link:
            link.recv(1, socket.MSG_PEEK)


@contextmanager
def serving(server: Server, folder: Path) -> Iterator[str]:
    path = str(folder / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        with on_a_thread(server, listener):
            yield f"unix:{path}"


@contextmanager
def on_a_thread(server: Server, listener: socket.socket) -> Iterator[None]:
    thread = threading.Thread(target=server.serve, args=(listener,))
    thread.start()
    try:
        yield
    finally:
        thread.join()


def first(request: Request) -> str:
    answer: str = request["legal"][0]
    return answer


def test_a_bot_is_a_function_and_one_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """[2.3-1]: the token is sent unchanged."""
    server = Server(WELCOME, START, REQUEST, {**REQUEST, "id": 2}, END, DONE)
    # The second request comes before the first is answered: only a fault comes between.
    server.data = b"".join(
        packed(x)
        for x in (
            *(WELCOME, START, REQUEST),
            {"type": "fault", "id": 1, "text": "late"},
            *({**REQUEST, "id": 2}, {"type": "news"}, END, DONE),
        )
    )
    asked: list[object] = []

    def decide(request: Request) -> str:
        asked.append(request["id"])
        return first(request)

    with serving(server, tmp_path) as address:
        monkeypatch.setenv("ARENA_CONNECT", address)
        monkeypatch.setenv("ARENA_TOKEN", " tK3x== ")
        run(decide)
    hello, *answers = server.heard
    assert hello["token"] == " tK3x== "
    assert asked == [1, 2]
    assert answers == [
        {"type": "action", "match": "m-1", "id": 1, "action": "G2"},
        {"type": "action", "match": "m-1", "id": 2, "action": "G2"},
    ]
    assert capfd.readouterr().err == "FAULT: late\n"


def test_hooks_get_start_and_end_and_answers_may_carry_a_note(tmp_path: Path) -> None:
    seen: list[object] = []
    server = Server(WELCOME, START, REQUEST, END, DONE)
    with serving(server, tmp_path) as address:
        run(
            lambda request: ("G9", "why not"),
            version="1.2",
            author="Ada",
            on_start=seen.append,
            on_end=seen.append,
            connect=address,
            token="t",
        )
    assert seen == [START, END]
    hello, answer = server.heard
    assert hello == {
        "type": "hello",
        "protocol": 1,
        "token": "t",
        "version": "1.2",
        "author": "Ada",
        "language": "Python",
        "offers": [],
    }
    assert (answer["action"], answer["note"]) == ("G9", "why not")


def test_an_illegal_answer_is_sent_as_it_is_and_shown_to_the_author(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server = Server(WELCOME, START, REQUEST, END, DONE)
    with serving(server, tmp_path) as address:
        run(lambda request: "R7", connect=address, token="t")
    assert server.heard[1]["action"] == "R7"
    assert capfd.readouterr().err == (
        "Your bot answered 'R7', which is not legal here. Legal: G2, G9. "
        f"The request was: {REQUEST}\n"
    )


def test_an_exception_ends_the_bot_after_the_request_was_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with (
        serving(Server(WELCOME, START, REQUEST), tmp_path) as address,
        pytest.raises(ZeroDivisionError),
    ):
        run(lambda request: str(1 // 0), connect=address, token="t")
    shown = capfd.readouterr().err
    assert shown == f"Your bot failed to decide. The request was: {REQUEST}\n"


def test_an_answer_that_is_no_text_is_an_exception_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with (
        serving(Server(WELCOME, START, REQUEST), tmp_path) as address,
        pytest.raises(TypeError, match="a decision is a text, or a text and a note; got None"),
    ):
        run(lambda request: None, connect=address, token="t")  # type: ignore[arg-type, return-value]  # the author's mistake
    assert "failed to decide" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((WELCOME,), "The server closed the connection without a bye."),
        (
            ({**DONE, "reason": "bad-token", "text": "No entrant has this token."},),
            r"The server said bye \(bad-token\): No entrant has this token.",
        ),
        ((b"HTTP/1.1 400 Bad Request",), r"Lost the server: .*\(as text: \"HTTP\""),
        ((WELCOME, REQUEST), "Lost the server: .*This is a bug in the server, not in your bot"),
    ],
)
def test_what_ends_a_bot_is_told_in_a_sentence(
    tmp_path: Path, lines: tuple[Mapping[str, Any] | bytes, ...], words: str
) -> None:
    with (
        serving(Server(*lines), tmp_path) as address,
        pytest.raises(SystemExit, match=words),
    ):
        run(first, connect=address, token="t")


@pytest.mark.parametrize("reason", ["done", "stopping", "replaced"])
def test_a_bye_that_is_no_reproach_ends_the_bot_well_and_without_a_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], reason: str
) -> None:
    with serving(Server(WELCOME, to_builtins(farewell(reason))), tmp_path) as address:
        run(first, connect=address, token="t")
    assert capfd.readouterr().err == ""


def test_what_a_server_adds_to_such_a_bye_is_shown_to_the_author(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(Server(WELCOME, to_builtins(farewell("done", RETIRED))), tmp_path) as address:
        run(first, connect=address, token="t")
    assert capfd.readouterr().err == (
        "The server said bye (done): There are no more matches for you. The league has retired"
        " your bot; the people who run it may take it up again.\n"
    )


def test_a_connection_that_is_reset_is_told_in_a_sentence(tmp_path: Path) -> None:
    with (
        serving(Deaf(), tmp_path) as address,
        pytest.raises(SystemExit, match=r"Lost the server: .*reset"),
    ):
        run(first, connect=address, token="t")


@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "[::1]")]
)
def test_a_bot_dials_in_over_tcp(family: socket.AddressFamily, host: str) -> None:
    server = Server(WELCOME, DONE)
    with socket.socket(family) as listener:
        try:
            listener.bind((host.strip("[]"), 0))
        except OSError as error:
            pytest.skip(f"no {host} on this machine: {error}")
        listener.listen()
        with on_a_thread(server, listener):
            run(first, connect=f"tcp:{host}:{listener.getsockname()[1]}", token="t")
    assert [message["type"] for message in server.heard] == ["hello"]


@pytest.mark.parametrize(
    "address", ["http://x", "tcp:host", "tcp::5", "tcp:host:port", "tcp:host:65536", "unix"]
)
def test_an_address_that_is_none_is_told_with_what_was_expected(address: str) -> None:
    with pytest.raises(SystemExit) as caught:
        run(first, connect=address, token="t")
    assert str(caught.value) == (
        f"ARENA_CONNECT is {address!r}; expected unix:PATH, tcp:HOST:PORT, tls:HOST:PORT or"
        " wss://HOST/PATH (SPEC 2.2)."
    )


def test_a_server_that_is_not_there_is_told_with_its_address(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=f"Cannot connect to unix:{tmp_path}/none: "):
        run(first, connect=f"unix:{tmp_path}/none", token="t")


@pytest.mark.parametrize("host", ["a..b", "a" * 64])
def test_a_host_whose_name_is_none_is_told_with_its_address(host: str) -> None:
    with pytest.raises(SystemExit, match=f"Cannot connect to tcp:{host}:1: "):
        run(first, connect=f"tcp:{host}:1", token="t")


def test_a_token_that_is_not_utf8_is_told_with_what_was_expected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "\udcff")
    with pytest.raises(SystemExit) as caught:
        run(first, connect="unix:x")
    assert str(caught.value) == (
        "ARENA_TOKEN is '\\udcff', which is not UTF-8; expected the token of the bot, unchanged"
        " (SPEC 2.3)."
    )


@pytest.mark.parametrize(
    ("set_", "missing", "expected", "argument"),
    [
        (
            "TOKEN",
            "CONNECT",
            "unix:PATH, tcp:HOST:PORT, tls:HOST:PORT or wss://HOST/PATH (SPEC 2.2)",
            "connect",
        ),
        ("CONNECT", "TOKEN", "the token of the bot, unchanged (SPEC 2.3)", "token"),
    ],
)
def test_a_variable_that_is_not_set_is_told_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, set_: str, missing: str, expected: str, argument: str
) -> None:
    monkeypatch.setenv(f"ARENA_{set_}", "unix:x")
    monkeypatch.delenv(f"ARENA_{missing}", raising=False)
    with pytest.raises(SystemExit) as caught:
        run(first)
    assert str(caught.value) == (
        f"ARENA_{missing} is not set; expected {expected}. `arena` sets it for the bots it starts; "
        f"a bot that dials in sets it itself or passes {argument}= to run (SPEC 2.5)."
    )


def loaded_by(program: str) -> set[str]:
    """Names of the modules that a fresh interpreter has loaded after the program."""
    program = f"import sys; sys.path.insert(0, {ROOT!r}); {program}"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"{program}; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(done.stdout.split())


def test_a_bot_loads_neither_trio_nor_msgspec_nor_arena_nor_other_heavy_things() -> None:
    roots = {name.partition(".")[0] for name in loaded_by("import protocol")}
    roots -= {name.partition(".")[0] for name in loaded_by("pass")}
    assert {"protocol", "msgpack", "socket"} <= roots
    heavy = {"arena", "trio", "msgspec", "typing", "dataclasses", "inspect", "asyncio", "re"}
    assert roots & heavy <= set(), "msgpack or socket may have begun to load it"


def test_a_bot_whose_server_keeps_to_the_protocol_never_loads_the_table_of_codes() -> None:
    assert not loaded_by("import protocol") & {"protocol.breach", "protocol.codes"}


ROOT = str(Path(protocol.__file__).parent.parent)


def test_what_the_package_exports_is_what_it_says() -> None:
    assert set(protocol.__all__) == {
        "VERSION",
        "BotEnd",
        "Breached",
        "Misuse",
        "ProtocolError",
        "run",
    }
