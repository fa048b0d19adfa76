"""A browser, and a web server on loopback that knows nothing but files.

Playwright is imported where it is used: tests that are not asked for need not have it.
"""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from arena.league.store.store import Store
from tests.league.leagues import NASTY, Simulated, simulate
from tests.outputs.browser.watched import Watched
from tests.outputs.leagues import publish, two_parts

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Open: TypeAlias = Callable[..., Watched]

BOTS = ("fox", "owl", "Crow", "hare", "mole", "a_bot_with_a_rather_long_name", NASTY)
LEAGUES = {
    "nyet": Simulated(bots=BOTS, sets=4, options={"rounds": 2}),
    "njet": Simulated(game="njet", seats=5, bots=BOTS, sets=1, options={"rounds": 1}),
    "njet-it": Simulated(game="njet-it", bots=BOTS, sets=1, options={"rounds": 1}),
    "nope": Simulated(game="nope", seats=6, bots=BOTS, sets=1, options={}),
    "nope-of-two": Simulated(game="nope", seats=2, bots=BOTS, sets=1, options={}),
    "nyet-of-2": Simulated(seats=2, bots=BOTS[-2:], sets=1, options={"rounds": 1}),
    "nyet-of-3": Simulated(seats=3, bots=BOTS[-3:], sets=1, options={"rounds": 1}),
    "nyet-of-5": Simulated(seats=5, bots=BOTS[-5:], sets=1, options={"rounds": 1}),
    "nope-of-4": Simulated(game="nope", seats=4, bots=BOTS[-4:], sets=1, options={}),
    "benched": Simulated(bots=BOTS, sets=10, illegal=(NASTY,), absent=("hare",)),
    "absent": Simulated(seats=2, bots=("fox", "owl"), sets=1, absent=("fox", "owl")),
    "moved": Simulated(seats=2, bots=("fox", "owl"), sets=1, options={"rounds": 1}),
}
# Pages that an earlier version has left, in the league "moved".
OLDER = ("matches/1-1.html", "matches/1-2.html")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def leagues(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The pages of several leagues, each in a folder of its name."""
    folder = tmp_path_factory.mktemp("leagues")
    stores: dict[str, Store] = {}
    with ExitStack() as stack:
        for name, league in LEAGUES.items():
            stores[name] = stack.enter_context(simulate(folder / "stores" / name, league))
        stores["parts"] = stack.enter_context(two_parts(folder / "stores" / "parts"))
        for file in OLDER:
            (folder / "moved" / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / "moved" / file).write_text("the page of one match")
        for name, store in stores.items():
            publish(store, folder / name)
        yield folder


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], str]]:
    """A folder's address on loopback."""
    with ExitStack() as stack:

        def start(folder: Path) -> str:
            handler = functools.partial(Quiet, directory=str(folder))
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}"

        yield start


@pytest.fixture(scope="session")
def address(leagues: Path, serve: Callable[[Path], str]) -> str:
    return serve(leagues)


@pytest.fixture
def look(browser: Browser) -> Iterator[Open]:
    """Opens a page, watched: at the end nothing must have gone wrong in it."""
    opened: list[Watched] = []

    def open_page(
        url: str,
        *,
        width: int = 1280,
        is_dark: bool = False,
        has_scripts: bool = True,
        has_clock: bool = False,
        has_motion: bool = False,
    ) -> Watched:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if is_dark else "light",
            java_script_enabled=has_scripts,
            reduced_motion="no-preference" if has_motion else "reduce",
        )
        watched = Watched(context.new_page(), url)
        opened.append(watched)
        if has_clock:
            watched.page.clock.install()
        watched.page.goto(url)
        return watched

    yield open_page
    for watched in opened:
        watched.page.context.close()
    assert [problem for watched in opened for problem in watched.problems] == []


def kinds_of_pages() -> Sequence[str]:
    """A page of every kind, of leagues of every kind."""
    return (
        "nyet/index.html",
        "nyet/matrix.html",
        "nyet/history.html",
        "nyet/bots/fox.html",
        "benched/versus/fox/owl.html",
        "nyet/sets/000/1.html",
        "nyet/sets/000/1.html#match=1",
        "nyet/deals.html",
        "nope/game.html",
        "nope/sets/000/1.html",
        "njet/sets/000/1.html#match=1&move=60&as=open",
        "njet-it/sets/000/1.html#match=2&move=40&as=seat1",
        "nope/index.html",
        "nope/sets/000/1.html#match=1&move=30&as=open",
        "nope-of-two/sets/000/1.html#match=1&move=end",
        "benched/index.html",
        "benched/bots/hare.html",
        "benched/sets/000/1.html#match=1&move=end&as=open",
        "parts/index.html",
        "parts/history.html",
    )
