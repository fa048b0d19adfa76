"""The places of evidence, as a bot that asks for more names them."""

from __future__ import annotations

import pytest

from arena.league.model.evidence import EvidencePlace


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("5231.3.0", EvidencePlace(5231, 3, 0)),
        ("9223372036854775807.0.0", EvidencePlace(2**63 - 1, 0, 0)),
        ("9223372036854775808.0.0", None),
        (f"1.1.{'0' * 28}", EvidencePlace(1, 1, 0)),
        (f"1.1.{'0' * 29}", None),
        ("1.2", None),
        ("1.2.3.4", None),
        ("1.2.", None),
        ("1.2.²", None),
        ("1.-2.3", None),
    ],
)
def test_a_place_is_three_numbers_that_a_league_can_have(
    text: str, place: EvidencePlace | None
) -> None:
    """With 32 characters at most."""
    assert EvidencePlace.parse(text) == place
