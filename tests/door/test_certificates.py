"""The certificate of a door: read, read again, refused with a reason."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arena.door.certificates import BadCertificate, Certificate
from tests.door.an_open_door import CHAIN, KEY


def test_a_certificate_that_is_renewed_is_used_for_what_comes_then(tmp_path: Path) -> None:
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    shutil.copy(CHAIN, chain)
    shutil.copy(KEY, key)
    certificate = Certificate(chain, key)
    before = certificate.context
    certificate.reload()
    after = certificate.context
    assert after is not before
    chain.write_text("no certificate")
    with pytest.raises(BadCertificate):
        certificate.reload()
    assert certificate.context is after


@pytest.mark.parametrize(
    ("chain", "key"), [("missing", "key.pem"), ("chain.pem", "missing"), ("key.pem", "chain.pem")]
)
def test_what_is_no_certificate_is_refused_with_both_files(chain: str, key: str) -> None:
    folder = CHAIN.parent
    with pytest.raises(BadCertificate, match=rf"{chain} and .*{key}: .*; expected a certificate"):
        Certificate(folder / chain, folder / key)
