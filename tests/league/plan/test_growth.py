"""More sets for those who still take part: what was left out with the others counts for nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.league.plan.growth import more_sets, sets_in_all
from arena.league.plan.roster import Roster
from arena.league.plan.schedule import NoLineUp
from arena.league.store import events
from tests.league.leagues import Simulated, settings_of

BOTS = ("ant", "bee", "cat", "dog", "mole")
LOTS = bytes(32)
SETTINGS = settings_of(Simulated(seats=3, bots=BOTS))
ENTRANTS = [(name, name) for name in BOTS]


def roster(benched: Mapping[str, int] | None = None) -> Roster:
    found = Roster()
    for name, owner in ENTRANTS:
        found.tell(events.entrant(name, owner, f"hash of {name}"))
    for name, number in (benched or {}).items():
        found.tell(events.benched(name, "it did not start", number))
    return found


# The mole was benched by the first; so it sits in the others and nobody plays them.
ALREADY = [
    PlannedSet(1, ("cat", "dog", "mole")),
    *(PlannedSet(number, ("ant", "bee", "mole")) for number in (2, 3, 4)),
]


def test_who_is_benched_is_in_none_of_them() -> None:
    more = more_sets(SETTINGS, roster({"mole": 1}), LOTS, ALREADY, 24)
    assert [one.number for one in more] == [*range(5, 25)]
    assert {name for one in more for name in one.line_up} == {*BOTS} - {"mole"}


def test_sets_that_were_left_out_are_as_if_they_had_not_been_planned() -> None:
    """The ant and the bee have played nothing yet, and so they come first."""
    first, second = more_sets(SETTINGS, roster({"mole": 1}), LOTS, ALREADY, 6)
    assert {"ant", "bee"} <= {*first.line_up} & {*second.line_up}
    # Had it been benched by the last, all of them would have been played.
    first, second = more_sets(SETTINGS, roster({"mole": 4}), LOTS, ALREADY, 6)
    assert {"cat", "dog"} <= {*first.line_up} & {*second.line_up}


def test_there_are_none_where_too_few_are_left_for_a_table() -> None:
    with pytest.raises(NoLineUp, match="3 seats need 3 bots, and there are 2"):
        more_sets(SETTINGS, roster({"mole": 1, "ant": 2, "bee": 2}), LOTS, ALREADY, 6)
    assert more_sets(SETTINGS, roster({"mole": 1}), LOTS, ALREADY, 4) == []


def test_as_many_sets_count_in_the_end_as_the_file_asks_for() -> None:
    assert SETTINGS.sets == 20
    assert sets_in_all(SETTINGS, ENTRANTS, 20, 0, ()) == 20
    assert sets_in_all(SETTINGS, ENTRANTS, 20, 7, {"mole": 1}) == 20
    assert sets_in_all(SETTINGS, ENTRANTS, 27, 7, {"mole": 1}) == 20
    assert sets_in_all(SETTINGS, ENTRANTS, 30, 0, ()) == 30
    assert sets_in_all(SETTINGS, ENTRANTS, 0, 0, ()) == 0


@pytest.mark.parametrize(
    "settings",
    [
        replace(SETTINGS, seats=5),
        replace(SETTINGS, format="gauntlet", challenger="mole"),
    ],
    ids=["too few bots", "no challenger"],
)
def test_fewer_count_in_the_end_where_nothing_can_be_planned_for_those_left_out(
    settings: Settings,
) -> None:
    assert sets_in_all(settings, ENTRANTS, 20, 7, {"mole": 1}) == 13
    assert sets_in_all(settings, ENTRANTS, 20, 7, {}) == 20
