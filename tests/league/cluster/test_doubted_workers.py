"""Workers that stand still, and those that nobody can dial: named, and their sets played again."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.league.cluster.workers import SILENT_SECONDS
from tests.league.cluster.hosts import Cluster, make_certificates, tree_of, two_hosts, why_not
from tests.league.running import ARENA, RealLeague

BOTS = {name: f"steady.py {name} 30" for name in ("fox", "owl", "crow")}
MOST_SECONDS = 400
LOOK_SECONDS = 0.2

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.alone,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with TemporaryDirectory(prefix="hosts-") as place, two_hosts(Path(place)) as (one, two):
        make_certificates(Path(place, "tls"))
        cluster = Cluster(one, two, Path(place, "tls"))
        cluster.start_scheduler()
        cluster.start_worker("a", one)
        try:
            yield cluster
        finally:
            cluster.stop()


def league_of(cluster: Cluster, sets: int) -> RealLeague:
    return RealLeague(
        cluster.one.folder / "league",
        BOTS,
        sets=sets,
        seats=2,
        family=cluster.one.family,
        more=cluster.league_keys(),
    )


def said(cluster: Cluster) -> str:
    file = cluster.one.folder / "runner.log"
    return file.read_text() if file.exists() else ""


def wait_until(is_so: Callable[[], bool], runner: subprocess.Popen[bytes], log: str) -> None:
    until = time.monotonic() + MOST_SECONDS
    while not is_so():
        assert runner.poll() is None, log
        assert time.monotonic() < until, log
        time.sleep(LOOK_SECONDS)


def send(pids: list[int], what: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, what)


def events_of(league: RealLeague, kind: str) -> list[tuple[str | None, str | None]]:
    with league.store() as store:
        found = [event for _, event in store.events() if event["event"] == kind]
    return [(event["machine"], event.get("reason")) for event in found]


def test_a_machine_that_stands_still_costs_a_minute_and_what_it_brings_later_is_left_out(
    cluster: Cluster,
) -> None:
    cluster.start_worker("still", cluster.two)
    league = league_of(cluster, 50)
    runner = cluster.start_runner(league.file, "--no-pages")
    wait_until(lambda: "plays on still" in said(cluster), runner, said(cluster))
    stopped = tree_of(cluster.processes["still"].pid)
    send(stopped, signal.SIGSTOP)
    try:
        silent = f"has given no sign of life for {SILENT_SECONDS:.0f} s; it gets no sets for now"
        wait_until(lambda: silent in said(cluster), runner, said(cluster))
    finally:
        send(stopped, signal.SIGCONT)
    wait_until(lambda: "is back, and plays on" in said(cluster), runner, said(cluster))
    assert runner.wait(MOST_SECONDS) == 0, said(cluster)
    assert "; played again: set" in said(cluster)
    assert events_of(league, "worker_left") == [("still", "silent")]
    assert events_of(league, "worker_joined").count(("still", None)) == 2
    with league.store() as store:
        assert len([*store.complete_sets()]) == 50
    verified = subprocess.run(
        [*ARENA, "verify", str(league.file)], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stdout


def test_a_worker_that_nobody_can_dial_is_named_with_the_remedy(cluster: Cluster) -> None:
    """It tells a port at which nothing listens; behind a firewall it would be the same."""
    contact = f"tls://{cluster.two.address}:1"
    listen = f"tls://{cluster.two.address}:9000"
    more = ("--listen-address", listen, "--contact-address", contact)
    cluster.start_worker("shut", cluster.two, "--", *more)
    league = league_of(cluster, 24)
    log = cluster.two.folder / "shut.log"
    while "Registered to" not in log.read_text():
        assert cluster.processes["shut"].poll() is None, log.read_text()
        time.sleep(LOOK_SECONDS)
    runner = cluster.start_runner(league.file, "--no-pages")
    wait_until(lambda: "is left out" in said(cluster), runner, said(cluster))
    assert runner.wait(MOST_SECONDS) == 0, said(cluster)
    place = contact.removeprefix("tls://")
    assert f"it has registered, but the scheduler cannot connect to it at {place} (" in said(
        cluster
    )
    assert "`arena worker ... -- --worker-port 9000`" in said(cluster)
    (left_out,) = events_of(league, "worker_left_out")
    assert left_out == (None, "unreachable")
    with league.store() as store:
        assert {machine for machine, _ in store.played_on()} == {"a"}
