"""Whole checks, frame by frame, of bots that are tasks of this process; see `mistakes`."""

from __future__ import annotations

import socket
from pathlib import Path

import msgpack
import pytest
import trio.testing

from arena.check.findings import Severity
from protocol import limits
from tests.check import mistakes
from tests.check.mistakes import MISTAKES, Mistake, as_text, check_of, known, script
from tests.check.small_check import BotSide, small_check


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name.replace(" ", "-"))
async def test_of_each_mistake_all_is_told_that_is_found(
    mistake: Mistake, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    assert as_text(mistake, await check_of(mistake, tmp_path)) == known()[mistake.name]


def test_nothing_else_is_told() -> None:
    assert [*known()] == [mistake.name for mistake in MISTAKES]


async def test_a_bot_without_mistakes_is_sent_the_same_each_time(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    assert await script(tmp_path) == (mistakes.FOLDER / "script.txt").read_text()


async def test_a_short_token_that_is_encoded_twice_is_told_as_such_too(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.check.steps.hellos.ODD_TOKEN", "\u00e9")
    check = await small_check(mistakes.encodes_twice, tmp_path, title="token unchanged")
    (finding,) = check.findings
    assert finding.what == "the token in hello was encoded as UTF-8 twice"
    assert finding.sent == "ARENA_TOKEN='\u00e9'"
    assert str(check.processes[-1].exit) == "exit code 0"


async def test_kinds_of_decision_that_did_not_come_up_are_noted(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.check.steps.play.MOST_ATTEMPTS", 0)
    check = await small_check(mistakes.plays_well, tmp_path, title="nope: every kind")
    (finding,) = check.findings
    assert (finding.severity, finding.section) == (Severity.NOTE, "10.2")
    assert finding.what == (
        "nope: it met no decision of these kinds: draw, action card alone, choose, choose, with a"
        " colour; its own play did not lead there"
    )


async def test_the_tap_sees_tokens_frames_and_reads(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    seen: list[tuple[str, bytes]] = []
    check = await small_check(
        mistakes.plays_well,
        tmp_path,
        title="it starts",
        tap=lambda way, data: seen.append((way, data)),
    )
    (token,) = check.tokens
    hello, welcome = seen[1][1], seen[2][1]
    assert seen == [("token", token.encode()), ("came", hello), ("sent", welcome)]
    assert msgpack.unpackb(hello[4:])["token"] == token
    assert msgpack.unpackb(welcome[4:]) == {
        "type": "welcome",
        "protocol": 1,
        "name": "task",
        "offers": [],
        "limits": {**limits.LIMITS_BY_NAME},
    }


async def test_a_start_tells_the_names_the_clock_and_a_commitment(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    starts: list[dict[str, object]] = []

    async def play(side: BotSide) -> int:
        await side.say_hello()
        while (message := await side.hear()) is not None:
            if message["type"] == "start":
                starts.append(message)
            if message["type"] == "request":
                await side.answer(message)
        return 0

    await small_check(play, tmp_path, games=("njet",), title="it plays a match")
    (start,) = starts
    assert start["names"] == ["seat 0", "seat 1"]
    assert start["commitment"] == "c0ffee" * 10 + "c0de"
    assert start["clock"] == {
        "decision_ms": 100,
        "bank_ms": 10_000,
        "hang_ms": 5_000,
        "faults_to_forfeit": 100,
    }


async def test_over_tcp_nothing_waits_for_an_acknowledgement(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    options = {}
    for kind in ("unix", "tcp"):
        check = await small_check(mistakes.plays_well, tmp_path, connect=(kind,), title="it starts")
        options[kind] = check.pipes[0].options
    assert options == {
        "unix": [],
        "tcp": [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
    }


@pytest.mark.parametrize(
    ("hello", "later", "reason", "words"),
    [
        ({"protocol": 2}, b"", "bad-version", "You said protocol 2"),
        ({"token": "another"}, b"", "bad-token", "Send what ARENA_TOKEN holds"),
        ({"colour": "red"}, b"", "bad-hello", "unknown-field"),
        ({"type": "action"}, b"", "bad-hello", "unknown-field"),
        ({}, b"HTTP/1.1 200 OK\r\n\r\n", "frame-too-long", "1213486160"),
    ],
)
async def test_a_bot_is_told_bye_with_the_reason_before_it_is_ended(
    hello: dict[str, object],
    later: bytes,
    reason: str,
    words: str,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
) -> None:
    """As by a referee (SPEC 3.2, 4.1). What it prints about that is shown with the finding."""
    byes: list[dict[str, object]] = []

    async def play(side: BotSide) -> int:
        await side.say_hello(**hello)
        while (message := await side.hear()) is not None:
            if message["type"] == "request" and later:
                await side.send(later)
            if message["type"] == "bye":
                byes.append(message)
                side.process.stderr = f"refused: {message['reason']}".encode()
                return 1
        return 0

    check = await small_check(play, tmp_path, title="it plays a match" if later else "it starts")
    (bye,) = byes
    assert bye["reason"] == reason
    assert words in str(bye["text"])
    (finding,) = check.findings
    assert finding.output == f"refused: {reason}"


async def test_a_bot_that_connects_and_says_nothing_is_told_so(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    byes: list[object] = []

    async def play(side: BotSide) -> int:
        await side.dial()
        message = await side.hear()
        assert message is not None
        byes.append(message["reason"])
        return 1

    await small_check(play, tmp_path, title="it starts")
    assert byes == ["no-hello"]
