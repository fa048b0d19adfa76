"""Places (SPEC 12.4, 12.8)."""

from __future__ import annotations

from arena.games.nope.state import places


def test_places_share_ties_before_those_out() -> None:
    """[N6, N12]"""
    assert places((3, 0, 3, 5, 0), (4, 1)) == (2, 4, 2, 1, 5)


def test_the_last_one_with_cards_is_first_and_who_went_out_first_is_last() -> None:
    """[N12]"""
    assert places((0, 4, 0), (2, 0)) == (2, 1, 3)
