"""Indexes of events: what is rare is found without reading the rest."""

from __future__ import annotations

import json
from pathlib import Path

from arena.league.plan.roster import Roster
from arena.league.store import events
from arena.league.store.database import FREQUENT, IS_RARE, IS_SET, where_of
from tests.audit.damage import Damaged
from tests.audit.honest import Honest, honest


def test_events_are_known_by_the_text_in_which_they_are_written(tmp_path: Path) -> None:
    league = Damaged(honest(tmp_path, Honest(sets=2)))
    kinds = [json.loads(body)["event"] for (body,) in league.execute("SELECT body FROM events")]
    for where, expected in (
        (IS_RARE, [kind for kind in kinds if kind not in FREQUENT]),
        (IS_SET, [kind for kind in kinds if kind == "set"]),
    ):
        found = league.execute(f"SELECT body FROM events WHERE {where} ORDER BY number")
        assert [json.loads(body)["event"] for (body,) in found] == expected


def test_few_events_are_found_by_an_index(tmp_path: Path) -> None:
    league = Damaged(honest(tmp_path, Honest(sets=2)))
    for where, index in ((where_of(Roster.KINDS), "rare_events"), (IS_SET, "set_events")):
        (plan,) = league.execute(f"EXPLAIN QUERY PLAN SELECT body FROM events WHERE {where}")
        assert f"USING INDEX {index}" in plan[-1]
    assert where_of([*Roster.KINDS, "set"]) == "1"


def test_every_kind_but_those_of_matches_and_sets_is_rare() -> None:
    assert [*FREQUENT] == ["match", "set"]
    assert events.KINDS.keys() >= {*FREQUENT}
