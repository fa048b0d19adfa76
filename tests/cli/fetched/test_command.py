"""`arena evidence`, at the real door of a referee."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import msgspec
import pytest
import trio

from arena.cli.fetched import door
from arena.cli.fetched.told import lines
from arena.json_formats import EVIDENCE
from arena.referee.door import lobby as lobby_module
from arena.referee.door.evidence import (
    EvidencePage,
    EvidenceSource,
    KeptFault,
    told_fault_evidence,
)
from arena.tokens import KnownToken
from tests.cli.json_schemas import misfits
from tests.cli.test_main import run
from tests.helpers import packed
from tests.referee.callers import a_lobby
from tests.referee.door.test_evidence import FAULT

TOKEN = "tK3x"
EVIDENCE_MESSAGE = msgspec.to_builtins(
    told_fault_evidence(KeptFault("3.0.0", "3.1", FAULT), more=False)
)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits between two askings, and the environment names no league."""
    monkeypatch.setattr(door, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(lobby_module, "EVIDENCE_PAUSE_SECONDS", 0)
    for name in ("ARENA_CONNECT", "ARENA_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def a_door(folder: Path, source: EvidenceSource) -> Iterator[Path]:
    """The file for the author of a bot, whose league is open meanwhile in a thread."""
    file = folder / "fox.env"
    is_open, is_over = Event(), Event()

    async def keep_open() -> None:
        async with a_lobby(folder, evidence=source) as lobby:
            lobby.expect("fox", KnownToken.of(TOKEN), dials_in=True)
            file.write_text(f"# For fox\nARENA_CONNECT={lobby.addresses[0]}\nARENA_TOKEN={TOKEN}\n")
            is_open.set()
            await trio.to_thread.run_sync(is_over.wait)

    thread = Thread(target=trio.run, args=(keep_open,))
    thread.start()
    assert is_open.wait(10)
    try:
        yield file
    finally:
        is_over.set()
        thread.join()


def kept(*faults: str) -> EvidencePage:
    """Faults at these places."""
    return EvidencePage(
        tuple(KeptFault(at, f"{at.partition('.')[0]}.1", FAULT) for at in faults), more=True
    )


PAGES = {
    "": kept("3.0.0", "3.0.1"),
    "3.0.1": kept("9.0.0"),
    "9.0.0": msgspec.structs.replace(kept("12.0.0"), more=False),
    "12.0.0": EvidencePage(()),
}


async def source(name: str, after: str) -> EvidencePage:
    assert name == "fox"
    if after not in PAGES:
        raise ValueError(f"No evidence stands at {after!r}")
    return PAGES[after]


def test_all_pages_are_fetched_and_told(tmp_path: Path) -> None:
    with a_door(tmp_path, source) as file:
        code, output = run("evidence", str(file))
        assert code == 0
        told = output.splitlines()
        assert told[:8] == [
            "match 3.1, seat 1, move 12: illegal (not-legal)",
            "  you played Q9",
            '  request:  {"type":"request", "match":"m-1", "id":3, "view":{"hand":["R1"],'
            ' "turn":0},',
            '            "legal":["R1", "R2"], "time_us":10100000, "charged_us":0}',
            '  reply:    {"action":"Q9"}',
            "  as hex:   81 a6 61 63 74 69 6f 6e a2 51 39",
            "  clock:    0.412 of 10100.000 ms",
            "  played:   R1, in its place",
        ]
        assert [line.split(",")[0] for line in told if line.startswith("match")] == [
            "match 3.1",
            "match 3.1",
            "match 9.1",
            "match 12.1",
        ]
        assert told[-1] == ("4 faults in complete sets; --after 12.0.0 shows only what comes later")
        assert run("evidence", str(file), "--after", "12.0.0")[1] == (
            "0 faults in complete sets; --after 12.0.0 shows only what comes later\n"
        )


def test_of_a_fault_for_which_nothing_was_played_no_action_is_told() -> None:
    one = told_fault_evidence(KeptFault("3.0.0", "3.1", FAULT), more=False)
    assert [line for line in lines(one) if "in its place" in line]
    nothing = msgspec.structs.replace(one, played="")
    assert [*lines(nothing)] == [line for line in lines(one) if "in its place" not in line]


def test_json_is_one_document_that_says_where_to_go_on(tmp_path: Path) -> None:
    with a_door(tmp_path, source) as file:
        for after, places in (
            ((), ["3.0.0", "3.0.1", "9.0.0", "12.0.0"]),
            (("--after", "9.0.0"), ["12.0.0"]),
            (("--after", "12.0.0"), []),
        ):
            code, output = run("evidence", str(file), "--json", *after)
            assert code == 0
            found = json.loads(output)
            assert misfits(EVIDENCE, found) == []
            assert [one["at"] for one in found["evidence"]] == places
            assert found["next"] == "12.0.0"
        assert found["evidence"] == []


def test_address_and_token_come_from_the_environment_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_door(tmp_path, source) as file:
        address = file.read_text().splitlines()[1].partition("=")[2]
        monkeypatch.setenv("ARENA_TOKEN", TOKEN)
        code, output = run("evidence", address)
        assert (code, output.count("match ")) == (0, 4)
        monkeypatch.setenv("ARENA_CONNECT", address)
        assert run("evidence") == (0, output)
        monkeypatch.setenv("ARENA_TOKEN", "another")
        code, output = run("evidence")
        assert (code, "says bye (bad-token): No entrant has this token." in output) == (1, True)
        assert "another" not in output


def test_the_lines_of_an_invitation_may_be_saved_as_they_were_printed(tmp_path: Path) -> None:
    with a_door(tmp_path, source) as file:
        lines = file.read_text().splitlines()
        file.write_text("".join(f"  {line}\n" for line in lines))
        assert run("evidence", str(file), "--after", "12.0.0")[0] == 0


def test_a_long_reply_is_told_as_far_as_it_came(tmp_path: Path) -> None:
    long = msgspec.structs.replace(FAULT, reply=b"\xc1" * 3_000, request=b"", came="\x1b[31m")

    async def one(name: str, after: str) -> EvidencePage:
        return EvidencePage((KeptFault("3.0.0", "3.1", long),))

    with a_door(tmp_path, one) as file:
        _, output = run("evidence", str(file))
    assert " c1 ... (3000 bytes)\n" in output
    assert "request:" not in output
    assert "\x1b" not in output


def test_a_place_that_is_none_and_a_league_that_is_asked_too_often_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_door(tmp_path, source) as file:
        code, output = run("evidence", str(file), "--after", "1.2")
        assert (code, "No evidence stands at '1.2' (SPEC 2.7)." in output) == (1, True)
        monkeypatch.setattr(lobby_module, "EVIDENCE_PAUSE_SECONDS", 1000)
        code, output = run("evidence", str(file))
        assert (code, "says bye (too-soon)" in output) == (1, True)


def test_what_was_fetched_before_an_error_is_printed_and_how_it_goes_on(tmp_path: Path) -> None:
    async def breaks(name: str, after: str) -> EvidencePage:
        if after:
            raise RuntimeError("the league cannot be read")
        return PAGES[""]

    with a_door(tmp_path, breaks) as file:
        code, output = run("evidence", str(file))
        assert (code, output.count("match 3.1")) == (1, 2)
        assert "says bye (server-error): A bug in arena; it costs you nothing." in output
        assert output.endswith("; --after 3.0.1 shows only what comes later\n")
        code, output = run("evidence", str(file), "--json")
        assert code == 1
        document, _ = json.JSONDecoder().raw_decode(output)
        assert (len(document["evidence"]), document["next"]) == (2, "3.0.1")


def test_what_is_missing_or_misspelt_is_a_usage_error(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("hello\n=\n")
    for arguments, words in (
        ((), "ARENA_CONNECT is not in the environment"),
        ((str(other),), f"ARENA_CONNECT is not in {other}"),
        (("tcp:127.0.0.1:4000",), "the token of your bot is missing: set ARENA_TOKEN"),
        (("fox.evn",), "'fox.evn' is no file here, and no address such as tcp:HOST:PORT"),
        (("tcp:127.0.0.1:99999",), "is no file here, and no address such as tcp:HOST:PORT"),
    ):
        code, output = run("evidence", *arguments)
        assert (code, words in " ".join(output.split())) == (2, True), output


def test_nobody_at_the_door_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", TOKEN)
    for address in (f"unix:{tmp_path / 'nowhere'}", "tcp:127.0.0.1:1"):
        code, output = run("evidence", address)
        assert code == 1
        assert f"Error: {address}: " in output
        assert "A league tells evidence while it runs" in output


def test_a_server_that_says_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", TOKEN)
    monkeypatch.setattr(door, "PATIENCE_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"tcp:127.0.0.1:{listener.getsockname()[1]}"
        code, output = run("evidence", address)
    assert (code, output) == (1, f"Error: {address} did not answer in 0 s\n")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"", "closed the connection without a bye"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "speaks no protocol of arena"),
        (packed({"kind": "welcome"}), "speaks no protocol of arena"),
        (packed({"type": "evidence", "at": 7}), "speaks no protocol of arena"),
        (packed({**EVIDENCE_MESSAGE, "reply": "xy"}), "speaks no protocol of arena"),
        (packed({"type": "later"}), "closed the connection without a bye"),
        (
            packed({"type": "bye", "reason": "\x1b[31m", "text": "\x1b"}),
            "says bye (\N{REPLACEMENT CHARACTER}",
        ),
        (
            packed({"type": "welcome", "protocol": 1, "name": "fox", "offers": [], "limits": {}}),
            "is of a version that tells no evidence",
        ),
    ],
)
def test_another_kind_of_server_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes, words: str
) -> None:
    monkeypatch.setenv("ARENA_TOKEN", TOKEN)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            link, _ = listener.accept()
            with link:
                link.recv(4096)
                link.sendall(answer)

        thread = Thread(target=serve)
        thread.start()
        code, output = run("evidence", f"tcp:127.0.0.1:{listener.getsockname()[1]}")
        thread.join()
    assert (code, words in output) == (1, True), output
    assert "\x1b" not in output
