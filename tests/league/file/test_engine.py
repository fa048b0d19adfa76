"""A scheduler and the certificates for it: each without the other is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.league.cluster.engine import _unreachable
from arena.league.model.config import Tls
from tests.cli.test_main import run
from tests.league.file.test_reading import REST, league, problems

TLS = '[tls]\nca = "ca.pem"\ncert = "cert.pem"\nkey = "key.pem"\n'
DASK = 'game = "nyet"\nengine = "dask"\n'


def test_an_encrypted_scheduler_needs_certificates_and_another_takes_none(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, f'{DASK}scheduler = "tls://a:8786"\n{REST}')
    assert "the certificates for it are missing: [tls] needs ca, cert and key" in problem
    (problem,) = problems(tmp_path, f'{DASK}scheduler = "tcp://a:8786"\n{TLS}{REST}')
    assert problem.endswith(
        "is 'tcp://a:8786', which is not encrypted, and [tls] names certificates: write tls://,"
        " or no [tls]"
    )
    encrypted = league(tmp_path, f'{DASK}scheduler = "tls://a:8786"\n{TLS}{REST}')
    assert encrypted.tls == Tls(*(tmp_path / f"{name}.pem" for name in ("ca", "cert", "key")))
    assert league(tmp_path, f'{DASK}scheduler = "tcp://a:8786"\n{REST}').tls is None


@pytest.mark.parametrize("name", ["ca", "cert", "key"])
@pytest.mark.parametrize("path", ["", r"a\u0000b"])
def test_what_names_no_file_is_no_certificate(tmp_path: Path, name: str, path: str) -> None:
    tls = TLS.replace(f'"{name}.pem"', f'"{path}"')
    found = problems(tmp_path, f'{DASK}scheduler = "tls://a:8786"\n{tls}{REST}')
    assert any(f"`{name}` of [tls]" in each and "must be a file" in each for each in found)


@pytest.mark.parametrize(
    ("address", "tls", "words"),
    [
        ("tls://a:8786", "", "the certificates for it are missing"),
        ("tcp://a:8786", TLS, "which is not encrypted"),
    ],
)
def test_the_option_is_held_to_the_same(tmp_path: Path, address: str, tls: str, words: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'name = "Cup"\ngame = "nyet"\n{tls}{REST}')
    code, output = run("league", str(file), "--dask", address)
    assert code == 2
    assert words in " ".join(output.split())


def test_a_refused_certificate_is_told_from_a_scheduler_that_is_not_there() -> None:
    refused = _unreachable("tls://a:8786", "[SSL: TLSV1_ALERT_UNKNOWN_CA] tlsv1 alert unknown ca")
    assert "do not accept each other's certificates" in refused
    assert "start one with `dask scheduler`" in _unreachable("tls://a:8786", "Connection refused")
