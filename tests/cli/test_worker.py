"""`arena worker`: what it refuses, and what it cleans. Workers that play are in tests/league."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.league.cluster import engine
from arena.league.cluster.engine import DaskMissing
from arena.league.worker.folder import used


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["worker", *arguments])
    return result.exit_code, result.output


def test_an_address_is_needed() -> None:
    code, output = run()
    assert code == 2
    assert "write the address of the scheduler: tls://HOST:8786" in output


@pytest.mark.parametrize("address", ["10.0.0.1:8786", "tcp:10.0.0.1:8786", "tls://10.0.0.1"])
def test_what_is_no_address_is_refused_with_the_form_of_one(address: str) -> None:
    code, output = run(address)
    assert code == 2
    assert f"'{address}' is no address: it must be tls://HOST:PORT" in " ".join(output.split())


def test_encryption_needs_certificates() -> None:
    code, output = run("tls://10.0.0.1:8786")
    assert code == 2
    assert "tls://10.0.0.1:8786 lets nobody in without a certificate" in " ".join(output.split())


def test_certificates_for_an_address_without_encryption_are_refused(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("ca.pem", "cert.pem", "key.pem")]
    named = []
    for option, file in zip(("--tls-ca", "--tls-cert", "--tls-key"), files, strict=True):
        file.touch()
        named += [option, str(file)]
    code, output = run("tcp://10.0.0.1:8786", *named)
    assert code == 2
    assert "is not encrypted: write tls://, or no --tls- options" in " ".join(output.split())


def test_the_three_files_belong_together(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").touch()
    code, output = run("tls://10.0.0.1:8786", "--tls-ca", str(tmp_path / "ca.pem"))
    assert code == 2
    assert "--tls-ca, --tls-cert and --tls-key belong together" in output


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "find_spec", lambda name: None)
    with pytest.raises(DaskMissing, match=r"pip install '\.\[dask\]' in the folder of arena"):
        engine.check_installed()
    code, output = run("tcp://127.0.0.1:8786")
    assert code == 1
    assert "the engine dask needs the package distributed, which is not installed here" in output


def test_a_name_that_is_longer_than_that_of_a_host_is_refused() -> None:
    """It stands in each match that is played here."""
    code, output = run("tcp://127.0.0.1:8786", "--name", "m" * 65)
    assert code == 2
    assert "has 65 characters, and in records 64 are the most" in " ".join(output.split())


def test_cleaning_removes_what_workers_left(tmp_path: Path) -> None:
    place = tmp_path / "worker"
    (place / "parcels" / ("0" * 64)).mkdir(parents=True)
    (place / "referees.log").write_text("moo")
    assert run("--clean", "--folder", str(place)) == (
        0,
        f"removed parcels and referees.log from {place}\n",
    )
    assert [*place.iterdir()] == []
    assert run("--clean", "--folder", str(place)) == (0, f"nothing is left in {place}\n")


def test_a_folder_that_a_worker_uses_is_not_cleaned(tmp_path: Path) -> None:
    with used(tmp_path):
        (tmp_path / "parcels").mkdir()
        code, output = run("--clean", "--folder", str(tmp_path))
    assert code == 1
    assert f"a worker is using {tmp_path}: stop it first" in output
    assert (tmp_path / "parcels").exists()


def test_a_league_with_a_file_in_the_place_of_an_address_says_so() -> None:
    result = CliRunner().invoke(main, ["league", "--dask", "cup.toml"])
    assert result.exit_code == 2
    assert "arena league cup.toml --dask" in click.unstyle(result.output)
