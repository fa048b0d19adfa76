"""Bots that dial in on the pages of a league that runs: who is here, and who is away."""

from __future__ import annotations

from pathlib import Path

from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.store import events
from arena.league.store.store import Store
from tests.league.leagues import NASTY, Simulated, simulate
from tests.outputs.leagues import KeptPages, publish
from tests.outputs.reading import read

LEAGUE = Simulated(bots=("fox", "owl", "crow", NASTY), sets=2)
AWAY = '<span class="tag" title="away since 2026-11-19 20:30 UTC">away</span>'
HERE = '<span class="tag">here</span>'


def dialling_in(folder: Path, played: int = 1) -> Store:
    """The league so far; owl, the bot with a nasty name and newt, which has no set, dial in."""
    store = simulate(folder, LEAGUE, played)
    callers = ("owl", NASTY, "newt")
    store.add_entrants(
        [("newt", "newt", UNKNOWN_CONTENT)],
        [events.entrant(name, name, UNKNOWN_CONTENT) for name in callers],
    )
    return store


def away(name: str) -> events.Event:
    return {**events.away(name, ()), "at": "2026-11-19T20:30:59Z"}


def test_rows_bots_that_wait_and_pages_of_bots_tell_who_is_here_and_who_away(
    tmp_path: Path,
) -> None:
    with dialling_in(tmp_path) as store:
        store.add_events([events.here("owl"), events.here(NASTY), events.here("newt")])
        store.add_events([away(NASTY), away("newt")])
        folder = publish(store, tmp_path / "pages")
    page, text = read(folder / "index.html"), (folder / "index.html").read_text()
    assert page.row_of("owl")[1].endswith("here")
    assert page.row_of(NASTY[:20])[1].endswith("away")
    assert not page.row_of("fox")[1].endswith(("here", "away"))
    assert (text.count(HERE), text.count(AWAY)) == (1, 2)
    (waiting,) = (line for line in text.splitlines() if "Waiting for a first" in line)
    assert waiting.endswith(f"{AWAY}.</p>")
    told = {name: read(folder / "bots" / f"{name}.html").text for name in ("owl", "newt", "fox")}
    assert "here It dials in, and is connected." in told["owl"]
    assert "away It dials in, and has been away since 2026-11-19 20:30 UTC." in told["newt"]
    assert "dials in" not in told["fox"]


def test_a_bot_that_comes_or_goes_changes_its_page_and_the_table_alone(tmp_path: Path) -> None:
    with dialling_in(tmp_path) as store:
        folder = tmp_path / "pages"
        pages = KeptPages(folder)
        pages.write(store)
        for event in (events.here("owl"), away("owl")):
            before = {path: path.read_text() for path in folder.rglob("*.html")}
            store.add_events([event])
            pages.write(store)
            changed = {path for path, text in before.items() if path.read_text() != text}
            assert changed == {folder / "index.html", folder / "bots" / "owl.html"}


def test_pages_of_a_league_that_is_finished_tell_of_nobody(tmp_path: Path) -> None:
    with dialling_in(tmp_path, LEAGUE.sets) as store:
        store.add_events([events.here("owl")])
        folder = publish(store, tmp_path / "pages")
    assert read(folder / "index.html").row_of("owl")[1] == "owlprovisional"
    assert "dials in" not in read(folder / "bots" / "owl.html").text
