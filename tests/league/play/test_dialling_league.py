"""A league with bots that their authors run: real processes that dial in over TCP."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena import data
from arena.league.store.folder import DATABASE, LOG
from arena.league.store.reader import Reader
from arena.league.table.live import standings_of
from arena.league.table.standings import Standings
from tests.league.running import ARENA, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.alone]

BOT = data.sample_bots() / "python-random" / "bot.py"
PATIENCE_SECONDS = 60


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class Away:
    """A league with two bots that dial in and two that are started."""

    def __init__(self, folder: Path, sets: int, more: str = "", clock: str = ""):
        self.home = folder / "cup.arena"
        self.file = folder / "cup.toml"
        self.file.write_text(
            f'game = "nyet"\nseats = 4\nsets = {sets}\nlisten = "tcp:127.0.0.1:{free_port()}"\n'
            f'options = {{ rounds = 1 }}\nseed = "test"\n{more}\n'
            '[[bots]]\nname = "fox"\ndials_in = true\n[[bots]]\nname = "owl"\ndials_in = true\n'
            '[[bots]]\nsample = "python-random"\n[[bots]]\nsample = "python-bare"\n'
            f"[clock]\n{clock}\n"
        )

    @contextmanager
    def playing(self, open_files: int | None = None) -> Iterator[subprocess.Popen[str]]:
        """`arena league`; it is ended with the scope, if it has not by then.

        `open_files`: its hard limit, and that of all its children.
        """
        limit = [] if open_files is None else ["prlimit", f"--nofile={open_files}"]
        with subprocess.Popen(
            [*limit, *ARENA, "league", str(self.file), "--no-pages"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def environment(self, name: str) -> dict[str, str]:
        """As its author makes it from the file that he was given."""
        file = self.home / "tokens" / f"{name}.env"
        self.wait(file.exists)
        lines = file.read_text().splitlines()
        return dict(line.split("=", 1) for line in lines if not line.startswith("#"))

    @contextmanager
    def bot(self, name: str, file: Path = BOT, **more: str) -> Iterator[subprocess.Popen[bytes]]:
        """Its author starts it, again and again until somebody listens."""
        # Some of these leagues wait for a bot for less than the usual seconds between two tries.
        env = {**os.environ, **self.environment(name), "ARENA_RETRY_S": "0.05", **more}
        again = (
            "import subprocess, sys, time\n"
            "for _ in range(600):\n"
            "    if subprocess.run([sys.executable, sys.argv[1], '7']).returncode == 0: break\n"
            "    time.sleep(0.05)\n"
        )
        command = [sys.executable, "-c", again, str(file)]
        with subprocess.Popen(
            command, env=env, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process:
            try:
                yield process
            finally:
                os.killpg(process.pid, signal.SIGKILL)

    def wait(self, condition: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert time.monotonic() < until
            time.sleep(0.01)

    def matches(self) -> int:
        if not (self.home / DATABASE).exists():
            return 0
        with Reader.read(self.home / DATABASE) as store:
            return sum(len(state.turns) for state in store.sets())

    def table(self) -> Standings:
        with Reader.read(self.home / DATABASE) as store:
            return standings_of(store)


def ended(process: subprocess.Popen[str]) -> str:
    said, _ = process.communicate(timeout=PATIENCE_SECONDS)
    return said


@pytest.mark.parametrize("more", ["", "jobs = 2\nat_once = 1"])
def test_bots_that_dial_in_play_a_league_that_is_stopped_and_goes_on(
    tmp_path: Path, more: str
) -> None:
    league = Away(tmp_path, sets=150, more=more)
    with league.playing() as first, league.bot("fox"), league.bot("owl"):
        tokens = [league.environment(name)["ARENA_TOKEN"] for name in ("fox", "owl")]
        league.wait(lambda: league.matches() >= 3)
        first.send_signal(signal.SIGINT)
        said = ended(first)
        assert first.returncode == 130, said
        assert f"fox dials in at {league.environment('fox')['ARENA_CONNECT']}; " in said
    # They were told to go; the same files are good for the next run.
    with league.playing() as then, league.bot("fox"), league.bot("owl"):
        said = ended(then)
        assert then.returncode == 0, said
    assert tokens == [league.environment(name)["ARENA_TOKEN"] for name in ("fox", "owl")]
    table = league.table()
    assert (table.facts.is_finished, table.facts.sets, table.facts.duplicate) == (True, 150, False)
    assert {row.name for row in table.rows} == {"fox", "owl", "python-random", "python-bare"}
    assert not any(any(row.faults.values()) or row.forfeits for row in table.rows)
    verified = subprocess.run(
        [*ARENA, "verify", str(league.file)], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_who_never_dials_in_costs_its_own_matches_and_is_benched(tmp_path: Path) -> None:
    """Even with a repeated deal, which is allowed where it is asked for."""
    league = Away(
        tmp_path, sets=6, more="duplicate = true", clock="dial_in_ms = 300\nstart_ms = 200"
    )
    with league.playing() as process, league.bot("owl"):
        said = ended(process)
        assert process.returncode == 0, said
    assert "warning: fox and owl may remember a set" in said
    assert "waiting for fox to dial in" in said
    assert "fox is benched: it did not start 3 times in a row" in said
    table = league.table()
    assert [row.name for row in table.benched] == ["fox"]


def test_an_author_fetches_the_evidence_of_faults_while_the_bot_plays_on(tmp_path: Path) -> None:
    league = Away(tmp_path, sets=40_000)
    cheat = tmp_path / "cheat.py"
    cheat.write_text(
        "from itertools import count\nfrom protocol import run\nasked = count(1)\n"
        "def decide(request):\n"
        "    number = next(asked)\n"
        "    return 'Q9' if number < 300 and number % 12 == 0 else request['legal'][0]\n"
        "run(decide)\n"
    )
    with league.playing() as process, league.bot("fox", file=cheat), league.bot("owl"):
        league.wait(lambda: league.matches() >= 60)
        file = league.home / "tokens" / "fox.env"
        command = [*ARENA, "evidence", str(file), "--json"]
        said = subprocess.run(command, capture_output=True, text=True, check=False)
        process.send_signal(signal.SIGINT)
        ended(process)
    assert said.returncode == 0, said.stderr
    told = json.loads(said.stdout)["evidence"]
    with Reader.read(league.home / DATABASE) as store:
        kept = [
            (str(played.place), one.move, one.text, one.reply.hex())
            for number in store.completed()
            for played in getattr(store.complete_set(number), "matches", ())
            for one in store.evidence(played.place)
            if played.record.names[one.seat] == "fox"
        ]
    found = [(each["match"], each["move"], each["text"], each["reply"]) for each in told]
    assert found == kept[: len(found)]
    assert len(found) > 16


def test_a_bot_that_comes_late_plays_what_waited_for_it_and_has_no_fault(tmp_path: Path) -> None:
    """Meanwhile all sets without it are played, and its coming is an event."""
    league = Away(tmp_path, sets=12, more="at_once = 2", clock="dial_in_ms = 60000")
    league.file.write_text(league.file.read_text().replace("seats = 4", "seats = 2"))
    with league.playing() as process, league.bot("owl"):
        without = 6  # of 12 sets of pairs of four bots, fox is in half
        league.wait(lambda: league.matches() == without)
        with league.bot("fox"):
            said = ended(process)
    assert process.returncode == 0, said
    assert said.count("waiting for fox to dial in") == 1
    table = league.table()
    assert (table.facts.is_finished, table.facts.sets) == (True, 12)
    assert not any(any(row.faults.values()) or row.forfeits for row in table.rows)
    with Reader.read(league.home / DATABASE) as store:
        came = [event["name"] for _, event in store.events() if event["event"] == "here"]
    assert came == ["owl", "fox"]


def test_a_bot_with_two_connections_plays_two_matches_at_once(tmp_path: Path) -> None:
    league = Away(tmp_path, sets=40, more="at_once = 2")
    text = league.file.read_text().replace("seats = 4", "seats = 2")
    league.file.write_text(text.replace('name = "fox"', 'name = "fox"\nconnections = 2'))
    with league.playing() as process, league.bot("owl"), league.bot("fox"), league.bot("fox"):
        said = ended(process)
    assert process.returncode == 0, said
    table = league.table()
    assert not any(any(row.faults.values()) or row.forfeits for row in table.rows)
    with Reader.read(league.home / DATABASE) as store:
        processes = {
            (name, number)
            for one in store.complete_sets()
            for played in one.matches
            for name, number in zip(played.record.names, played.processes, strict=True)
        }
    by_bot = Counter(name for name, _ in processes)
    assert (by_bot["fox"], by_bot["owl"]) == (2, 1)


@contextmanager
def a_flood(address: str, seconds: float) -> Iterator[None]:
    """Two attackers, each with 600 connections that come again at once when they are closed."""
    command = [sys.executable, "-m", "benchmarks.attackers", "crowd", address, str(seconds)]
    attackers = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) for _ in range(2)]
    try:
        for attacker in attackers:
            assert attacker.stdout is not None
            assert attacker.stdout.readline() == b"begun\n"
        yield
    finally:
        for attacker in attackers:
            attacker.kill()
            attacker.communicate()


def test_with_few_descriptors_an_honest_bot_gets_in_through_a_flood(tmp_path: Path) -> None:
    league = Away(tmp_path, sets=10, clock="dial_in_ms = 20000\nstart_ms = 5000")
    with league.playing(open_files=256) as process:
        address = league.environment("fox")["ARENA_CONNECT"]
        league.wait(lambda: is_open(address))
        with a_flood(address, seconds=PATIENCE_SECONDS), league.bot("fox"), league.bot("owl"):
            said = ended(process)
    assert process.returncode == 0, said
    assert not any(any(row.faults.values()) or row.forfeits for row in league.table().rows), said
    assert (league.home / LOG).stat().st_size < 10_000


def is_open(address: str) -> bool:
    host, _, port = address.removeprefix("tcp:").rpartition(":")
    try:
        socket.create_connection((host, int(port))).close()
    except OSError:
        return False
    return True


def test_an_address_that_is_taken_is_told_before_anything_is_played(tmp_path: Path) -> None:
    league = Away(tmp_path, sets=1)
    address = next(
        line for line in league.file.read_text().splitlines() if line.startswith("listen")
    )
    port = int(address.rstrip('"').rpartition(":")[2])
    with socket.create_server(("127.0.0.1", port)), league.playing() as process:
        said = ended(process)
    assert process.returncode == 1
    assert f"cannot listen at tcp:127.0.0.1:{port}: Address already in use" in said
