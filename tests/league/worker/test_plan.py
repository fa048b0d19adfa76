"""How a worker is started: what `dask worker` is told, and what its process."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from arena.bots.confine.confinement import Wish
from arena.league.model.config import Tls
from arena.league.worker.folder import folder_of, own_place, usual_folder
from arena.league.worker.plan import WorkerPlan

PLACE = Path("/var/arena/running/1")
PLAN = WorkerPlan("tls://10.0.0.1:8786", "east", 3, Path("/var/arena"))


def value(arguments: list[str], option: str) -> str:
    return arguments[arguments.index(option) + 1]


def test_it_offers_its_slots_and_has_a_thread_for_questions_besides() -> None:
    arguments = PLAN.arguments(PLACE)
    assert arguments[0] == "tls://10.0.0.1:8786"
    assert value(arguments, "--resources") == "arena=3"
    assert value(arguments, "--nthreads") == "4"


def test_two_workers_of_one_machine_have_names_of_their_own() -> None:
    names = {value(PLAN.arguments(PLACE), "--name") for _ in range(2)}
    assert len(names) == 2
    assert all(name.startswith("east-") for name in names)


def test_its_pages_are_for_this_machine_alone() -> None:
    assert "--no-dashboard" in PLAN.arguments(PLACE)
    assert value(PLAN.arguments(PLACE), "--dashboard-address") == "127.0.0.1:0"


def test_certificates_are_passed_on_and_so_is_what_the_operator_adds() -> None:
    tls = Tls(Path("/ca"), Path("/cert"), Path("/key"))
    arguments = WorkerPlan(
        "tls://a:1", "east", 1, Path("/f"), tls, more=("--interface", "eth1")
    ).arguments(PLACE)
    assert value(arguments, "--tls-ca-file") == "/ca"
    assert value(arguments, "--tls-cert") == "/cert"
    assert value(arguments, "--tls-key") == "/key"
    assert arguments[-2:] == ["--interface", "eth1"]


def test_its_process_is_told_its_name_its_folder_and_how_bots_are_confined_at_least() -> None:
    plan = WorkerPlan(
        "tcp://a:1", "east", 1, Path("/f"), wish=Wish.STRICT, read=(Path("/a"), Path("/b"))
    )
    told = plan.environment(PLACE)
    assert told["ARENA_MACHINE"] == "east"
    assert told["TMPDIR"] == str(PLACE)
    assert told["ARENA_WORKER_FOLDER"] == "/f"
    assert told["ARENA_WORKER_CONFINE"] == "strict"
    assert told["ARENA_WORKER_READ"] == "/a:/b"


def test_workers_of_one_user_share_a_folder_unless_another_is_named() -> None:
    usual = usual_folder({"HOME": "/home/ann"})
    assert usual == Path("/home/ann/.cache/arena/worker")
    assert folder_of({"HOME": "/home/ann"}) == usual
    assert folder_of({"HOME": "/home/ann", "ARENA_WORKER_FOLDER": "/f"}) == Path("/f")


def test_the_folder_of_a_worker_that_was_killed_goes_when_another_starts(tmp_path: Path) -> None:
    with own_place(tmp_path) as first:
        (first / "dask-scratch-space").mkdir()
        with own_place(tmp_path) as second:
            assert first != second
            assert {*(tmp_path / "running").iterdir()} == {first, second}
    (tmp_path / "running" / "of-a-dead-one").mkdir()
    with own_place(tmp_path) as third:
        assert [*(tmp_path / "running").iterdir()] == [third]
    assert [*(tmp_path / "running").iterdir()] == []


def test_a_place_that_another_worker_removes_before_it_is_held_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two workers that begin at once: one takes the folder of the other for one that is left."""
    made: list[Path] = []
    make = tempfile.mkdtemp

    def make_between(dir: Path) -> str:  # noqa: A002  # as it is called there
        found = make(dir=dir)
        made.append(Path(found))
        if len(made) == 1:
            with own_place(tmp_path):
                assert not made[0].exists()
        return found

    monkeypatch.setattr(tempfile, "mkdtemp", make_between)
    with own_place(tmp_path) as place:
        assert place.exists()
        assert place == made[-1] != made[0]
    assert not place.exists()
