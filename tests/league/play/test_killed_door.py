"""A league whose bots come through a door that is killed: nobody loses anything by it."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.referee.door.addresses import RELAY
from tests.door.an_open_door import CHAIN, KEY
from tests.league.play.test_dialling_league import BOT, Away, ended, free_port
from tests.league.running import ARENA

pytestmark = [pytest.mark.slow, pytest.mark.alone]

VOIDS, MOST_KILLS = 2, 8
START_MS, AWAY_SECONDS = 2_000, 3.0
STOPS = 4
# Longer than a bot has for a decision, and shorter than a door is waited for.
STOPPED_SECONDS = 1.5


class Behind(Away):
    """Two bots that come by TLS and by a WebSocket, and two that are started."""

    @contextmanager
    def door(self, *places: str) -> Iterator[subprocess.Popen[bytes]]:
        """`arena door`, from its first word on."""
        command = [*ARENA, "door", str(self.file), "--certificate", str(CHAIN), "--key", str(KEY)]
        for place in places:
            command += ["--listen", place]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            try:
                for _ in places:
                    assert process.stderr.readline().startswith(b"open at ")
                yield process
            finally:
                process.kill()

    def faults(self) -> list[str]:
        """What bots were told of all faults."""
        with Reader.read(self.home / DATABASE) as store:
            return [
                f"{played.place} {played.record.names[fault.seat]}: {fault.text}"
                for number in store.completed()
                for played in getattr(store.complete_set(number), "matches", ())
                for fault in played.record.faults
            ]

    def voids(self) -> int:
        with Reader.read(self.home / DATABASE) as store:
            return sum(event["event"] == "void" for _, event in store.events())


@pytest.mark.parametrize("more", ["", "jobs = 2\nat_once = 1"])
def test_killing_the_door_costs_no_bot_anything(tmp_path: Path, more: str) -> None:
    """Each time it stays away for longer than a match waits for a bot. One that is killed between
    two sets makes none void."""
    league = Behind(tmp_path, sets=200, more=more, clock=f"start_ms = {START_MS}")
    places = (f"tls:127.0.0.1:{free_port()}", f"wss:127.0.0.1:{free_port()}")
    tls, wss = (place.rpartition(":")[2] for place in places)
    trusted = {"SSL_CERT_FILE": str(CHAIN)}
    with (
        league.playing() as process,
        league.bot("fox", BOT, **trusted, ARENA_CONNECT=f"tls:localhost:{tls}"),
        league.bot("owl", BOT, **trusted, ARENA_CONNECT=f"wss://localhost:{wss}/bots"),
    ):
        league.wait((league.home / RELAY).exists)
        for _ in range(MOST_KILLS):
            with league.door(*places) as door:
                before = league.matches()
                league.wait(lambda least=before: league.matches() >= least + 3)  # type: ignore[misc]
                door.send_signal(signal.SIGKILL)
                door.wait()
                time.sleep(AWAY_SECONDS)
            if league.voids() >= VOIDS:
                break
        with league.door(*places):
            said = ended(process)
    assert process.returncode == 0, said
    table = league.table()
    assert (table.facts.is_finished, table.facts.sets) == (True, 200)
    assert table.facts.voids >= VOIDS
    assert not any(any(row.faults.values()) or row.forfeits for row in table.rows)
    verified = subprocess.run(
        [*ARENA, "verify", str(league.file)], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_a_door_that_stands_still_costs_no_bot_anything(tmp_path: Path) -> None:
    """Answers that lie in it are dated by the kernel, and no silence is ruled on meanwhile."""
    clock = "start_ms = 20000\ndecision_ms = 500\nbank_ms = 0"
    league = Behind(tmp_path, sets=40, clock=clock)
    place = f"wss:127.0.0.1:{free_port()}"
    address = f"wss://localhost:{place.rpartition(':')[2]}/"
    there = {"SSL_CERT_FILE": str(CHAIN), "ARENA_CONNECT": address}
    with (
        league.playing() as process,
        league.bot("fox", BOT, **there),
        league.bot("owl", BOT, **there),
    ):
        league.wait((league.home / RELAY).exists)
        with league.door(place) as door:
            for _ in range(STOPS):
                before = league.matches()
                league.wait(lambda least=before: league.matches() > least)  # type: ignore[misc]
                door.send_signal(signal.SIGSTOP)
                time.sleep(STOPPED_SECONDS)
                door.send_signal(signal.SIGCONT)
            said = ended(process)
    assert process.returncode == 0, said
    table = league.table()
    assert (table.facts.is_finished, table.facts.sets, table.facts.voids) == (True, 40, 0)
    assert league.faults() == []
