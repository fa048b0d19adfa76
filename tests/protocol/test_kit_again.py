"""The kit dials again where that is of use, and only if it is told to (SPEC 2.5)."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from protocol import run
from tests.protocol.test_kit import DONE, REQUEST, START, WELCOME, Server, on_a_thread


class Several:
    """Servers one after the other at one address."""

    def __init__(self, *servers: Server):
        self.servers = servers

    def serve(self, listener: socket.socket) -> None:
        for server in self.servers:
            server.serve(listener)


def bye(reason: str) -> Mapping[str, Any]:
    return {"type": "bye", "reason": reason, "text": f"it is {reason}"}


def play(folder: Path, *servers: Server, again_seconds: float | None = 0) -> None:
    path = str(folder / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        with on_a_thread(Several(*servers), listener):  # type: ignore[arg-type]  # it serves too
            run(
                lambda request: str(request["legal"][0]),
                connect=f"unix:{path}",
                token="t",
                again_seconds=again_seconds,
            )


@pytest.mark.parametrize("reason", ["stopping", "hung", "token-in-use"])
def test_after_a_bye_that_allows_it_a_bot_comes_again(
    tmp_path: Path, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = Server(WELCOME, bye(reason)), Server(WELCOME, START, REQUEST, DONE)
    play(tmp_path, first, second)
    assert [message["type"] for message in second.heard] == ["hello", "action"]
    told = capsys.readouterr().err.splitlines()
    assert told == [f"The server said bye ({reason}): it is {reason} Trying again in 0 s."]


def test_a_lost_connection_is_made_again_and_ids_begin_anew(tmp_path: Path) -> None:
    lost, second = Server(WELCOME, START, REQUEST), Server(WELCOME, START, REQUEST, DONE)
    play(tmp_path, lost, second)
    assert [message["type"] for message in second.heard] == ["hello", "action"]


def test_a_refusal_ends_it_with_its_text(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"The server said bye \(bad-token\): it is bad-token"):
        play(tmp_path, Server(bye("bad-token")))


def test_without_seconds_a_bot_ends_with_its_connection(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="closed the connection without a bye"):
        play(tmp_path, Server(WELCOME), again_seconds=None)


def test_a_server_that_is_not_there_yet_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here it comes up while the bot waits for its next try."""
    server = Server(WELCOME, DONE)
    waited: list[float] = []
    with ExitStack() as held:
        listener = held.enter_context(socket.socket(socket.AF_UNIX))

        def sleep(seconds: float) -> None:
            waited.append(seconds)
            listener.bind(str(tmp_path / "socket"))
            listener.listen()
            held.enter_context(on_a_thread(server, listener))

        monkeypatch.setattr("time.sleep", sleep)
        monkeypatch.setenv("ARENA_RETRY_S", "7")
        run(lambda request: "", connect=f"unix:{tmp_path / 'socket'}", token="t")
    assert waited == [7]
    assert [message["type"] for message in server.heard] == ["hello"]


def test_seconds_that_are_no_number_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_RETRY_S", "soon")
    with pytest.raises(SystemExit, match="ARENA_RETRY_S is 'soon'; expected a number of seconds"):
        run(lambda request: "", connect="unix:/nowhere", token="t")
