"""Orders to a league while it is played: by the commands, with real processes over TCP."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena import data
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from tests.cli.control.test_comings_and_goings import done, free_port
from tests.cli.test_main import run
from tests.league.running import ARENA, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.alone]

PATIENCE_SECONDS = 60
NEWT = data.sample_bots() / "python-random" / "bot.py"
# A bot that writes the file ASKED when it is first asked, and answers once there is no file HELD.
WAITING = """
import os, pathlib, time
from protocol import run

def decide(request):
    pathlib.Path(os.environ["ASKED"]).touch()
    while pathlib.Path(os.environ["HELD"]).exists():
        time.sleep(0.01)
    return request["legal"][0]

run(decide)
"""
BARE = data.sample_bots() / "python-bare"


class Ladder:
    """A ladder of two started bots, with an address for others."""

    def __init__(self, folder: Path, more: str = "") -> None:
        self.file = folder / "cup.toml"
        self.home = folder / "cup.arena"
        self.head = (
            f'game = "nope"\nseats = 2\nformat = "ladder"\nduplicate = false\nsets = 1000000\n'
            f'listen = "tcp:127.0.0.1:{free_port()}"\n{more}\n[options]\nmax_turns = 4\n'
        )
        self.write("ant", "bee")

    def write(self, *names: str) -> None:
        bots = [f'[[bots]]\nname = "{name}"\nsample = "python-random"\n' for name in names]
        self.file.write_text(self.head + "".join(bots))

    @contextmanager
    def playing(self) -> Iterator[subprocess.Popen[str]]:
        with subprocess.Popen(
            [*ARENA, "league", str(self.file), "--no-pages"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            try:
                self.wait(lambda: self.home.joinpath("control.sock").exists())
                yield process
            finally:
                process.kill()

    def stop(self, process: subprocess.Popen[str]) -> str:
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 130, said
        assert done("verify", str(self.file)).startswith("all fits")
        return said

    def wait(self, condition: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert time.monotonic() < until
            time.sleep(0.02)

    def matches(self) -> Counter[str]:
        """How many matches each bot has played."""
        with Reader.read(self.home / DATABASE) as store:
            return Counter(
                name
                for _, event in store.events()
                if event["event"] == "match"
                for name in event["bots"]
            )

    def faults(self) -> int:
        with Reader.read(self.home / DATABASE) as store:
            return sum(len(each["forfeits"]) for _, each in store.events() if "forfeits" in each)

    def plays(self, name: str, more: int = 3) -> None:
        """Wait until a bot has played some matches more."""
        before = self.matches()[name]
        self.wait(lambda: self.matches()[name] >= before + more)


def dial(said: str, bot: Path = NEWT, **more: str) -> subprocess.Popen[str]:
    """Start a bot with the lines that its author was sent. `more`: for its environment."""
    lines = [line for line in said.splitlines() if line.startswith("ARENA_")]
    env = {**os.environ, **dict(line.split("=", 1) for line in lines), **more}
    return subprocess.Popen(
        [sys.executable, str(bot)], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True,
    )  # fmt: skip


def left(bot: subprocess.Popen[str]) -> str:
    """What a bot said before it ended by itself."""
    said, _ = bot.communicate(timeout=PATIENCE_SECONDS)
    return said


def make_bot(folder: Path, name: str, build: str) -> None:
    """Write a bot with a build. `build`: a command line for sh."""
    shutil.copytree(BARE, folder, dirs_exist_ok=True)
    file = folder / "bot.toml"
    text = BARE.joinpath("bot.toml").read_text().replace("python-bare", name)
    file.write_text(f'build = ["sh", "-c", "{build}"]\n{text}')


def test_a_bot_that_was_retired_before_a_run_is_told_as_retired_and_no_more(
    tmp_path: Path,
) -> None:
    cup = Ladder(tmp_path)
    league = str(cup.file)
    with cup.playing():
        cup.plays("ant")
        done("invite", league, "newt")
        done("retire", league, "newt")
    with cup.playing():
        cup.plays("ant")
        assert "newt dials in, and is retired\n" in done("who", league)


def test_a_bot_is_invited_revoked_renewed_and_retired_while_the_league_is_played(
    tmp_path: Path,
) -> None:
    cup = Ladder(tmp_path)
    league = str(cup.file)
    with cup.playing() as process:
        cup.plays("ant")
        said = done("invite", league, "newt", "--owner", "ann")
        assert "newt dials in, and was never here" in done("who", league)
        newt = dial(said)
        cup.plays("newt")
        assert "newt dials in, and is here" in done("who", league)

        assert "revoked" in done("tokens", league, "--revoke", "newt")
        assert "bad-token" in left(newt)
        assert "newt dials in, and has been away for" in done("who", league)
        cup.plays("ant")

        newt = dial(done("tokens", league, "--renew", "newt"))
        cup.plays("newt")
        assert "newt is retired" in done("retire", league, "newt")
        assert "The league has retired your bot" in left(newt)
        assert newt.returncode == 0
        count = cup.matches()["newt"]
        cup.plays("ant")
        assert cup.matches()["newt"] == count

        assert "newt takes part again" in done("admit", league, "newt")
        newt = dial(done("tokens", league, "--renew", "newt"))
        cup.plays("newt")
        cup.stop(process)
        newt.kill()
        assert "stopping" in left(newt)  # in the middle of a match
    # Only a match in play, of the token that was revoked, may have been forfeited.
    assert cup.faults() <= 1


def test_a_bot_is_admitted_by_command_and_another_by_the_file_while_the_league_is_played(
    tmp_path: Path,
) -> None:
    cup = Ladder(tmp_path, more="jobs = 2\nat_once = 1")
    league = str(cup.file)
    with cup.playing() as process:
        cup.plays("ant")
        assert "cow is admitted" in done("admit", league, "cow", "--path", str(BARE))
        cup.plays("cow")
        cup.write("ant", "bee", "dog")
        assert "dog is admitted" in done("admit", league)
        cup.plays("dog")
        assert done("admit", league) == "cup.toml has nothing new\n"
        cup.head = cup.head.replace("jobs = 2", "jobs = 1")
        cup.write("ant", "bee", "dog")
        told = "`jobs` has changed: it will count when the league is started again\n"
        assert done("admit", league) == told
        listening = cup.head
        cup.head = cup.head.replace("tcp:127.0.0.1", "tcp:127.0.0.2")
        cup.write("ant", "bee", "dog")
        assert done("admit", league) == told.replace("jobs", "listen")
        cup.head = listening
        cup.write("ant", "bee", "dog")
        assert done("admit", league) == "cup.toml has nothing new\n"
        assert "ant is retired" in done("retire", league, "ant")
        cup.stop(process)
    with cup.playing() as process:
        cup.plays("cow", more=20)  # meanwhile a set that had begun with it is played to its end
        count = cup.matches()["ant"]
        cup.plays("cow")
        cup.plays("dog")
        assert cup.matches()["ant"] == count
        cup.stop(process)
    assert cup.faults() == 0
    assert (cup.home / "referee.log").read_text() == ""


def test_a_bot_that_cannot_be_built_is_retired_and_disturbs_nobody(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    make_bot(broken, "broken", "false")
    cup = Ladder(tmp_path)
    league = str(cup.file)
    with cup.playing() as process:
        cup.plays("ant")
        code, said = run("admit", league, "broken", "--path", str(broken))
        again = f"`arena admit {cup.file.with_suffix('')} broken`"
        assert code == 1
        assert said.startswith("Error: the build of 'broken' failed")
        assert f"broken was admitted, and is retired again; once mended: {again}\n" in said
        code, said = run("admit", league, "wrong", "--command", "nosuchprogram x")
        assert (code, "The command stands in `arena admit` of wrong." in said) == (1, True)
        cup.plays("ant")
        cup.stop(process)
    assert cup.faults() == 0
    assert not cup.matches()["broken"]


def test_a_bot_that_was_retired_before_a_run_is_made_when_it_is_taken_up_again(
    tmp_path: Path,
) -> None:
    cup = Ladder(tmp_path)
    cup.write("ant", "bee", "cow")
    league = str(cup.file)
    with cup.playing() as process:
        cup.plays("cow")
        done("retire", league, "cow")
        cup.plays("ant")
        cup.stop(process)
    with cup.playing() as process:
        cup.plays("ant")
        assert done("admit", league, "cow") == "cow takes part again\n"
        cup.plays("cow")
        assert "bug" not in cup.stop(process)
    assert (cup.home / "referee.log").read_text() == ""


def test_a_bot_that_could_not_be_made_is_tried_again_when_it_is_taken_up_again(
    tmp_path: Path,
) -> None:
    broken = tmp_path / "broken"
    make_bot(broken, "broken", "false")
    cup = Ladder(tmp_path)
    league = str(cup.file)
    with cup.playing() as process:
        cup.plays("ant")
        run("admit", league, "broken", "--path", str(broken))
        code, said = run("admit", league, "broken")
        assert (code, said.startswith("Error: the build of 'broken' failed")) == (1, True)
        cup.plays("ant")
        assert "bug" not in cup.stop(process)


def test_a_build_that_fails_retires_no_other_bot_that_is_admitted_with_it(tmp_path: Path) -> None:
    make_bot(tmp_path / "good", "good", "true")
    make_bot(tmp_path / "bad", "bad", "false")
    cup = Ladder(tmp_path)
    league = str(cup.file)
    with cup.playing() as process:
        cup.plays("ant")
        cup.head += '[[bots]]\npath = "good"\n[[bots]]\npath = "bad"\n'
        cup.write("ant", "bee")
        code, said = run("admit", league)
        assert (code, "good is admitted; its owner is good" in said) == (1, True)
        assert "bad was admitted, and is retired again" in said
        assert "bad is admitted" not in said
        cup.plays("good")
        cup.stop(process)
    assert not cup.matches()["bad"]


def test_a_bot_that_changes_while_it_is_built_plays_as_it_is_then(tmp_path: Path) -> None:
    """The first build ends last, and its program is not that of the row."""
    held, old = tmp_path / "held", tmp_path / "bot"
    held.touch()
    make_bot(old, "swan", f"while test -e {held}; do sleep 0.02; done; false")
    cup = Ladder(tmp_path, more='confine = "none"')
    league = str(cup.file)
    with cup.playing() as process:
        cup.plays("ant")
        first = subprocess.Popen(
            [*ARENA, "admit", league, "swan", "--path", str(old)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        cup.wait(lambda: "swan" in done("who", league))
        make_bot(old, "swan", "true")
        assert "swan is changed in its row" in done("admit", league)
        cup.plays("swan")
        held.unlink()
        left(first)
        cup.plays("swan")
        assert "retired" not in done("who", league)
        cup.stop(process)


def test_a_bot_that_waits_is_told_when_the_league_stops_and_a_wrong_token_is_told_in_words(
    tmp_path: Path,
) -> None:
    cup = Ladder(tmp_path)
    league = str(cup.file)
    with cup.playing() as process:
        said = done("invite", league, "newt")
        code, _ = run("retire", league, "ant")
        assert code == 0
        assert run("retire", league, "bee")[0] == 0
        newt = dial(said)
        cup.wait(lambda: "newt dials in, and is here" in done("who", league))
        wrong = dial(said.replace("ARENA_TOKEN=", "ARENA_TOKEN=x"))
        assert "bad-token" in left(wrong)
        said = cup.stop(process)
        assert newt.stdout is not None
        assert any("stopping" in line for line in newt.stdout)
        newt.kill()
        left(newt)
    assert said.count("1 connection from 127.0.0.1 with a wrong token") == 1
    assert "a wrong token from 127.0.0.1\n" in (cup.home / "referee.log").read_text()
    assert "a wrong token from" not in said


def test_a_bot_that_was_admitted_plays_on_after_a_kill(tmp_path: Path) -> None:
    cup = Ladder(tmp_path)
    league = str(cup.file)
    with cup.playing() as process:
        done("admit", league, "cow", "--sample", "python-bare")
        process.kill()
        process.wait()
    assert "the league rests" in done("who", league)
    with cup.playing() as process:
        cup.plays("cow")
        cup.stop(process)


def test_what_cannot_be_done_is_refused_and_the_league_plays_on(tmp_path: Path) -> None:
    cup = Ladder(tmp_path)
    league = str(cup.file)
    with cup.playing() as process:
        for order in (
            ("retire", league, "nobody"),
            ("admit", league, "ant", "--sample", "python-bare"),
            ("admit", league, "cow", "--path", str(tmp_path / "nowhere")),
            ("tokens", league, "--renew", "ant"),
        ):
            code, said = run(*order)
            assert code in (1, 2), said
        cup.file.write_text("this is not TOML")
        assert run("admit", league)[0] == 1
        cup.write("ant", "bee")
        cup.plays("ant")
        cup.stop(process)


def test_a_set_that_was_given_up_with_a_retired_bot_is_never_played(tmp_path: Path) -> None:
    """However often a bot is retired while lanes take their next sets."""
    cup = Ladder(tmp_path, more="at_once = 2")
    cup.write("ant", "bee", "cow")
    league = str(cup.file)
    with cup.playing() as process:
        cup.plays("ant")
        for _ in range(20):
            done("retire", league, "cow")
            done("admit", league, "cow")
        cup.stop(process)
    assert cup.faults() == 0


def test_a_retired_bot_that_dials_in_plays_on_in_its_set_after_a_kill_and_no_other(
    tmp_path: Path,
) -> None:
    """And nobody else loses a match by it: without it, the set ended each job that played it."""
    cup = Ladder(tmp_path, more="jobs = 1\nat_once = 2\nclock = { decision_ms = 60000 }")
    league, asked, held = str(cup.file), tmp_path / "asked", tmp_path / "held"
    waiting = tmp_path / "waiting.py"
    waiting.write_text(WAITING)
    held.touch()
    more = {"ASKED": str(asked), "HELD": str(held), "PYTHONPATH": str(ROOT)}
    with cup.playing() as process:
        invited = done("invite", league, "newt")
        newt = dial(invited, waiting, **more)
        cup.wait(asked.exists)
        assert "newt is retired" in done("retire", league, "newt")
        process.kill()
        process.wait()
    newt.kill()
    left(newt)
    held.unlink()
    cup.home.joinpath("control.sock").unlink()
    assert cup.matches()["newt"] == 0
    with cup.playing() as process:
        newt = dial(invited, waiting, **more)
        cup.wait(lambda: cup.matches()["newt"] == 1)
        said = left(newt)
        assert newt.returncode == 0, said
        newt = dial(invited, waiting, **more)
        left(newt)
        assert newt.returncode == 0
        cup.plays("ant")
        assert "a referee process ended" not in cup.stop(process)
    assert cup.matches()["newt"] == 1
    assert cup.faults() == 0
    assert (cup.home / "referee.log").read_text() == ""
