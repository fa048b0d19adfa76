"""The Python sample bots as real programs, against a server's end on a real socket."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from arena.games import GAMES
from protocol.messages import Action, Bye, End, Fault, Hello, Start, Welcome
from protocol.server_end import ServerEnd

ROOT = Path(__file__).parent.parent.parent
BOTS = ROOT / "sample_bots"


class Table:
    """One bot's connection, spoken to one message after the other."""

    def __init__(self, link: socket.socket):
        self.link = link
        self.end = ServerEnd()

    def receive(self) -> object:
        what = self.end.receive()
        while what is None:
            data = self.link.recv(65_536)
            assert data, "the bot hung up"
            what = self.end.receive(data)
        return what

    def ask(self, match: str, view: dict[str, object], legal: list[str]) -> str:
        self.link.sendall(self.end.request(match, view, legal, 10_100_000, 0))
        answer = self.receive()
        assert isinstance(answer, Action)
        return answer.action


def play(name: str, *arguments: str, family: str = "unix", folder: Path) -> tuple[list[str], str]:
    """A match of every game on one connection; every answer, and the bot's stderr."""
    if family == "unix":
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(folder / "socket"))
        address = f"unix:{folder / 'socket'}"
    else:
        listener = socket.create_server(("127.0.0.1", 0))
        address = f"tcp:127.0.0.1:{listener.getsockname()[1]}"
    listener.listen()
    program = tomllib.loads((BOTS / name / "bot.toml").read_text())["command"][1]
    with (
        listener,
        subprocess.Popen(
            [sys.executable, program, *arguments],
            cwd=BOTS / name,
            env={
                **os.environ,
                "ARENA_CONNECT": address,
                "ARENA_TOKEN": "t",
                "PYTHONPATH": str(ROOT),
            },
            stderr=subprocess.PIPE,
            text=True,
        ) as bot,
    ):
        link, _ = listener.accept()
        with link:
            answers = converse(Table(link))
        _, errors = bot.communicate()
    assert bot.returncode == 0, errors
    return answers, errors


def converse(table: Table) -> list[str]:
    hello = table.receive()
    assert isinstance(hello, Hello)
    assert (hello.token, hello.language) == ("t", "Python")
    table.link.sendall(table.end.send(Welcome(1, "fox", (), {})))
    answers = []
    for name, game in GAMES.items():
        rng = random.Random(name)
        seats = game.seats[0]
        start = Start(name, name, {}, seats, (), 0, {}, "")
        table.link.sendall(table.end.send(start))
        state = game.deal(seats, bytes(32), {})
        while acting := state.to_act():
            for seat in acting:
                legal = state.legal(seat)
                names = [game.actions.name(code) for code in legal]
                if seat == 0:
                    answers.append(table.ask(name, state.view(seat), names))
                    state.apply(seat, game.actions.code(answers[-1]))
                else:
                    state.apply(seat, rng.choice(legal))
        fault = Fault(name, None, "out-of-turn", "x", "", "", None, 1, False, "only a test")
        table.link.sendall(table.end.send(fault))
        table.link.sendall(table.end.send(End(name, (), (), "void", (), ())))
    table.link.sendall(table.end.send(Bye("done", "That was all.")))
    return answers


@pytest.mark.slow
@pytest.mark.parametrize("family", ["unix", "tcp"])
@pytest.mark.parametrize("name", ["python-random", "python-bare"])
def test_a_sample_bot_plays_every_game_and_leaves_on_bye(
    name: str, family: str, tmp_path: Path
) -> None:
    answers, errors = play(name, family=family, folder=tmp_path)
    assert len(answers) > 4 * len(GAMES)
    assert errors.count("only a test\n") == len(GAMES)


@pytest.mark.slow
def test_a_seeded_bot_answers_the_same_to_the_same(tmp_path: Path) -> None:
    runs: list[list[str]] = []
    for seed in ("7", "7", "8"):
        folder = tmp_path / str(len(runs))
        folder.mkdir()
        answers, _ = play("python-random", seed, folder=folder)
        runs.append(answers)
    assert runs[0] == runs[1] != runs[2]


def test_the_bare_bot_uses_nothing_of_ours() -> None:
    text = (BOTS / "python-bare" / "bot.py").read_text()
    imports = [line.split()[1] for line in text.splitlines() if line.startswith(("import", "from"))]
    assert imports == ["os", "random", "socket", "sys", "time", "msgpack"]
