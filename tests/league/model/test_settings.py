"""What a store keeps of the league's file."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace

import pytest

from arena.league.model.anchor import Anchor
from arena.league.model.config import League
from arena.league.model.settings import Settings
from arena.league.model.stopping import Stopping
from arena.record.timing import Timing

LEAGUE = League(
    name="Cup",
    game="nyet",
    seats=4,
    entrants=(),
    sets=7,
    options={"rounds": 2, "target": None},
    format="gauntlet",
    challengers=("fox",),
    sets_per_line_up=3,
    rounds=5,
    sets_per_table=2,
    most_sets_per_tie=9,
    pairing=2,
    stop=Stopping(test=(0.0, 20.0)),
    duplicate=False,
    seed="7",
    timing=Timing(50, 60, 70, 8),
    start_ms=90,
    owners_may_meet=True,
    show_names=True,
    anchor=Anchor({"fox": 2.0}, 1500.0),
    match_pages="all",
)


def test_settings_are_what_the_file_says_and_survive_being_stored() -> None:
    settings = Settings.of(LEAGUE)
    assert Settings.from_json(json.loads(json.dumps(settings.to_json()))) == settings
    for each in fields(Settings):
        assert getattr(settings, each.name) == getattr(LEAGUE, each.name), each.name


def test_every_setting_of_these_tests_has_another_value_than_its_default() -> None:
    """Else a setting that is not taken over from the file would be equal to it by chance."""
    bare = League(name="", game="", seats=0, entrants=(), sets=0)
    for each in fields(Settings):
        assert getattr(LEAGUE, each.name) != getattr(bare, each.name), (
            f"give LEAGUE another {each.name} than the default"
        )


@pytest.mark.parametrize("duplicate", [True, False])
def test_a_set_has_a_match_for_each_seating_unless_seats_are_drawn(duplicate: bool) -> None:
    league = replace(LEAGUE, duplicate=duplicate)
    assert (
        Settings.of(league).matches_of_a_set == league.matches_of_a_set == (4 if duplicate else 1)
    )


def test_settings_are_stored_flat_and_those_of_an_earlier_version_have_no_anchor() -> None:
    stored = dict(Settings.of(LEAGUE).to_json())
    assert (stored["anchor"], stored["anchor_elo"]) == ({"fox": 2.0}, 1500.0)
    assert stored["decision_ms"] == 50
    del stored["anchor"], stored["anchor_elo"]
    assert Settings.from_json(stored).anchor == Anchor()


@dataclass(frozen=True)
class LaterSettings(Settings):
    """The settings of a later version, which has a key more."""

    note: str | None = None


def test_a_setting_that_a_stored_league_lacks_has_its_default_in_words_too() -> None:
    """The event `league` tells every setting, also of a league that was begun without it."""
    stored = Settings.of(LEAGUE).to_json()
    later = LaterSettings.from_json(stored)
    assert later.to_json() == {**stored, "note": None}
