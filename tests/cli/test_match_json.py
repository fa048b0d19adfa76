"""Sets as JSON, from records without bots."""

from __future__ import annotations

import pytest

from arena.cli.match_json import against_as_json_value
from arena.likelihood import elo_of
from tests.cli.test_match_text import compared


def test_the_distance_of_two_bots_that_do_not_meet_is_told_in_elo() -> None:
    told = against_as_json_value(compared("110", 3))
    assert told["elo"] == pytest.approx(elo_of(2 / 3) - elo_of(1 / 3))
    assert told["elo_bar"] is not None


def test_where_one_has_won_all_there_is_no_distance_in_elo() -> None:
    told = against_as_json_value(compared("111", 3))
    assert (told["elo"], told["elo_bar"]) == (None, None)
