"""Matches replayed by workers: the same findings, in the same order, on any number of cores."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.audit import league as module
from arena.audit import replays
from arena.audit.league import audit
from arena.audit.replays import Commitment, processes_for
from tests.audit.damage import Damaged
from tests.audit.honest import Honest, honest

LEAGUE = Honest(void=(2,), unfinished=2, sets=5)


def audited(league: Path) -> tuple[list[str], list[Commitment], tuple[int, ...]]:
    """The findings, the commitments, and how much was looked at."""
    opened: list[Commitment] = []
    report = audit(league, lambda done, of: None, on_commitment=opened.append)
    counts = report.sets, report.matches, report.moves, report.hidden, report.events
    return [*map(str, report.findings.all)], opened, counts


@pytest.mark.parametrize("processes", [1, 3])
def test_workers_find_what_one_process_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    league = honest(tmp_path, LEAGUE)
    damaged = Damaged(league)
    monkeypatch.setattr(module, "processes_for", lambda matches: 0)
    whole = audited(league)
    damaged.flip("matches", "record", number=1, turn=0)
    damaged.record(3, 2, lambda record: {"places": record.places[::-1]})
    damaged.record(4, 0, lambda record: {"nonce": "xx"})
    damaged.execute("UPDATE matches SET ended = 'soon' WHERE number = 5")
    expected = audited(league)
    assert len(expected[0]) > 6
    monkeypatch.setattr(module, "processes_for", lambda matches: processes)
    monkeypatch.setattr(replays, "SETS_AHEAD", 1)
    assert audited(league) == expected
    assert whole[0] == []


def test_a_short_league_is_replayed_in_one_process() -> None:
    assert processes_for(replays.FEWEST_MATCHES - 1) == 0
