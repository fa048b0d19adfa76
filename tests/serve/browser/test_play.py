"""A person plays in a real browser on a phone: whole matches, whatever happens."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from arena import data
from arena.games import GAMES
from tests.league.leagues import Simulated
from tests.serve.running import RunningServer, serving
from tests.serve.told import ToldLeague

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

WIDTH = 375  # pixels, of a phone
RIVAL = "python-random"
GAME = "nope"  # of the league
MOST_CHOICES = 600
PATIENCE_MS = 30_000
# A bot whose first answer of each match is no action of any game.
FAULTY = """\
from protocol import run

def decide(request):
    if request["view"].get("turn") is not None and not getattr(decide, "was", False):
        decide.was = True
        return "fly"
    return request["legal"][0]

run(decide, version="1")
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of a league, where people play against a good bot and one that faults."""
    folder = tmp_path_factory.mktemp("play")
    faulty = folder / "faulty"
    faulty.mkdir()
    (faulty / "bot.py").write_text(FAULTY)
    (faulty / "bot.toml").write_text(
        'name = "faulty"\ncommand = ["{python}", "bot.py"]\ngames = "any"\n'
    )
    rivals = ["--play", str(data.sample_bots() / RIVAL), "--play", str(faulty)]
    bots = ("fox", "owl", "crow", "hare")
    league = Simulated(game=GAME, options={}, bots=bots, sets=2)
    with closing(ToldLeague(folder / "cup.arena", league, 1)) as told:
        (told.folder / "lock").touch()
        with serving(told.folder, options=rivals) as server:
            yield server


@pytest.fixture
def page(served: RunningServer, browser: Browser) -> Iterator[Page]:
    """A page on a phone, which fails the test if a script of ours does."""
    # Without motion, moves that came at once are shown at once.
    context = browser.new_context(viewport={"width": WIDTH, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"http://127.0.0.1:{served.port}/play")
    yield page
    context.close()
    assert problems == []


def deal(page: Page, game: str, rivals: list[str], name: str = "Ada") -> None:
    page.select_option("select[name=game]", game)
    places = page.locator("select[name=rival]")
    for number in range(places.count()):
        places.nth(number).select_option(rivals[number] if number < len(rivals) else "")
    page.fill("input[name=name]", name)
    page.click("#begin button")


CHOICE = ".choices button:not([disabled])"


def choose_to_the_end(page: Page, seed: str, reload_at: int = -1) -> int:
    """Choose at random until the match is over; return the number of choices."""
    rng = random.Random(seed)
    for number in range(MOST_CHOICES):
        page.wait_for_selector(f"{CHOICE}, .places", timeout=PATIENCE_MS)
        if page.locator(".places").count():
            return number
        if number == reload_at:
            page.reload()
            page.wait_for_selector(CHOICE, timeout=PATIENCE_MS)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= WIDTH, "nothing reaches beyond the screen"
        buttons = page.locator(CHOICE)
        buttons.nth(rng.randrange(buttons.count())).click()
    raise AssertionError("the match does not end")


def test_the_game_of_the_league_is_chosen_with_rivals_and_rules_of_it(page: Page) -> None:
    assert page.input_value("select[name=game]") == GAME != next(iter(GAMES))
    rivals = page.locator("select[name=rival]").count()
    assert rivals == max(GAMES[GAME].seats) - 1
    assert page.inner_text("#rules") == " ".join(GAMES[GAME].drawing.in_short)
    page.select_option("select[name=game]", "njet")
    assert page.inner_text("#rules") == " ".join(GAMES["njet"].drawing.in_short)


@pytest.mark.parametrize("game", GAMES)
def test_a_person_plays_a_whole_match_and_reloads_in_the_middle(page: Page, game: str) -> None:
    seats = 4 if 4 in GAMES[game].seats else 2
    deal(page, game, [RIVAL] * (seats - 1))
    assert choose_to_the_end(page, game, reload_at=4) > 4
    places = page.locator(".places li").all_inner_texts()
    assert len(places) == seats
    assert sum("Ada" in each for each in places) == 1
    assert page.is_visible("#begin button")


def test_a_bot_that_faults_costs_the_person_nothing(page: Page) -> None:
    deal(page, "nope", ["faulty"])
    choose_to_the_end(page, "faulty")
    assert page.inner_text(".fault") == ""


def test_whoever_leaves_is_told_and_may_play_again(page: Page) -> None:
    deal(page, "nope", [RIVAL, RIVAL])
    page.wait_for_selector(CHOICE, timeout=PATIENCE_MS)
    page.click("#leave")
    assert "played on without you" in page.inner_text("#said")
    deal(page, "nope", [RIVAL])
    choose_to_the_end(page, "again")


def test_a_name_with_markup_is_text(page: Page) -> None:
    deal(page, "nope", [RIVAL], name="<b id=x>Ada</b>")
    page.wait_for_selector(CHOICE, timeout=PATIENCE_MS)
    assert "<b id=x>Ada</b>" in page.inner_text("#table")
    assert page.locator("#x").count() == 0
    page.click("#leave")


def test_announcements_can_be_paused(page: Page) -> None:
    deal(page, "nope", [RIVAL])
    page.wait_for_selector(CHOICE, timeout=PATIENCE_MS)
    assert page.get_attribute(".told", "aria-live") == "polite"
    page.click("#quiet")
    assert page.get_attribute(".told", "aria-live") == "off"
    assert page.get_attribute("#quiet", "aria-pressed") == "true"
    page.click("#leave")
