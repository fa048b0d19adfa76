"""The rule sets by name."""

from __future__ import annotations

import pytest

from arena.games import GAMES, UnknownGame


def test_every_rule_set_is_found_by_its_name() -> None:
    assert {*GAMES} >= {"nyet", "njet", "njet-it", "nope"}
    assert all(game.name == name for name, game in GAMES.items())


def test_an_unknown_rule_set_is_met_with_what_there_is_and_the_nearest() -> None:
    with pytest.raises(UnknownGame, match=f"there are: {', '.join(GAMES)}") as caught:
        GAMES["nyte"]
    assert str(caught.value).endswith("Did you mean 'nyet'? (SPEC 10.1)")
    assert caught.value.came == "nyte"
    assert caught.value.allowed == tuple(GAMES)
    assert isinstance(caught.value, KeyError)
