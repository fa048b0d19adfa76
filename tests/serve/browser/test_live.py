"""Pages of a served league in a real browser, while the league goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.league.leagues import NASTY, Simulated
from tests.serve.running import RunningServer, serving
from tests.serve.told import ToldLeague

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

BOTS = ("fox", "owl", "crow", "hare", NASTY)
WIDTHS = (375, 1440)
LOOK_MS, MOST_LOOKS = 100, 300


@pytest.fixture
def told(tmp_path: Path) -> Iterator[ToldLeague]:
    league = Simulated(bots=BOTS, sets=12, options={"rounds": 2})
    with closing(ToldLeague(tmp_path / "cup.arena", league, 4)) as told:
        (told.folder / "lock").touch()
        yield told


@pytest.fixture
def server(told: ToldLeague) -> Iterator[RunningServer]:
    with serving(told.folder) as server:
        yield server


@pytest.fixture(params=WIDTHS)
def page(request: Any, browser: Browser) -> Iterator[Page]:
    """A page that fails the test if a script of ours does."""
    context = browser.new_context(viewport={"width": request.param, "height": 800})
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "console",
        lambda said: problems.append(said.text) if said.type == "error" else None,
    )
    yield page
    context.close()
    # A server that is killed is no fault of a script.
    assert [each for each in problems if not each.startswith("Failed to load")] == []


def until(page: Page, expression: str) -> None:
    """Wait until an expression is true. Playwright's own way needs a policy that allows eval."""
    for _ in range(MOST_LOOKS):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(LOOK_MS)
    raise AssertionError(f"never true: {expression}")


def at(server: RunningServer, path: str) -> str:
    return f"http://127.0.0.1:{server.port}/cup/{path}"


def test_the_table_changes_in_place_and_keeps_focus_scroll_and_choices(
    told: ToldLeague, server: RunningServer, page: Page
) -> None:
    page.goto(at(server, ""))
    until(page, "document.querySelector('.lead').textContent.includes('4 of 12')")
    page.evaluate("document.getElementById('settings').open = true")
    page.evaluate("document.getElementById('scroll-1').scrollLeft = 40")
    page.locator("tr[id='row-fox.html'] a.bot").focus()
    page.evaluate("window.scrollTo(0, 150)")
    before = page.evaluate("[scrollY, document.getElementById('scroll-1').scrollLeft]")
    page.evaluate("window.row = document.getElementById('row-fox.html')")
    told.play()
    until(page, "document.querySelector('.lead').textContent.includes('5 of 12')")
    assert page.evaluate("window.row === document.getElementById('row-fox.html')")
    assert page.evaluate("document.activeElement.closest('tr')?.id") == "row-fox.html"
    assert before == page.evaluate("[scrollY, document.getElementById('scroll-1').scrollLeft]")
    assert page.evaluate("document.getElementById('settings').open")
    assert "Set 5 is complete" in page.locator(".ticker").inner_text()
    assert page.evaluate("document.getElementById('live').scrollWidth <= innerWidth")


def test_a_page_finds_its_server_again(told: ToldLeague, page: Page) -> None:
    with serving(told.folder) as first:
        page.goto(at(first, ""))
        until(page, "document.querySelector('.lead').textContent.includes('4 of 12')")
        # The browser sends what it heard last to the one that takes the place of this one.
        worker = first.worker()
        told.play()
        os.kill(worker, signal.SIGKILL)
        until(page, "document.querySelector('.lead').textContent.includes('5 of 12')")
        assert page.locator("#live .link").inner_text() == ""


def test_the_broadcast_goes_on_card_by_card_and_tells_no_result(
    told: ToldLeague, server: RunningServer, page: Page
) -> None:
    page.goto(at(server, "tv"))
    page.wait_for_selector(".viewer .felt", timeout=15_000)
    page.evaluate("window.first = document.querySelector('.where').textContent")
    until(page, "document.querySelector('.where').textContent !== window.first")
    assert not page.locator(".result-strip").is_visible()
    assert not page.locator(".controls").is_visible()
    assert page.locator("#on-air a").inner_text().startswith("match ")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_two_who_watch_the_broadcast_see_the_same_moment(
    told: ToldLeague, server: RunningServer, page: Page
) -> None:
    page.goto(at(server, "tv"))
    page.wait_for_selector(".viewer .felt", timeout=15_000)
    other = page.context.new_page()
    other.goto(at(server, "tv"))
    other.wait_for_selector(".viewer .felt", timeout=15_000)
    moment = "() => document.querySelector('.where').textContent"
    until(other, "document.querySelector('.where').textContent.startsWith('move')")
    # Both are looked at within one card.
    seen = {(page.evaluate(moment), other.evaluate(moment)) for _ in range(20)}
    assert any(one == same for one, same in seen)


def test_a_page_besides_the_table_asks_for_itself_when_the_table_has_changed(
    told: ToldLeague, server: RunningServer, page: Page
) -> None:
    page.goto(at(server, "history.html"))
    page.wait_for_selector("#live", state="attached")
    page.evaluate("window.before = document.getElementById('main').innerHTML")
    told.play()
    until(page, "document.getElementById('main').innerHTML !== window.before")


def test_the_page_about_joining_is_no_wider_than_the_screen(
    told: ToldLeague, server: RunningServer, page: Page
) -> None:
    page.goto(at(server, "join"))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
