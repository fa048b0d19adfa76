from __future__ import annotations

import pytest

from protocol.commitment import commit, keeps


def test_a_nonce_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a nonce has 32 bytes; got 31"):
        commit("m-1", bytes(31), b"")


def test_a_commitment_that_is_no_text_of_ours_is_not_kept() -> None:
    assert not keeps("é", "m-1", bytes(32), b"")
