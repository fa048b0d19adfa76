"""The second count: from events alone."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.audit.events import Events
from arena.audit.findings import Misfits
from arena.audit.recount import (
    ELO,
    Count,
    Sum,
    chance,
    count,
    is_close,
    middle_of,
    missing_points,
    sets_that_count,
)
from arena.league.model.sets import PlannedSet
from arena.league.table.standings import Standings

PLANNED = (
    PlannedSet(1, ("ant", "bee")),
    PlannedSet(2, ("bee", "cat")),
    PlannedSet(3, ("ant", "cat")),
    PlannedSet(4, ("cat", "ant")),
)


def told(*complete: int) -> Events:
    """The events of these complete sets, each of them played at the second attempt."""
    rows = []
    for number in complete:
        rows += [
            {"event": "match", "set": number, "attempt": 0, "turn": 0},
            {"event": "match", "set": number, "attempt": 1, "turn": 1},
            {"event": "match", "set": number, "attempt": 1, "turn": 0},
            {"event": "set", "set": number, "attempt": 1},
        ]
    return Events(((number, json.dumps(row)) for number, row in enumerate(rows, 1)), Misfits())


@pytest.mark.parametrize(
    ("complete", "benched", "counted"),
    [
        ((1, 2, 3, 4), {}, [1, 2, 3, 4]),
        ((1, 3, 4), {}, [1]),  # set 2 is being played still
        ((2, 3), {}, []),
        ((1, 3), {"bee": 1}, [1, 3]),  # set 2 is left out and makes no gap
        ((1, 2, 3, 4), {"bee": 2}, [1, 2, 3, 4]),
    ],
)
def test_sets_count_up_to_the_first_that_is_not_complete(
    complete: Sequence[int], benched: Mapping[str, int], counted: list[int]
) -> None:
    found = sets_that_count(told(*complete), PLANNED, benched, at_once=False)
    assert [event["set"] for event, _ in found] == counted


def test_of_a_set_the_matches_of_the_attempt_that_stands_count_in_their_order() -> None:
    ((_, played),) = sets_that_count(told(1), PLANNED, {}, at_once=False)
    assert [(match["attempt"], match["turn"]) for match in played] == [(1, 0), (1, 1)]


def played(
    bots: str, places: Sequence[int], forfeits: Sequence[int], scores: Sequence[int], ending: str
) -> dict[str, Any]:
    told = {"places": places, "forfeits": forfeits, "scores": scores, "ending": ending}
    return {"bots": bots.split(), **told}


def opened(*faults: tuple[int, str]) -> dict[str, Any]:
    """What a complete set tells of one of its matches: seat 0 was the quickest."""
    times = [{"number": 2, "us": 10 * seat + 10, "slowest_us": 9 * seat + 9} for seat in range(3)]
    return {
        "decisions": times,
        "faults": [{"seat": seat, "kind": kind} for seat, kind in faults],
    }


A_SET: tuple[Mapping[str, Any], list[Mapping[str, Any]]] = (
    {
        "set": 7,
        "matches": [
            opened((0, "late"), (2, "late")),
            opened((1, "gone"), (2, "late"), (2, "gone")),
            opened((0, "never-started")),
        ],
    },
    [
        played("ant bee cat", (1, 1, 3), (), (5, 5, 1), "turns"),
        played("bee cat ant", (1, 2, 2), (1, 2), (), "forfeit"),
        played("cat ant bee", (2, 1, 1), (0,), (), "not-begun"),
    ],
)


def summed(*values: float) -> Sum:
    return Sum(sum(values), len(values))


def test_a_set_is_counted_bot_by_bot() -> None:
    counts, _, _ = count([A_SET], {})
    assert counts == {
        "ant": Count(
            sets=1,
            matches=3,
            ahead=summed(0.75, 0.0, 1.0),
            ties=summed(0.5, 0.0, 0.0),
            place=summed(1, 2),
            wins=summed(0.5, 0.0),
            points=summed(5),
            places=Counter({1: 1, 2: 1}),
            faults=Counter({"late": 2, "gone": 1}),
            forfeits=1,
            decisions=6,
            us=10 + 30 + 20,
            slowest_us=27,
        ),
        "bee": Count(
            sets=1,
            matches=3,
            ahead=summed(0.75, 1.0, 1.0),
            ties=summed(0.5, 0.0, 0.0),
            place=summed(1, 1),
            wins=summed(0.5, 1.0),
            points=summed(5),
            places=Counter({1: 2}),
            decisions=6,
            us=20 + 10 + 30,
            slowest_us=27,
        ),
        "cat": Count(
            sets=1,
            matches=3,
            ahead=summed(0.0, 0.0, 0.0),
            ties=summed(0.0, 0.0, 0.0),
            place=summed(3, 2, 2),
            wins=summed(0.0, 0.0, 0.0),
            points=summed(1),
            places=Counter({2: 2, 3: 1}),
            faults=Counter({"late": 1, "gone": 1, "never-started": 1}),
            forfeits=2,
            decisions=6,
            us=30 + 20 + 10,
            slowest_us=27,
        ),
    }


def test_pairs_are_counted_but_two_who_are_out_and_two_who_did_not_play() -> None:
    _, weights, points = count([A_SET], {})
    assert weights == pytest.approx(
        {
            ("ant", "bee"): 4 / 3,
            ("bee", "ant"): 4 / 3,
            ("ant", "cat"): 4 / 3,
            ("cat", "ant"): 4 / 3,
            ("bee", "cat"): 2,
            ("cat", "bee"): 2,
        }
    )
    assert points == pytest.approx(
        {
            ("ant", "bee"): 1 / 3,
            ("bee", "ant"): 1,
            ("ant", "cat"): 4 / 3,
            ("cat", "ant"): 0,
            ("bee", "cat"): 2,
            ("cat", "bee"): 0,
        }
    )


def test_pairs_with_a_benched_bot_count_for_neither() -> None:
    counts, weights, points = count([A_SET], {"cat"})
    assert weights == pytest.approx({("ant", "bee"): 4 / 3, ("bee", "ant"): 4 / 3})
    assert points == pytest.approx({("ant", "bee"): 1 / 3, ("bee", "ant"): 1})
    ahead = {name: (mine.ahead, mine.ties, mine.matches) for name, mine in counts.items()}
    assert ahead == {
        "ant": (summed(0.5, 0.0), summed(1.0, 0.0), 3),
        "bee": (summed(0.5, 1.0), summed(1.0, 0.0), 3),
        "cat": (summed(), summed(), 3),
    }


def table(*rows: tuple[str, str, float]) -> Standings:
    """Rows of a part, a name and an Elo."""
    made = [
        SimpleNamespace(part=part, name=name, rating=SimpleNamespace(elo=elo))
        for part, name, elo in rows
    ]
    return cast(Standings, SimpleNamespace(rows=made))


def test_a_bot_with_other_points_than_its_elo_expects_is_named() -> None:
    level = table(("a", "ant", 10.0), ("a", "bee", 10.0), ("b", "cat", 0.0))
    weights = {("ant", "bee"): 2.0, ("bee", "ant"): 2.0, ("ant", "cat"): 9.0, ("cat", "ant"): 9.0}
    points = {("ant", "bee"): 1.0, ("bee", "ant"): 1.0, ("ant", "cat"): 8.0}
    assert [*missing_points(level, weights, points)] == []
    # As few points as nobody could round to.
    nearly = {**points, ("ant", "bee"): 1.0001001}
    assert [*missing_points(level, weights, nearly)] == [
        ("ant", "its Elo expects 1.000 points of it; counted again 1.000")
    ]
    assert [*missing_points(level, weights, {**points, ("ant", "bee"): 1.0000999})] == []
    assert [*missing_points(level, weights, {**points, ("bee", "ant"): 0.25})] == [
        ("bee", "its Elo expects 1.000 points of it; counted again 0.250")
    ]


def test_who_is_above_the_middle_has_more_than_half_of_the_points_and_pays_the_prior() -> None:
    apart = table(("a", "ant", 100.0), ("a", "bee", -100.0))
    weights = {("ant", "bee"): 4.0, ("bee", "ant"): 4.0}
    beside = chance(100 / ELO) - 0.5  # what the imagined tie with the middle costs
    mine = 4 * chance(200 / ELO) + beside
    points = {("ant", "bee"): mine, ("bee", "ant"): 4 - mine}
    assert [*missing_points(apart, weights, points)] == []
    without = {("ant", "bee"): mine - beside, ("bee", "ant"): 4 - mine + beside}
    assert [name for name, _ in missing_points(apart, weights, without)] == ["ant", "bee"]


def test_a_hundred_elo_are_64_points_in_a_hundred() -> None:
    assert chance(100 / ELO) == pytest.approx(0.640065, abs=1e-6)
    assert chance(0.0) == 0.5
    assert chance(-100 / ELO) == pytest.approx(1 - chance(100 / ELO))


def test_at_the_middle_the_imagined_ties_add_up_to_zero() -> None:
    assert middle_of([5.0]) == 5.0
    assert middle_of([-1.0, 1.0]) == pytest.approx(0.0, abs=1e-9)
    values = [0.0, 0.5, 7.0]
    middle = middle_of(values)
    assert math.isclose(sum(chance(value - middle) for value in values), 1.5, abs_tol=1e-12)


def test_numbers_with_a_point_may_differ_by_a_millionth_and_others_not_at_all() -> None:
    assert is_close(1.0, 1.0 + 9e-7)
    assert not is_close(1.0, 1.0 + 2e-6)
    assert is_close(0.0, 9e-7)
    assert not is_close(0.0, 2e-6)
    assert is_close(3, 3)
    assert not is_close(3, 4)
    assert not is_close(None, 0.0)
