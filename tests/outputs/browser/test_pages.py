"""Every kind of page in a real browser: looks, sorting, keeping itself up to date."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.league.leagues import Simulated, schedule, simulate
from tests.outputs.browser.conftest import Open, kinds_of_pages
from tests.outputs.browser.watched import Watched
from tests.outputs.leagues import KeptPages, play, publish

pytestmark = pytest.mark.browser

EVERY_KIND = pytest.mark.parametrize("path", kinds_of_pages())


def names_in_order(watched: Watched) -> list[str]:
    names: list[str] = watched.find(".standings tbody:first-of-type .bot").all_inner_texts()
    return names


def complaints(watched: Watched) -> list[Any]:
    """What axe-core finds: everything it knows to look for."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(watched.page).response["violations"]
    return [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found]


@EVERY_KIND
def test_a_page_fits_any_window_and_axe_finds_nothing(look: Open, address: str, path: str) -> None:
    watched = look(f"{address}/{path}")
    assert watched.overflow == 0
    assert complaints(watched) == []
    watched.page.set_viewport_size({"width": 375, "height": 800})
    watched.page.emulate_media(color_scheme="dark")
    assert watched.overflow == 0
    assert complaints(watched) == []


@EVERY_KIND
def test_a_page_can_be_read_without_scripts(look: Open, address: str, path: str) -> None:
    watched = look(f"{address}/{path}", has_scripts=False)
    assert watched.find("h1").count() == 1
    assert watched.find("table, .chart").first.is_visible()
    if "/sets/" in path:
        assert "seat" in watched.text(".of-match >> nth=0").lower()
        assert watched.find(".sheet pre").count() or "begin" in watched.text(".of-match >> nth=0")
        assert not watched.find("#viewer").is_visible()


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_a_table_is_sorted_by_any_column(
    look: Open, address: str, leagues: Path, scheme: str
) -> None:
    root = address if scheme == "http" else leagues.as_uri()
    watched = look(f"{root}/nyet/index.html")
    in_order = names_in_order(watched)
    watched.find("th.who button").click()
    assert names_in_order(watched) == sorted(in_order, key=str.lower)
    assert watched.find("th.who").first.get_attribute("aria-sort") == "ascending"
    watched.find("th.who button").click()
    assert names_in_order(watched) == sorted(in_order, key=str.lower, reverse=True)
    watched.find("th:has-text('Elo') button").focus()
    watched.press("Enter")
    assert names_in_order(watched) == in_order


def test_benched_bots_stay_below_whatever_a_table_is_sorted_by(look: Open, address: str) -> None:
    watched = look(f"{address}/benched/index.html")
    watched.find("th.who button").click()
    assert len(watched.find("tbody.benched tr").all()) == 2
    assert watched.find("tbody").last.get_attribute("class") == "benched"


def test_the_matrix_shows_what_is_asked_for(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/matrix.html")
    cell = watched.find(".matrix tbody td:not(.same):not(.never)").first
    shown = [cell.inner_text()]
    for label in ("meetings", "likelihood of being better, %"):
        watched.page.get_by_label(label).check()
        shown.append(cell.inner_text())
    assert shown == cell.locator("span").all_text_contents()


LEAGUE = Simulated(bots=("fox", "owl", "crow", "hare", "mole"), sets=4)


def test_an_open_page_keeps_up_with_its_league_and_its_reader(
    look: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    with simulate(tmp_path, LEAGUE, 2) as store:
        pages = KeptPages(tmp_path / "pages")
        pages.write(store)
        watched = look(f"{serve(tmp_path / 'pages')}/index.html", width=600, has_clock=True)
        watched.find("th.who button").click()
        watched.script("document.querySelector('.scroll').scrollLeft = 150")
        watched.script("window.scrollTo(0, 300)")
        play(store, LEAGUE, schedule(LEAGUE)[2:3])
        pages.write(store)
        assert "2 of 4 sets running" in watched.text(".lead")
        watched.page.clock.run_for(5_100)
        watched.find(".lead:has-text('3 of 4 sets')").wait_for()
        assert names_in_order(watched) == sorted(names_in_order(watched))
        assert watched.script("document.querySelector('.scroll').scrollLeft") == 150
        assert watched.script("window.scrollY") == 300
        assert watched.script("document.activeElement.textContent") == "bot"

        play(store, LEAGUE, schedule(LEAGUE)[3:4])
        pages.write(store)
        watched.page.clock.run_for(5_100)
        watched.find("main:not([data-running])").wait_for()
        assert "finished" in watched.text(".lead")
        # A finished league's page asks no more.
        asked = len(watched.requests)
        watched.page.clock.run_for(20_000)
        assert len(watched.requests) == asked


def test_a_page_whose_server_has_gone_stays_as_it_is(
    look: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    with simulate(tmp_path, LEAGUE, 1) as store:
        publish(store, tmp_path / "pages")
    watched = look(f"{serve(tmp_path / 'pages')}/index.html", has_clock=True)
    before = watched.find("main").inner_html()
    (tmp_path / "pages" / "index.html").unlink()
    with watched.page.expect_response("**/index.html") as answer:
        watched.page.clock.run_for(5_100)
    assert answer.value.status == 404
    assert watched.find("main").inner_html() == before
    # The browser itself notes the 404, whatever the page does.
    assert all("404" in problem for problem in watched.problems)
    watched.problems.clear()


def test_a_chart_shows_its_bands_where_they_are_pointed_at(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/history.html")
    band = "getComputedStyle(document.querySelector('.line .band')).opacity"
    assert watched.script(band) == "0"
    watched.find(".line:has(.band) .label").first.hover()
    assert float(watched.script(band)) > 0.1


def test_a_page_prints(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/index.html")
    watched.page.emulate_media(media="print")
    assert not watched.find(".top nav").is_visible()
    assert watched.page.pdf(format="A4", landscape=True)[:5] == b"%PDF-"
