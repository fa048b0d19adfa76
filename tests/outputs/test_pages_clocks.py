"""Clocks of single bots on the pages."""

from __future__ import annotations

from pathlib import Path

from arena.league.store import events
from arena.record.timing import BotClock
from tests.league.leagues import NASTY, Simulated, simulate
from tests.outputs.leagues import publish

SLOW = BotClock(decision_ms=5000, bank_ms=10_000, hang_ms=5000)
LEAGUE = Simulated(bots=("fox", "owl", "crow", NASTY), sets=2)


def test_a_row_a_note_and_the_page_of_the_bot_tell_its_own_clock(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE) as store:
        told = (events.entrant(name, name, "hash", clock=SLOW) for name in ("owl", NASTY))
        store.add_events([*told])
        pages = publish(store, tmp_path / "pages")
    index = (pages / "index.html").read_text()
    assert index.count(">own clock</a>") == 2
    (note,) = (line for line in index.splitlines() if 'id="own-clock"' in line)
    assert note.count("has a clock of its own: 5,000 ms a decision") == 2
    assert "<script>" not in note
    assert note.endswith("5,000 ms a decision.</p>")
    assert "clock of its own" in (pages / "bots" / "owl.html").read_text()
    assert "clock of its own" not in (pages / "bots" / "fox.html").read_text()


def test_where_no_bot_has_one_nothing_is_told(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE) as store:
        pages = publish(store, tmp_path / "pages")
    assert "own clock" not in (pages / "index.html").read_text()
    assert "own-clock" not in (pages / "index.html").read_text()
