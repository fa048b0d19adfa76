"""The Python sample bots as real programs, against a server's end on a real socket; and the starter
as its author has it: copied, with its own tests and its types."""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest

from arena.cli.new_bot import STARTERS, make
from arena.games import GAMES
from protocol.messages import Action, Bye, End, Fault, Hello, Start, Welcome
from protocol.server_end import ServerEnd
from tests.sample_bots.languages import STARTER_ROWS, Idea

ROOT = Path(__file__).parent.parent.parent
BOTS = ROOT / "sample_bots"

# Nothing here takes as long.
SECONDS = 60


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


def play(name: str, family: str, folder: Path) -> tuple[list[str], str]:
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
            [sys.executable, program],
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
    answers, errors = play(name, family, tmp_path)
    assert len(answers) > 4 * len(GAMES)
    assert errors.count("only a test\n") == len(GAMES)


def test_the_bare_bot_uses_nothing_of_ours() -> None:
    text = (BOTS / "python-bare" / "bot.py").read_text()
    imports = [line.split()[1] for line in text.splitlines() if line.startswith(("import", "from"))]
    assert imports == ["os", "random", "socket", "sys", "time", "msgpack"]


def told_by(name: str, **env: str) -> str:
    """What a bot prints that cannot play, with these variables and no others of ours."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ARENA_")}
    done = subprocess.run(
        [sys.executable, "bot.py"],
        cwd=BOTS / name,
        env={**kept, "PYTHONPATH": str(ROOT), **env},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 1
    assert not done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


TOKEN = {"ARENA_TOKEN": "t"}
# The addresses that each can dial.
DIALS = {
    "python-random": "unix:PATH, tcp:HOST:PORT, tls:HOST:PORT or wss://HOST/PATH",
    "python-bare": "unix:PATH or tcp:HOST:PORT",
}


@pytest.mark.parametrize("name", ["python-random", "python-bare"])
@pytest.mark.parametrize(
    ("env", "words"),
    [
        (TOKEN, "ARENA_CONNECT is not set; expected {addresses}"),
        ({"ARENA_CONNECT": "unix:x"}, "ARENA_TOKEN is not set; expected the token"),
        ({**TOKEN, "ARENA_CONNECT": "fox"}, "ARENA_CONNECT is 'fox'; expected {addresses}"),
        ({**TOKEN, "ARENA_CONNECT": "tcp:h:65536"}, "ARENA_CONNECT is 'tcp:h:65536'; expected"),
        ({**TOKEN, "ARENA_CONNECT": "unix:/no/one"}, "to unix:/no/one: [Errno 2] No such file"),
        ({**TOKEN, "ARENA_CONNECT": "tcp:127.0.0.1:1"}, "to tcp:127.0.0.1:1: [Errno 111] "),
        ({**TOKEN, "ARENA_CONNECT": "tcp:a..b:1"}, "to tcp:a..b:1: "),
        (
            {"ARENA_CONNECT": "unix:x", "ARENA_TOKEN": "\udcff"},
            "ARENA_TOKEN is '\\udcff', which is not UTF-8; expected the token",
        ),
        (
            {**TOKEN, "ARENA_CONNECT": "unix:x", "ARENA_RETRY_S": "x"},
            "ARENA_RETRY_S is 'x'; expected a number of seconds",
        ),
    ],
)
def test_what_is_wrong_with_the_environment_is_told_in_words(
    name: str, env: dict[str, str], words: str
) -> None:
    assert words.format(addresses=DIALS[name]) in told_by(name, **env)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"HTTP/1.1 400", "a frame of 1213486160 bytes came, and SPEC 8 allows 16384"),
        (b"\0\0\0\1\xc1", "a body came that cannot be read: "),
        (b"\0\0\0\1\x90", "a body came that is not a map: []"),
        (b"\0\0\0\1", "the server closed the connection without a bye"),
    ],
)
def test_the_bare_bot_tells_what_came_where_no_server_is(said: bytes, words: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            link, _ = listener.accept()
            with link:
                link.recv(65_536)
                link.sendall(said)

        serving = threading.Thread(target=serve)
        serving.start()
        address = f"tcp:127.0.0.1:{listener.getsockname()[1]}"
        told = told_by("python-bare", ARENA_CONNECT=address, **TOKEN)
        serving.join()
    assert told.startswith(f"lost the server: {words}")


# ---- the starter ------------------------------------------------------------------------------


@pytest.fixture
def fox(tmp_path: Path) -> Path:
    """A new bot, as `arena new-bot --language python` makes it."""
    make(STARTERS["python"], tmp_path / "fox")
    return tmp_path / "fox"


def own_tests(folder: Path, **env: str) -> tuple[bool, str]:
    """Whether a bot's own tests pass, as its author runs them, and what they print."""
    kept = {key: value for key, value in os.environ.items() if key != "ARENA_VECTORS"}
    done = subprocess.run(
        [sys.executable, "-m", "unittest"],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **env},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    return done.returncode == 0, done.stderr


def test_the_starters_own_tests_pass_where_it_lies_and_as_copied(fox: Path) -> None:
    for folder in (BOTS / "python-random", fox):
        passed, said = own_tests(folder)
        assert passed, said
        assert "Ran 5 tests" in said


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("following", '"may_play": ["Y2"]', '"may_play": ["B7"]'),
        ("tricks", '"taken_by": 3', '"taken_by": 2'),
        ("showing", '"colours": "RG"', '"colours": "RB"'),
    ],
)
def test_the_starters_own_tests_notice_a_wrong_vector(
    fox: Path, file: str, before: str, after: str
) -> None:
    path = fox / "vectors" / f"{file}.json"
    text = re.sub(r'\[\s+("\w+")\s+\]', r"[\1]", path.read_text())
    assert before in text
    path.write_text(text.replace(before, after, 1))
    passed, said = own_tests(fox)
    assert not passed
    assert "FAILED (failures=1)" in said


def test_the_starters_own_tests_fail_without_vectors_and_say_where_they_looked(fox: Path) -> None:
    shutil.rmtree(fox / "vectors")
    passed, said = own_tests(fox)
    assert not passed
    assert f"no folder of vectors at {fox}/vectors or " in said
    passed, said = own_tests(fox, ARENA_VECTORS="/nowhere")
    assert not passed
    assert "no folder of vectors at /nowhere; copy `protocol/vectors` of arena there" in said


# An idea that reads the view, as an author has it first; and the second example by its one line.
FIRST_IDEA = Idea(
    "decide.py",
    '    return random.choice(request["legal"])\n',
    """\
    view, legal = request["view"], request["legal"]
    if view["game"] != "nope" and view["phase"] == "play":
        return max(legal, key=lambda card: int(card[1:]))
    return random.choice(legal)
""",
)
(HIGH,) = (row.idea for row in STARTER_ROWS if row.folder == "python-random")
assert HIGH is not None


@pytest.mark.parametrize("idea", [FIRST_IDEA, HIGH], ids=["first", "high"])
def test_an_idea_keeps_the_starters_own_tests_green(fox: Path, idea: Idea) -> None:
    text = (fox / idea.file).read_text()
    assert text.count(idea.before) == 1
    (fox / idea.file).write_text(text.replace(idea.before, idea.after))
    passed, said = own_tests(fox)
    assert passed, said


def test_the_other_bot_of_the_rule_of_thumb_is_the_starter_with_that_line() -> None:
    def imports(name: str) -> list[str]:
        text = (BOTS / name / "bot.py").read_text()
        return [line for line in text.splitlines() if line.startswith("from ")]

    assert HIGH is not None
    changed = [line.replace(HIGH.before, HIGH.after) for line in imports("python-random")]
    assert changed == imports("python-high")


NARROWED = """
from typing import assert_type
from views import Demand, NopeChooseView, NopeLayView, NopeOverView, NopeSetView, Request, View

def look(request: Request) -> None:
    view = request["view"]
    if view["game"] == "nope":
        assert_type(view, NopeLayView | NopeSetView | NopeChooseView | NopeOverView)
        if view["phase"] == "lay":
            assert_type(view["demand"], Demand)
        else:
            assert_type(view["demand"], Demand | None)
    elif view["phase"] == "play":
        assert_type(view["trump"], str)
        assert_type(view["points"], int)
        assert_type(view["team"], list[int])
    elif view["phase"] == "tokens":
        assert_type(view["trump"], str | None)
"""


@pytest.mark.slow
def test_the_starter_and_its_views_hold_under_mypy_strict(fox: Path, tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api", reason="mypy comes with the extra `dev`")
    (fox / "look.py").write_text(NARROWED)
    options = ["--strict", "--cache-dir", str(tmp_path / "cache"), "--config-file="]
    files = [str(fox / name) for name in ("bot.py", "look.py")]
    said, errors, code = api.run([*options, *files])
    assert (code, errors) == (0, ""), said
    wrong = NARROWED.replace("str)", "str | None)", 1)
    (fox / "look.py").write_text(wrong)
    said, _, code = api.run([*options, *files])
    assert code == 1
    assert "assert-type" in said


def test_no_python_bot_changes_where_modules_are_found() -> None:
    for file in BOTS.glob("python-*/**/*.py"):
        assert "sys.path" not in file.read_text(), file
