"""A league's next sets, decided from its events: what was left out counts for nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.league.plan.format import Done, Wait
from arena.league.plan.planner import Planned, Planner
from arena.league.store import events
from tests.league.leagues import Simulated, settings_of

BOTS = ("ant", "bee", "cat", "dog", "mole")
SETTINGS = settings_of(Simulated(seats=3, bots=BOTS))

# The mole was benched by the first; so it sits in the others and nobody plays them.
ALREADY = (
    PlannedSet(1, ("cat", "dog", "mole")),
    *(PlannedSet(number, ("ant", "bee", "mole")) for number in (2, 3, 4)),
)


def planner_of(
    settings: Settings = SETTINGS,
    already: Sequence[PlannedSet] = ALREADY,
    benched: Mapping[str, int] | None = None,
    over: Sequence[int] = (),
) -> Planner:
    """The planner of a league in which so much was planned, and these sets are over."""
    planner = Planner(settings.terms, bytes(32))
    for name in BOTS:
        planner.tell(events.entrant(name, name, f"hash of {name}"))
    planner.hand_over(already)
    planner.so_far.take_handed()
    for number in over:
        planner.tell({"event": "set", "set": number, "attempt": 0})
    for name, number in (benched or {}).items():
        planner.tell(events.benched(name, "it did not start", number))
    return planner


def planned(planner: Planner) -> Sequence[PlannedSet]:
    answer = planner.next(0, ())
    assert isinstance(answer, Planned)
    return answer.sets


def test_benched_bots_are_in_no_further_set() -> None:
    more = planned(planner_of(benched={"mole": 1}))
    assert [one.number for one in more] == [*range(5, 21)]
    assert {name for one in more for name in one.line_up} == {*BOTS} - {"mole"}


def test_sets_that_were_left_out_are_as_if_they_had_not_been_planned() -> None:
    """The ant and the bee have played nothing yet, and so they come first."""
    first, second = planned(planner_of(benched={"mole": 1}))[:2]
    assert {"ant", "bee"} <= {*first.line_up} & {*second.line_up}
    # Had it been benched by the last, all of them would have been played.
    first, second = planned(planner_of(benched={"mole": 4}))[:2]
    assert {"cat", "dog"} <= {*first.line_up} & {*second.line_up}


def test_others_are_planned_in_the_place_of_a_retired_bots_sets() -> None:
    planner = planner_of(replace(SETTINGS, sets=4), over=[1])
    planner.tell(events.retired("mole", (3, 4)))
    # Set 2, which had begun.
    assert planner.next(0, ()) == Wait("planned sets are still to be played")
    planner.tell({"event": "set", "set": 2, "attempt": 0})
    more = planned(planner)
    assert [one.number for one in more] == [5, 6]
    assert {name for one in more for name in one.line_up} <= {*BOTS} - {"mole"}


def test_a_bot_that_is_admitted_again_is_planned_for_again() -> None:
    planner = planner_of(over=[1, 2, 3, 4])
    planner.tell(events.retired("mole", ()))
    assert "mole" not in {name for one in planned(planner) for name in one.line_up}
    planner.tell(events.admitted_again("mole"))
    assert "mole" in {name for one in planned(planner) for name in one.line_up}


def test_sets_in_the_place_of_those_left_out_come_when_all_others_are_over() -> None:
    four = replace(SETTINGS, sets=4)
    assert planner_of(four, benched={"mole": 1}).next(0, ()) == Wait(
        "planned sets are still to be played"
    )
    over = planner_of(four, benched={"mole": 1}, over=[1])
    assert [one.number for one in planned(over)] == [5, 6, 7]


def test_a_league_is_done_when_as_many_sets_are_over_as_it_was_to_have() -> None:
    four = replace(SETTINGS, sets=4)
    assert planner_of(four, over=[1, 2, 3, 4]).next(0, ()) == Done("every set is played")


def test_a_league_is_done_when_too_few_are_left_for_a_table() -> None:
    four = replace(SETTINGS, sets=4)
    few = planner_of(four, benched={"mole": 1, "ant": 2, "bee": 2}, over=[1])
    answer = few.next(0, ())
    assert isinstance(answer, Done)
    assert answer.why.startswith("3 seats need 3 bots, and there are 2")


def test_settings_that_an_event_tells_hold_from_then_on() -> None:
    planner = planner_of(replace(SETTINGS, sets=4), over=[1, 2, 3, 4])
    planner.tell(events.league(replace(SETTINGS, sets=6)))
    assert [one.number for one in planned(planner)] == [5, 6]


@pytest.mark.parametrize(
    ("planned_sets", "left_out", "in_all"), [(20, 0, 20), (20, 7, 20), (27, 7, 20), (30, 0, 30)]
)
def test_as_many_sets_count_in_the_end_as_the_file_asks_for(
    planned_sets: int, left_out: int, in_all: int
) -> None:
    assert SETTINGS.sets == 20
    assert (
        planner_of(already=sets(planned_sets, left_out), benched=THE_MOLE).sets_in_all() == in_all
    )


THE_MOLE = {"mole": 1}


def sets(number: int, with_mole: int) -> list[PlannedSet]:
    """So many sets, of which the last ones have the mole."""
    first = [PlannedSet(each, ("ant", "bee", "cat")) for each in range(1, number - with_mole + 1)]
    last = range(number - with_mole + 1, number + 1)
    return first + [PlannedSet(each, ("ant", "bee", "mole")) for each in last]


@pytest.mark.parametrize(
    "settings",
    [
        replace(SETTINGS, seats=5),
        replace(SETTINGS, format="gauntlet", challengers=("mole",)),
    ],
    ids=["too few bots", "no challenger"],
)
def test_fewer_count_in_the_end_where_nothing_can_be_planned_for_those_left_out(
    settings: Settings,
) -> None:
    assert planner_of(settings, sets(20, 7), THE_MOLE).sets_in_all() == 13
    assert planner_of(settings, sets(20, 7)).sets_in_all() == 20


def test_sets_per_line_up_are_made_up_for_after_a_benching() -> None:
    """Four bots are left, with four line-ups of three; each is to play twice."""
    settings = replace(SETTINGS, sets=None, sets_per_line_up=2)
    more = planned(planner_of(settings, ALREADY[:1], benched=THE_MOLE, over=[1]))
    line_ups = [tuple(sorted(one.line_up)) for one in more]
    assert sorted(line_ups) == sorted(2 * [*{*line_ups}])
    assert len(line_ups) == 8


def test_of_several_challengers_one_is_at_every_table_and_none_meets_another() -> None:
    settings = replace(SETTINGS, format="gauntlet", challengers=("ant", "bee"), sets=30)
    more = planned(planner_of(settings, ()))
    challengers = [{"ant", "bee"} & {*one.line_up} for one in more]
    assert {len(each) for each in challengers} == {1}
    assert challengers.count({"ant"}) == challengers.count({"bee"}) == 15


@pytest.mark.parametrize(("format_", "kept"), [("swiss", 1), ("ladder", 0)])
def test_only_formats_with_rounds_keep_who_took_part_in_each_decision(
    format_: str, kept: int
) -> None:
    """A ladder decides for each set, and would fill the memory with them."""
    planner = planner_of(replace(SETTINGS, format=format_), already=())
    sets = planned(planner)
    planner.hand_over(sets)
    planner.tell(events.schedule(sets[-1].number, ()))
    assert len(planner.so_far.past().decisions) == kept
