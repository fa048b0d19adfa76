"""Names in the table, and the way to play, in windows of several widths."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from arena import data
from tests.league.leagues import Simulated
from tests.serve.running import RunningServer, serving
from tests.serve.told import ToldLeague

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

LONG = ("the-patient-tortoise-of-the-north", "python-probability-matching")
BOTS = (*LONG, "owl", "hare")
CUT = """[...document.querySelectorAll('.standings .bot')]
    .filter((each) => each.scrollWidth > each.offsetWidth).map((each) => each.innerText)"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("served")
    with closing(ToldLeague(folder / "cup.arena", Simulated(bots=BOTS, sets=6), 4)) as told:
        (told.folder / "lock").touch()
        with serving(
            told.folder, options=["--play", str(data.sample_bots() / "python-random")]
        ) as server:
            yield server


@pytest.mark.parametrize(("width", "cut"), [(1440, []), (1600, []), (375, list(LONG))])
def test_long_names_stand_whole_where_there_is_room(
    server: RunningServer, browser: Browser, width: int, cut: list[str]
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(f"http://127.0.0.1:{server.port}/cup/")
    assert page.evaluate("document.querySelectorAll('.standings .tag').length") == len(BOTS)
    assert sorted(page.evaluate(CUT)) == sorted(cut)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_a_visitor_on_a_phone_finds_the_way_to_play(
    server: RunningServer, browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": 375, "height": 800})
    page.goto(f"http://127.0.0.1:{server.port}/cup/")
    page.click("nav >> text=Play")
    assert page.inner_text("h1") == "Play against bots"
    page.close()
