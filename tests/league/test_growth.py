"""More sets for those who still take part: what was left out with the others counts for nobody."""

from __future__ import annotations

import pytest

from arena.league.growth import more_sets
from arena.league.schedule import NoLineUp
from arena.league.sets import PlannedSet
from tests.league.leagues import Simulated, settings_of

BOTS = ("ant", "bee", "cat", "dog", "mole")
LOTS = bytes(32)
SETTINGS = settings_of(Simulated(seats=3, bots=BOTS))
ENTRANTS = [(name, name) for name in BOTS]
# The mole was benched by the first; so it sits in the others and nobody plays them.
ALREADY = [
    PlannedSet(1, ("cat", "dog", "mole")),
    *(PlannedSet(number, ("ant", "bee", "mole")) for number in (2, 3, 4)),
]


def test_who_is_benched_is_in_none_of_them() -> None:
    more = more_sets(SETTINGS, ENTRANTS, LOTS, ALREADY, 24, {"mole": 1})
    assert [one.number for one in more] == [*range(5, 25)]
    assert {name for one in more for name in one.line_up} == {*BOTS} - {"mole"}


def test_sets_that_were_left_out_are_as_if_they_had_not_been_planned() -> None:
    """The ant and the bee have played nothing yet, and so they come first."""
    first, second = more_sets(SETTINGS, ENTRANTS, LOTS, ALREADY, 6, {"mole": 1})
    assert {"ant", "bee"} <= {*first.line_up} & {*second.line_up}
    # Had it been benched by the last, all of them would have been played.
    first, second = more_sets(SETTINGS, ENTRANTS, LOTS, ALREADY, 6, {"mole": 4})
    assert {"cat", "dog"} <= {*first.line_up} & {*second.line_up}


def test_there_are_none_where_too_few_are_left_for_a_table() -> None:
    with pytest.raises(NoLineUp, match="3 seats need 3 bots, and there are 2"):
        more_sets(SETTINGS, ENTRANTS, LOTS, ALREADY, 6, {"mole": 1, "ant": 2, "bee": 2})
    assert more_sets(SETTINGS, ENTRANTS, LOTS, ALREADY, 4, {"mole": 1}) == []
