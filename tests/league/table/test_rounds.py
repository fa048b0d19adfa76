"""The rounds of a league's matches, where every match has as many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.league.table.live import rounds_of
from tests.league.leagues import Simulated, settings_of

SETTINGS = settings_of(Simulated())


@pytest.mark.parametrize(
    ("game", "options", "rounds"),
    [
        ("nyet", {}, 8),
        ("nyet", {"rounds": 3}, 3),
        ("nyet", {"target": 20}, None),
        ("nope", {}, None),
    ],
)
def test_rounds_are_known_where_every_match_has_as_many(
    game: str, options: dict[str, object], rounds: int | None
) -> None:
    assert rounds_of(replace(SETTINGS, game=game, options=options)) == rounds
