"""The second count: from events alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest

from arena.audit.events import Events
from arena.audit.findings import Misfits
from arena.audit.recount import sets_that_count
from arena.league.model.sets import PlannedSet

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
    found = sets_that_count(told(*complete), PLANNED, benched)
    assert [event["set"] for event, _ in found] == counted


def test_of_a_set_the_matches_of_the_attempt_that_stands_count_in_their_order() -> None:
    ((_, played),) = sets_that_count(told(1), PLANNED, {})
    assert [(match["attempt"], match["turn"]) for match in played] == [(1, 0), (1, 1)]
