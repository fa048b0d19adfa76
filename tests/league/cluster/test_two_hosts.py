"""Leagues on two hosts: they come to the end that they come to on one machine, whatever dies."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.league.cluster.hosts import (
    Cluster,
    Host,
    children_of,
    make_certificates,
    tree_of,
    two_hosts,
    why_not,
)
from tests.league.cluster.test_local_cluster import actions
from tests.league.play.test_interrupted_league import table_of
from tests.league.running import ARENA, RealLeague

SETS = 400
NAMES = ("fox", "owl", "crow", "hare", "mole")
# The pages of matches would take longer than the matches.
PAGES = '[pages]\nmatches = "none"\n'
KILLS = 30
# From the start of a disturbed league, in seconds.
FIRST_KILL, LAST_KILL = 5.0, 120.0
CUT, BACK = 40.0, 100.0
STOP, CONTINUE = 105.0, 125.0
# A disturbed league is over after three minutes; this is for a machine that is busy.
MOST_SECONDS = 600
GONE_SECONDS = 10.0

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.alone,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
]


def bots(wait_ms: int) -> dict[str, str]:
    return {name: f"steady.py {name} {wait_ms}" for name in NAMES}


@pytest.fixture(scope="module")
def on_one_machine(tmp_path_factory: pytest.TempPathFactory) -> RealLeague:
    league = RealLeague(tmp_path_factory.mktemp("one"), bots(0), sets=SETS, seats=2, tables=PAGES)
    league.run("--no-pages")
    return league


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    # A short path: else sockets, which need one, would not be in the folders of the hosts.
    with TemporaryDirectory(prefix="hosts-") as place, two_hosts(Path(place)) as (one, two):
        make_certificates(Path(place, "tls"))
        cluster = Cluster(one, two, Path(place, "tls"))
        cluster.start_scheduler()
        for name, host in workers(cluster).items():
            cluster.start_worker(name, host)
        try:
            yield cluster
        finally:
            cluster.stop()


def workers(cluster: Cluster) -> dict[str, Host]:
    return {"a": cluster.one, "b": cluster.one, "c": cluster.two, "d": cluster.two}


def league_of(cluster: Cluster, wait_ms: int) -> RealLeague:
    return RealLeague(
        cluster.one.folder / "league",
        bots(wait_ms),
        sets=SETS,
        seats=2,
        family=cluster.one.family,
        more=cluster.league_keys(),
        tables=PAGES,
    )


def verify(league: RealLeague) -> str:
    command = [*ARENA, "verify", str(league.file)]
    verified = subprocess.run(command, capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stdout
    return verified.stdout


def assert_nothing_is_left(cluster: Cluster) -> None:
    """No process on any host, and no file but what is to be kept."""
    cluster.stop()
    until = time.monotonic() + GONE_SECONDS
    while cluster.one.family.alive() and time.monotonic() < until:
        time.sleep(0.1)
    assert cluster.one.family.alive() == set()
    assert cluster.one.left() == []
    assert cluster.two.left() == []


def test_a_league_on_two_hosts_has_the_table_and_the_moves_of_one_machine(
    cluster: Cluster, on_one_machine: RealLeague
) -> None:
    league = league_of(cluster, wait_ms=0)
    runner = cluster.start_runner(league.file, "--no-pages")
    assert runner.wait(MOST_SECONDS) == 0, (cluster.one.folder / "runner.log").read_text()
    assert table_of(league) == table_of(on_one_machine)
    assert actions(league) == actions(on_one_machine)
    with league.store() as store:
        played = Counter(machine for machine, _ in store.played_on())
    assert {*played} == {"a", "b", "c", "d"}
    assert verify(league).startswith(f"all fits: {SETS} complete sets, {2 * SETS} matches")
    assert_nothing_is_left(cluster)
    for host in (cluster.one, cluster.two):
        clean = [*ARENA, "worker", "--clean"]
        subprocess.run(clean, env=host.env, check=True, capture_output=True)
        assert [*(host.folder / ".cache" / "arena" / "worker").iterdir()] == []


class Disturbed:
    """A league whose parts are killed, cut off and stopped at moments that a seed decides."""

    def __init__(self, cluster: Cluster, league: RealLeague, seed: str) -> None:
        self.cluster = cluster
        self.league = league
        self.done: Counter[str] = Counter()
        self._rng = random.Random(seed)
        self._stopped: list[int] = []

    def course(self) -> list[tuple[float, Callable[[], None]]]:
        """What is done, and when, in seconds from the start."""
        kills = (self.kill_worker,) * 4 + (self.kill_process,) * 3
        ways = (*kills, self.kill_scheduler, self.kill_runner)
        moments = [self._rng.uniform(FIRST_KILL, LAST_KILL) for _ in range(KILLS)]
        course = [(moment, self._rng.choice(ways)) for moment in moments]
        # Each way once at least.
        course[: len({*ways})] = [
            (moment, way) for (moment, _), way in zip(course, dict.fromkeys(ways), strict=False)
        ]
        course += [(CUT, self.cut), (BACK, self.plug)]
        course += [(STOP, self.stop), (CONTINUE, self.go_on)]
        return sorted(course, key=lambda each: each[0])

    def run(self) -> None:
        began = time.monotonic()
        self.cluster.start_runner(self.league.file, "--no-pages")
        for moment, disturb in self.course():
            with suppress(subprocess.TimeoutExpired):
                wait = moment - (time.monotonic() - began)
                code = self.cluster.processes["runner"].wait(max(0.0, wait))
                raise AssertionError(f"over after {moment} s with {code}, before {disturb}")
            disturb()
            self.done[disturb.__name__] += 1
        runner = self.cluster.processes["runner"]
        assert runner.wait(MOST_SECONDS) == 0, (self.cluster.one.folder / "runner.log").read_text()

    def kill_worker(self) -> None:
        """Kill what looks after a worker, which takes the worker along; then it is started anew."""
        name = self._rng.choice("abcd")
        self.cluster.kill(name)
        self.cluster.start_worker(name, workers(self.cluster)[name])

    def kill_process(self) -> None:
        """Kill a worker's process, which is started again by what looks after it."""
        name = self._rng.choice("abcd")
        for pid in children_of(self.cluster.processes[name].pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def kill_scheduler(self) -> None:
        self.cluster.kill("scheduler")
        self.cluster.start_scheduler()

    def kill_runner(self) -> None:
        self.cluster.kill("runner")
        time.sleep(1)  # its children end within a second
        self.cluster.start_runner(self.league.file, "--no-pages")

    def cut(self) -> None:
        self.cluster.two.plug(is_in=False)

    def plug(self) -> None:
        self.cluster.two.plug(is_in=True)

    def stop(self) -> None:
        """Stop a worker with its referee and its bots: a machine that stands still."""
        self._stopped = tree_of(self.cluster.processes["a"].pid)
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, what: signal.Signals) -> None:
        for pid in self._stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, what)


def test_whatever_is_killed_cut_off_or_stopped_nothing_is_lost_or_doubled(
    cluster: Cluster, on_one_machine: RealLeague
) -> None:
    league = league_of(cluster, wait_ms=10)
    disturbed = Disturbed(cluster, league, "kill -9")
    disturbed.run()
    assert sum(disturbed.done.values()) == KILLS + 4
    assert {"kill_worker", "kill_process", "kill_scheduler", "kill_runner"} <= {*disturbed.done}
    table = table_of(league)
    assert table["facts"]["sets"] == SETS
    assert [row["forfeits"] for row in table["rows"]] == [0] * len(NAMES)
    assert {count for row in table["rows"] for count in row["faults"].values()} <= {0}
    with league.store() as store:
        first = {one.number for one in store.complete_sets() if one.attempt == 0}
        numbers = [one.number for one in store.complete_sets()]
        aside = [event for _, event in store.events() if event["event"] == "set_aside"]
    assert numbers == [*range(1, SETS + 1)]
    assert aside == []
    # A set that was void is played with another seed; all others have the moves of one machine.
    expected = actions(on_one_machine)
    for found, other in zip(actions(league), expected, strict=True):
        assert found == other or found[0].set not in first
    if len(first) == SETS:
        assert table == table_of(on_one_machine)
    assert verify(league).startswith(f"all fits: {SETS} complete sets, {2 * SETS} matches")
    assert_nothing_is_left(cluster)
