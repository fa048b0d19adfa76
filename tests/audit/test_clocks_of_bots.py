"""Clocks of single bots, compared with the events."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from arena.audit.events import Events, check_rows
from arena.audit.findings import Misfits
from arena.audit.match import of_clocks
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import PlannedSet
from arena.league.store import events
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.record.timing import BotClock
from tests.audit.honest import Honest, honest
from tests.audit.test_rows_of_bots import match
from tests.cli.test_main import run

SLOW = BotClock(decision_ms=5000, bank_ms=10_000, hang_ms=5000)
FOX = events.entrant("fox", "fox", "1", clock=SLOW)
OWL = events.entrant("owl", "owl", "2")


def rows(*told: events.Event) -> list[str]:
    findings = Misfits()
    check_rows(Events(enumerate(map(json.dumps, told), 1), findings), findings)
    return [str(each) for each in findings.all]


def played(folder: Path) -> tuple[LeagueMatch, PlannedSet]:
    with Reader.read(honest(folder, Honest(sets=1)) / DATABASE) as store:
        (one,) = store.complete_sets()
        return one.matches[1], store.sets()[0].planned


def test_a_bot_whose_clock_changed_before_it_played_is_well() -> None:
    faster = events.changed("fox", "fox", "1", (), clock=None)
    assert rows(FOX, OWL, faster, match(1, "fox", "owl")) == []


def test_a_bot_whose_clock_changed_after_it_played_is_found() -> None:
    faster = events.changed("fox", "fox", "1", (), clock=None)
    (told,) = rows(FOX, OWL, match(1, "fox", "owl"), faster)
    assert "fox had played with another clock" in told


def test_a_match_is_compared_with_the_clocks_of_its_bots(tmp_path: Path) -> None:
    one, planned = played(tmp_path)
    names = planned.seating(1)
    assert [*of_clocks(one, planned, {})] == []
    assert [*of_clocks(one, planned, {names[2]: SLOW})] == [
        f"seat 2 had the clock of the league in the record, and {names[2]} has decision_ms 5000,"
        " bank_ms 10000, hang_ms 5000 in the events"
    ]
    clocks = tuple(SLOW if seat == 2 else None for seat in range(len(names)))
    with_clocks = replace(one, record=replace(one.record, clocks=clocks))
    assert [*of_clocks(with_clocks, planned, {names[2]: SLOW})] == []
    assert len([*of_clocks(with_clocks, planned, {})]) == 1


def test_verify_looks_at_the_clocks_of_a_league(tmp_path: Path) -> None:
    home = honest(tmp_path, Honest(sets=1))
    with Reader.read(home / DATABASE) as store:
        name = store.sets()[0].planned.line_up[0]
        (number,) = (at for at, each in store.events() if each.get("name") == name)
    with closing(sqlite3.connect(home / DATABASE)) as db, db:
        db.execute(
            "UPDATE events SET body = json_set(body, '$.clock', json(?)) WHERE number = ?",
            (json.dumps(SLOW.in_words()), number),
        )
    code, output = run("verify", str(home))
    assert code == 1
    assert f"{name} has decision_ms 5000" in output
