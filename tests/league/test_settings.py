"""What a store keeps of the league's file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from arena.league.config import League
from arena.league.ratings import Anchor
from arena.league.settings import Settings
from arena.referee.clock import Timing

LEAGUE = League(
    name="Cup",
    game="nyet",
    seats=4,
    entrants=(),
    sets=7,
    options={"rounds": 2, "target": None},
    format="gauntlet",
    challenger="fox",
    duplicate=False,
    seed="7",
    timing=Timing(50, 60, 70, 8),
    start_ms=90,
    owners_may_meet=True,
    show_names=True,
    anchor=Anchor({"fox": 2.0}, 1500.0),
)


def test_settings_are_what_the_file_says_and_survive_being_stored() -> None:
    settings = Settings.of(LEAGUE)
    assert Settings.from_json(json.loads(json.dumps(settings.to_json()))) == settings
    assert settings.timing == LEAGUE.timing
    assert Anchor(settings.anchor, settings.anchor_elo) == LEAGUE.anchor
    same = {*vars(LEAGUE)} & {*vars(settings)} - {"anchor"}
    assert len(same) == 12
    for name in same:
        assert getattr(settings, name) == getattr(LEAGUE, name), name


@pytest.mark.parametrize("duplicate", [True, False])
def test_a_set_has_a_match_for_each_seating_unless_seats_are_drawn(duplicate: bool) -> None:
    league = replace(LEAGUE, duplicate=duplicate)
    assert (
        Settings.of(league).matches_of_a_set == league.matches_of_a_set == (4 if duplicate else 1)
    )


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
    assert Settings.of(replace(LEAGUE, game=game, options=options)).rounds == rounds


@pytest.mark.parametrize(
    ("anchor", "words"),
    [
        (Anchor(), "the mean of all bots is 0"),
        (Anchor({"fox": 1.0}, 1500.0), "fox is 1500"),
        (Anchor({"fox": 2.0, "owl": 1.0}, -0.5), "the mean of fox, owl is -0.5"),
    ],
)
def test_where_the_scale_has_its_zero_is_told_in_words(anchor: Anchor, words: str) -> None:
    assert Settings.of(replace(LEAGUE, anchor=anchor)).anchor_in_words() == words
