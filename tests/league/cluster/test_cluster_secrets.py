"""What crosses the network of a cluster, what it logs and shows, and who is let in."""

from __future__ import annotations

import base64
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league.model.seeds import seed_of_set
from arena.league.store.folder import DATABASE
from arena.league.store.secrets import read_secrets
from tests.bots.programs import SAFETY_SECONDS
from tests.league.cluster.hosts import Cluster, make_certificates, two_hosts, why_not
from tests.league.cluster.sniff import streams
from tests.league.running import ARENA, ROOT, RealLeague

BOTS = {name: f"steady.py {name} 2" for name in ("fox", "owl", "crow")}
SETS = 12

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    make_certificates(tmp_path / "tls")
    with two_hosts(tmp_path) as (one, two):
        cluster = Cluster(one, two, tmp_path / "tls")
        try:
            yield cluster
        finally:
            cluster.stop()


def league_of(cluster: Cluster) -> RealLeague:
    """A league of secret deals."""
    league = RealLeague(
        cluster.one.folder / "league",
        BOTS,
        sets=SETS,
        seats=2,
        family=cluster.one.family,
        more=cluster.league_keys(),
    )
    league.file.write_text(league.file.read_text().replace('seed = "test"\n', ""))
    return league


def written(secret: bytes) -> list[bytes]:
    """The forms in which a secret could stand somewhere."""
    return [
        secret,
        secret.hex().encode(),
        base64.b64encode(secret).rstrip(b"="),
        repr(secret)[2:-1].encode(),
        repr([*secret])[1:-1].encode(),
    ]


def here(cluster: Cluster, *command: str) -> str:
    """What a program prints on the first host."""
    space = ["ip", "netns", "exec", cluster.one.space]
    return subprocess.run(
        [*space, *command],
        env=cluster.one.env,
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout


def wait_for(log: Path, words: str) -> None:
    until = time.monotonic() + 3 * SAFETY_SECONDS
    while words not in log.read_text():
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.05)


def test_no_key_crosses_the_network_and_no_log_or_page_shows_a_seed(cluster: Cluster) -> None:
    """Without TLS, so that whatever crosses it can be read."""
    cluster.is_plain = True
    one = cluster.one
    league = league_of(cluster)
    frames = one.folder / "frames"
    sniffer = one.start(
        "sniff.log",
        sys.executable,
        "-P",
        "-c",
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from pathlib import Path;"
        f" from tests.league.cluster.sniff import sniff; sniff(Path({str(frames)!r}))",
    )
    cluster.processes["sniffer"] = sniffer
    wait_for(one.folder / "sniff.log", "ready")
    cluster.start_scheduler()
    for name in ("a", "b"):
        cluster.start_worker(name, one)
    runner = cluster.start_runner(league.file, "--no-pages")
    wait_for(one.folder / "runner.log", " plays on ")
    shown = []
    while runner.poll() is None:
        shown.append(
            here(
                cluster,
                sys.executable,
                "-m",
                "tests.league.cluster.pages",
                "http://127.0.0.1:8787/",
            )
        )
    assert runner.returncode == 0, (one.folder / "runner.log").read_text()
    secrets = read_secrets(league.home / DATABASE)
    seeds = [seed_of_set(secrets.key, number, 0) for number in range(1, SETS + 1)]
    failed = here(
        cluster, sys.executable, "-m", "tests.league.cluster.fail", cluster.address, seeds[0].hex()
    )
    shown.append(
        here(cluster, sys.executable, "-m", "tests.league.cluster.pages", "http://127.0.0.1:8787/")
    )
    cluster.stop()

    logs = {log.name: log.read_bytes() for log in one.folder.glob("*.log")}
    logs["failed"] = failed.encode()
    worker = one.folder / ".cache" / "arena" / "worker"
    logs["referees"] = (worker / "referees.log").read_bytes()
    logs["league"] = (league.home / "referee.log").read_bytes()
    pages = "".join(shown).encode()
    assert b"<Sealed, 32 bytes>" in logs["a.log"] + logs["b.log"]  # of the task that has failed
    assert b"arena-" in pages
    assert b"/info/worker/" in pages
    for seed in seeds:
        for form in written(seed):
            assert form not in pages
            assert [name for name, log in logs.items() if form in log] == []
    crossed = streams(frames)
    # What is looked for is found: each order has its seed in it.
    assert all(any(seed in stream for stream in crossed) for seed in seeds)
    for form in written(secrets.key):
        assert not any(form in stream for stream in crossed)
        assert form not in pages
        assert [name for name, log in logs.items() if form in log] == []


def test_a_worker_without_a_certificate_of_the_authority_gets_nothing(
    cluster: Cluster, tmp_path: Path
) -> None:
    make_certificates(tmp_path / "others")
    cluster.start_scheduler()
    stranger = Cluster(cluster.one, cluster.two, tmp_path / "others")
    stranger.start_worker("stranger", cluster.two)
    cluster.processes |= stranger.processes
    # It has tried, and was refused, before any other is there.
    wait_for(cluster.one.folder / "scheduler.log", "TLS handshake failed")
    cluster.start_worker("a", cluster.one)
    league = league_of(cluster)
    runner = cluster.start_runner(league.file, "--no-pages")
    assert runner.wait(120) == 0, (cluster.one.folder / "runner.log").read_text()
    with league.store() as store:
        assert {machine for machine, _ in store.played_on()} == {"a"}
    log = (cluster.one.folder / "scheduler.log").read_text()
    assert "name: a-" in log
    assert "name: stranger-" not in log
    assert not (cluster.two.folder / ".cache" / "arena" / "worker" / "parcels").exists()


def test_a_runner_without_a_certificate_of_the_authority_is_told_so(
    cluster: Cluster, tmp_path: Path
) -> None:
    make_certificates(tmp_path / "others")
    cluster.start_scheduler()
    wait_for(cluster.one.folder / "scheduler.log", "Scheduler at:")
    league = league_of(cluster)
    right, wrong = str(cluster.certificates), str(tmp_path / "others")
    league.file.write_text(league.file.read_text().replace(right, wrong))
    runner = cluster.start_runner(league.file, "--no-pages")
    assert runner.wait(120) == 1
    said = (cluster.one.folder / "runner.log").read_text()
    assert (
        f"the certificate of the scheduler at {cluster.address} is not of the authority of" in said
    )
    assert "`ca` in [tls]" in said
    assert "give both the files of one authority" in said


def test_a_worker_and_a_league_name_files_that_are_not_there(cluster: Cluster) -> None:
    league = league_of(cluster)
    league.file.write_text(league.file.read_text().replace("runner.key", "no.key"))
    with league.start("--no-pages") as runner:
        said, _ = runner.communicate(timeout=60)
    assert runner.returncode == 1
    assert said.endswith("/tls/no.key: No such file or directory\n")
    worker = [*ARENA, "worker", cluster.address, "--tls-ca", "no.pem"]
    ran = subprocess.run(worker, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "no.pem" in ran.stderr
