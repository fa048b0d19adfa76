"""`complete.db` against `league.db`: it may be behind, and has nothing that is not to be shown."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from arena.audit.findings import Misfits
from arena.audit.rows import MatchRow, Rows, SetRow
from arena.league.store.database import COMPLETE, opened_as_it_is, translated
from arena.league.store.folder import COMPLETE_SETS


@contextmanager
def open_copy(folder: Path, findings: Misfits) -> Iterator[sqlite3.Connection | None]:
    """Open one moment of the copy; None if there is none, as in a league of an earlier version.

    It is opened before `league.db` is, so that in a running league it is not the later moment.
    """
    file = folder / COMPLETE_SETS
    found = None
    if file.exists():
        with findings.guard(file), translated(file):
            found, _ = opened_as_it_is(file, COMPLETE)
    if found is None:
        yield None
        return
    with closing(found):
        with findings.guard(file):
            found.text_factory = lambda data: data.decode("utf-8", "replace")
            found.execute("BEGIN")
            found.execute("SELECT count(*) FROM events")
        yield found


def compare(
    copy: sqlite3.Connection,
    rows: Rows,
    settings: Mapping[str, Any],
    digest: bytes,
    findings: Misfits,
) -> None:
    """Compare the copy with the rows of `league.db`.

    `settings`: of the league, as JSON values. `digest`: of its secrets.
    """
    before = len(findings.all)
    with findings.guard(COMPLETE_SETS):
        for (damage,) in copy.execute("PRAGMA quick_check"):
            if damage != "ok":
                findings.add(COMPLETE_SETS, damage)
        facts = dict(copy.execute("SELECT name, value FROM facts").fetchall())
        if facts.get("league") != digest:
            findings.add(COMPLETE_SETS, "is of another league")
        is_behind = _compare_events(copy, rows, findings)
        if not is_behind and json.loads(facts["settings"]) != _shown(settings):
            findings.add(COMPLETE_SETS, "its settings are not the league's")
        entrants = copy.execute("SELECT name, owner, content FROM entrants ORDER BY place")
        ours, theirs = entrants.fetchall(), rows.entrants()
        if ours != (theirs[: len(ours)] if is_behind else theirs):
            findings.add(COMPLETE_SETS, "its entrants are not the league's")
        _compare_sets(copy, rows, findings, is_behind=is_behind)
    if len(findings.all) > before:
        findings.add(COMPLETE_SETS, "is to be removed: `arena league` makes it anew")


def _shown(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings without the seed: all deals follow from it."""
    return {**settings, "seed": None if settings.get("seed") is None else ""}


def _compare_events(copy: sqlite3.Connection, rows: Rows, findings: Misfits) -> bool:
    """Compare event by event; return whether the copy lacks the last ones."""
    theirs = rows.events()
    for number, body in copy.execute("SELECT number, body FROM events ORDER BY number"):
        if next(theirs, None) != (number, body):
            findings.add(f"{COMPLETE_SETS}, event {number}", "is not that of the league")
            return True
    return next(theirs, None) is not None


def _compare_sets(
    copy: sqlite3.Connection, rows: Rows, findings: Misfits, *, is_behind: bool
) -> None:
    truth = {row.number: row for row in rows.sets()}
    numbers = {number for (number,) in copy.execute("SELECT number FROM sets")}
    if not is_behind and numbers != truth.keys():
        findings.add(COMPLETE_SETS, "its sets are not those of the schedule")
    copied = {number for (number,) in copy.execute("SELECT DISTINCT number FROM matches")}
    for number in sorted(numbers | copied):
        where = f"{COMPLETE_SETS}, set {number}"
        with findings.guard(where):
            row = truth.get(number)
            shown = rows.matches(number) if row is not None else []
            if row is None or not row.is_complete:
                _expect_no_match(copy, number, where, findings)
            if row is None or number not in numbers:
                findings.add(where, "is not in the schedule")
                continue
            _compare_set(copy, row, shown, _progress(copy, number), findings, is_behind=is_behind)


def _progress(copy: sqlite3.Connection, number: int) -> tuple[SetRow, str, str]:
    """Return a set of the copy, with its turns and its voids."""
    line_up, attempt, is_complete, turns, voids = copy.execute(
        "SELECT line_up, attempt, is_complete, turns, voids FROM sets WHERE number = ?", (number,)
    ).fetchone()
    return SetRow(number, line_up, attempt, is_complete), turns, voids


def _expect_no_match(copy: sqlite3.Connection, number: int, where: str, findings: Misfits) -> None:
    if copy.execute("SELECT 1 FROM matches WHERE number = ?", (number,)).fetchone():
        findings.add(where, "it shows matches of a set that is not complete")


def _compare_set(
    copy: sqlite3.Connection,
    row: SetRow,
    matches: list[MatchRow],
    ours: tuple[SetRow, str, str],
    findings: Misfits,
    *,
    is_behind: bool,
) -> None:
    found, turns, voids = ours
    where = f"{COMPLETE_SETS}, set {row.number}"
    if found.line_up != row.line_up:
        findings.add(where, "its line-up is not that of the schedule")
    current = [each for each in matches if each.attempt == row.attempt]
    void = [_annulled(matches, attempt) for attempt in range(row.attempt)]
    is_same = (found.attempt, found.is_complete) == (row.attempt, row.is_complete) and (
        json.loads(turns) == [each.turn for each in current]
    )
    if not (is_same and json.loads(voids) == void) and (found.is_complete or not is_behind):
        findings.add(where, "its progress is not the league's")
    if row.is_complete and found.is_complete:
        rows = copy.execute(
            "SELECT number, attempt, turn, ended, stood, processes, record FROM matches"
            " WHERE number = ? ORDER BY attempt, turn",
            (row.number,),
        )
        copied = [MatchRow(*each) for each in rows]
        if copied != current:
            findings.add(where, "its matches are not those of the league")


def _annulled(matches: list[MatchRow], attempt: int) -> str:
    """Name the bot for which an attempt is void; "" if arena itself failed."""
    void = [each for each in matches if each.attempt == attempt]
    return void[-1].played().annulled or "" if void else ""
