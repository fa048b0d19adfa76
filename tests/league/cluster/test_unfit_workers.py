"""Workers that cannot play: a full disk, another version. They are named, and others play."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.league.cluster.hosts import Cluster, make_certificates, two_hosts, why_not
from tests.league.running import ROOT, RealLeague

BOTS = {name: f"steady.py {name} 5" for name in ("fox", "owl", "crow")}
SETS = 24

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


def played(cluster: Cluster) -> tuple[str, set[str]]:
    """A league to its end: what people were told, and the machines that played it."""
    league = RealLeague(
        cluster.one.folder / "league",
        BOTS,
        sets=SETS,
        seats=2,
        family=cluster.one.family,
        more=cluster.league_keys(),
    )
    runner = cluster.start_runner(league.file, "--no-pages")
    assert runner.wait(180) == 0, (cluster.one.folder / "runner.log").read_text()
    with league.store() as store:
        machines = {machine for machine, _ in store.played_on()}
        assert len([*store.complete_sets()]) == SETS
    return (cluster.one.folder / "runner.log").read_text(), machines


def test_a_worker_with_a_full_disk_is_named_and_rests(cluster: Cluster) -> None:
    disk = cluster.two.folder / "disk"
    disk.mkdir()
    made = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(disk)]
    if subprocess.run(made, check=False, capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        cluster.start_worker("full", cluster.two, "--folder", str(disk / "worker"))
        log = cluster.two.folder / "full.log"
        while "Registered to" not in log.read_text():
            assert cluster.processes["full"].poll() is None, log.read_text()
        with (disk / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
            while True:
                ballast.write(bytes(4096))
        said, machines = played(cluster)
        worker = cluster.processes.pop("full")
        worker.terminate()
        worker.wait(20)
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)
    assert machines == {"a"}
    assert "No space left on device" in said
    assert "it rests for 5 s" in said
    assert "is set aside" not in said


def test_a_worker_of_another_version_is_left_out_and_named(cluster: Cluster) -> None:
    other = cluster.two.folder / "other"
    for package in ("arena", "protocol"):
        shutil.copytree(ROOT / package, other / package)
    with (other / "arena" / "text.py").open("a") as file:
        file.write("\n# another version\n")
    cluster.start_worker("other", cluster.two, variables={"PYTHONPATH": str(other)})
    said, machines = played(cluster)
    assert machines == {"a"}
    assert "is left out: it has arena " in said
    assert "install the same there, and start it again" in said
