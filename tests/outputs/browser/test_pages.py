"""Every kind of page in a real browser: looks, sorting, keeping itself up to date."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
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
    watched.resize(375, 800)
    watched.page.emulate_media(color_scheme="dark")
    assert watched.overflow == 0
    assert complaints(watched) == []


@EVERY_KIND
def test_a_page_can_be_read_without_scripts(look: Open, address: str, path: str) -> None:
    watched = look(f"{address}/{path}", has_scripts=False)
    assert watched.find("h1").count() == 1
    assert watched.find("main :is(table, .chart, p)").first.is_visible()
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


MANY = [f"bot-{number}" for number in range(1, 101)]


@pytest.fixture(scope="module")
def many(serve: Callable[[Path], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a league of a hundred bots."""
    folder = tmp_path_factory.mktemp("many")
    league = Simulated(game="nope", bots=MANY, sets=90, options={"hand": 2, "max_turns": 10})
    with simulate(folder / "store", league) as store:
        publish(store, folder / "pages")
    return serve(folder / "pages")


@pytest.mark.parametrize(("width", "height", "rows"), [(1440, 900, 10), (375, 667, 6)])
def test_the_first_rows_of_a_table_are_above_the_fold(
    look: Open, many: str, width: int, height: int, rows: int
) -> None:
    watched = look(f"{many}/index.html")
    watched.page.set_viewport_size({"width": width, "height": height})
    whole = watched.script(
        """[...document.querySelectorAll(".standings tbody tr")]
           .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length"""
    )
    assert whole >= rows


@pytest.mark.parametrize("width", [1440, 1024, 375])
def test_the_head_of_a_long_table_stays_in_sight(look: Open, many: str, width: int) -> None:
    watched = look(f"{many}/index.html", width=width)
    watched.find(".standings tbody tr").nth(80).scroll_into_view_if_needed()
    assert watched.find(".standings tbody tr").nth(80).is_visible()
    top, bottom = watched.script(
        """(() => { const { top, bottom } =
             document.querySelector(".standings thead").rows[0].cells[2].getBoundingClientRect();
           return [top, bottom]; })()"""
    )
    assert 0 <= top < bottom <= 800


@pytest.mark.parametrize("path", ["nyet/index.html", "nyet/sets/000/1.html", "nyet/bots/fox.html"])
def test_what_a_row_is_about_stays_when_a_wide_table_is_scrolled(
    look: Open, address: str, path: str
) -> None:
    watched = look(f"{address}/{path}", width=300)
    lefts = """[...document.querySelectorAll(".scroll table:not(.sets)")].map((table) => {
      const row = table.tBodies[0].rows[0], box = table.parentNode;
      const lefts = () => [...row.querySelectorAll(".rank, th")].map((cell) =>
        Math.round(cell.getBoundingClientRect().left));
      const before = lefts();
      box.scrollLeft = 60;
      return [box.scrollLeft, before.join(), lefts().join()];
    })"""
    found = watched.script(lefts)
    assert found[0][0] > 40
    assert all(before == after for _, before, after in found)


def test_a_phone_shows_how_sure_a_rank_is_without_scrolling(look: Open, many: str) -> None:
    watched = look(f"{many}/index.html", width=375)
    right = """[...document.querySelectorAll(".standings thead th")]
      .find((head) => head.textContent.startsWith("above next")).getBoundingClientRect().right"""
    assert watched.script(right) <= 375


def test_a_table_is_filtered_by_name_and_stays_so_when_it_is_sorted(look: Open, many: str) -> None:
    watched = look(f"{many}/index.html")
    watched.page.get_by_label("Find a bot by its name").fill("BOT-9")
    shown = watched.find(".standings tbody tr:visible .bot")
    expected = [name for name in MANY if name.startswith("bot-9")]
    assert sorted(shown.all_inner_texts()) == sorted(set(expected) & set(names_in_order(watched)))
    assert watched.text("#found-bots") == f"{shown.count()} found"
    watched.find("th.who button").click()
    assert shown.all_inner_texts() == sorted(shown.all_inner_texts())
    watched.page.get_by_label("Find a bot by its name").fill("")
    assert shown.count() == watched.find(".standings tbody tr").count()


def test_a_short_table_has_no_filter(look: Open, address: str) -> None:
    assert look(f"{address}/nyet/index.html").find(".filter").count() == 0


def test_times_are_told_by_how_long_ago_they_are(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/index.html", has_clock=True)
    time = watched.find(".news time")
    moment = time.get_attribute("datetime") or ""
    title = time.get_attribute("title")
    assert title == moment.replace("T", " ").replace("Z", " UTC")
    at = datetime.fromisoformat(moment)
    for later, told in ((7, "7 s"), (150, "2 min"), (7300, "2 h"), (90_000, "1 day")):
        watched.page.clock.set_fixed_time(at + timedelta(seconds=later))
        watched.page.clock.run_for(1_100)
        assert time.inner_text() == f"{told} ago"
    without = look(f"{address}/nyet/index.html", has_scripts=False)
    assert without.find(".news time").inner_text() == title


def test_a_running_league_without_news_says_that_it_may_be_down(
    look: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    with simulate(tmp_path, LEAGUE, 8) as store:
        publish(store, tmp_path / "pages")
    watched = look(f"{serve(tmp_path / 'pages')}/index.html", has_clock=True)
    last = datetime.fromisoformat(watched.find(".news time").get_attribute("datetime") or "")
    for later, is_told in ((30, False), (700, True)):
        watched.page.clock.set_fixed_time(last + timedelta(seconds=later))
        watched.page.clock.run_for(1_100)
        assert watched.find("[data-stale]").is_visible() == is_told


def test_the_matrix_shows_what_is_asked_for(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/matrix.html")
    at = watched.script(
        """[...document.querySelectorAll(".matrix tbody tr:first-child td")]
           .findIndex((cell) => cell.textContent)"""
    )
    cell = watched.find(".matrix tbody tr").nth(0).locator("td").nth(at)
    mirrored = watched.find(".matrix tbody tr").nth(at).locator("td").nth(0)
    assert int(cell.inner_text()) + int(mirrored.inner_text()) == 100
    watched.page.get_by_label("meetings").check()
    assert cell.inner_text() == mirrored.inner_text()
    assert int(cell.inner_text()) % 4 == 0
    watched.page.get_by_label("likelihood of being better, %").check()
    better = (cell.inner_text(), mirrored.inner_text())
    assert better in {("–", "–"), ("<1", ">99"), (">99", "<1")} or sum(map(int, better)) == 100


def test_a_cell_is_tinted_by_how_far_it_is_from_one_half(look: Open, many: str) -> None:
    watched = look(f"{many}/matrix.html")
    found = watched.script(
        """[...document.querySelectorAll(".matrix tbody td")]
           .map((cell) => [cell.textContent, cell.className])"""
    )
    tints = dict(map(tuple, found))
    assert tints.pop("") in ("same", "never")
    wanted = {"50": "", "52": "", "60": "u1", "38": "d1", "100": "u5", "0": "d5"}
    assert {share: name for share, name in wanted.items() if share in tints}.items() <= (
        tints.items()
    )
    assert {"50", "0", "100"} <= tints.keys()


def test_the_tint_repeats_the_number_that_a_cell_shows(look: Open, many: str) -> None:
    watched = look(f"{many}/matrix.html")
    pairs = """[...document.querySelectorAll(".matrix tbody td:not(.same, .never)")]
               .map((cell) => [cell.textContent, cell.className])"""
    watched.page.get_by_label("likelihood of being better, %").check()
    sides = {
        share: tint[:1]
        for share, tint in watched.script(pairs)
        if share.isdigit() and abs(int(share) - 50) > 5
    }
    assert {"u", "d"} == {*sides.values()}
    assert all(side == ("u" if int(share) > 50 else "d") for share, side in sides.items())
    watched.page.get_by_label("meetings").check()
    assert {tint for _, tint in watched.script(pairs)} == {""}
    watched.find("#show-ahead").check()
    assert {tint for share, tint in watched.script(pairs) if share == "100"} == {"u5"}


def test_few_columns_of_the_matrix_have_whole_names(look: Open, address: str) -> None:
    watched = look(f"{address}/benched/matrix.html", width=1440)
    widths = """[...document.querySelectorAll(".col-name")].filter((name) =>
                name.textContent.length < 14 && name.scrollWidth > name.clientWidth).length"""
    assert watched.find(".col-name").count() > 1
    assert watched.script(widths) == 0


def test_a_cell_of_the_matrix_leads_to_its_two_bots_by_pointer_and_by_keys(
    look: Open, address: str
) -> None:
    watched = look(f"{address}/nyet/matrix.html")
    names = watched.find(".matrix tbody .bot").all_inner_texts()
    cells = watched.find(".matrix td a")
    assert cells.count() == 1  # the one that the Tab key leads to
    cells.focus()
    watched.press("ArrowDown", "ArrowRight", "ArrowLeft")
    at = watched.script(
        """(() => { const cell = document.activeElement.closest("td");
           return [cell.parentNode.rowIndex - 1, cell.cellIndex - 1]; })()"""
    )
    assert watched.find(".matrix td a[tabindex='0']").count() == 1
    watched.press("Enter")
    watched.page.wait_for_url("**/versus/**")
    assert {watched.find("h1 .bot").nth(each).inner_text() for each in (0, 1)} == {
        names[each] for each in at
    }
    watched.page.go_back()
    watched.find(".matrix tbody tr").nth(0).locator("td").nth(2).click()
    watched.page.wait_for_url("**/versus/**")
    assert set(watched.find("h1 .bot").all_inner_texts()) == {names[0], names[2]}


def test_any_bot_can_be_chosen_for_the_chart_of_ratings(look: Open, many: str) -> None:
    watched = look(f"{many}/history.html", width=375)
    lines = watched.find(".chart > .line")
    assert lines.count() == 10
    assert watched.overflow == 0
    assert watched.script("document.querySelector('.chart').getBoundingClientRect().width") < 375
    watched.find(".bots-choice input").nth(49).check()
    assert lines.count() == 11
    for each in range(10):
        watched.find(".bots-choice input").nth(each).uncheck()
    assert lines.count() == 1
    assert watched.find(".chart > .line title").text_content() == (
        watched.find(".history thead .bot").nth(49).text_content()
    )


def test_without_scripts_the_first_ten_are_drawn_and_all_are_in_the_table(
    look: Open, many: str
) -> None:
    watched = look(f"{many}/history.html", has_scripts=False)
    assert watched.find(".chart > .line").count() == 10
    assert watched.find(".history thead .bot").count() > 90


LEAGUE = Simulated(bots=("fox", "owl", "crow", "hare", "mole", "newt", "lynx", "stoat"), sets=10)


def test_an_open_page_keeps_up_with_its_league_and_its_reader(
    look: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    with simulate(tmp_path, LEAGUE, 8) as store:
        pages = KeptPages(tmp_path / "pages")
        pages.write(store)
        watched = look(f"{serve(tmp_path / 'pages')}/index.html", width=600, has_clock=True)
        watched.find("th.who button").click()
        watched.page.get_by_label("Find a bot by its name").fill("o")
        watched.find("#settings summary").click()
        watched.script("document.querySelector('.scroll').scrollLeft = 150")
        watched.script("window.scrollTo(0, 300)")
        watched.script("document.querySelector('.standings a[href$=\"owl.html\"]').focus()")
        watched.script("window.row = document.activeElement.closest('tr')")
        play(store, LEAGUE, schedule(LEAGUE)[8:9])
        pages.write(store)
        assert "8 of 10 sets running" in watched.text(".lead")
        watched.page.clock.run_for(5_100)
        watched.find(".lead:has-text('9 of 10 sets')").wait_for()
        shown = watched.find(".standings tbody tr:visible .bot").all_inner_texts()
        assert shown == ["crow", "fox", "mole", "owl", "stoat"]
        assert watched.find("th.who").first.get_attribute("aria-sort") == "ascending"
        assert watched.find(".filter input").input_value() == "o"
        assert watched.find("#settings").get_attribute("open") == ""
        assert watched.script("document.querySelector('.scroll').scrollLeft") == 150
        assert watched.script("window.scrollY") == 300
        assert watched.script("document.activeElement.textContent") == "owl"
        # It is the same row, with other figures.
        assert watched.script("document.activeElement.closest('tr') === window.row")

        play(store, LEAGUE, schedule(LEAGUE)[9:])
        pages.write(store)
        watched.page.clock.run_for(5_100)
        watched.find("main:not([data-running])").wait_for()
        assert "finished" in watched.text(".lead")
        # A finished league's page asks no more.
        asked = len(watched.requests)
        watched.page.clock.run_for(20_000)
        assert len(watched.requests) == asked


@pytest.mark.parametrize("page", ["matrix.html", "history.html"])
def test_what_is_chosen_on_other_pages_stays_too(
    look: Open, serve: Callable[[Path], str], tmp_path: Path, page: str
) -> None:
    with simulate(tmp_path, LEAGUE, 8) as store:
        pages = KeptPages(tmp_path / "pages")
        pages.write(store)
        watched = look(f"{serve(tmp_path / 'pages')}/{page}", has_clock=True)
        if page == "matrix.html":
            watched.page.get_by_label("meetings").check()
            watched.find(".matrix td a").focus()
            watched.press("ArrowDown")
            chosen = "document.activeElement.closest('td')?.cellIndex"
        else:
            watched.find(".bots-choice input").nth(2).uncheck()
            chosen = "document.querySelectorAll('.chart > .line').length"
        before = watched.script(chosen)
        play(store, LEAGUE, schedule(LEAGUE)[8:9])
        pages.write(store)
        with watched.page.expect_response(f"**/{page}") as answer:
            watched.page.clock.run_for(5_100)
        answer.value.finished()
        watched.page.wait_for_function(
            "() => document.querySelector('main').textContent.includes('9')"
        )
        assert watched.script(chosen) == before
        if page == "matrix.html":
            assert watched.page.get_by_label("meetings").is_checked()


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


def test_a_chart_raises_the_line_of_the_bot_whose_box_is_in_focus(look: Open, many: str) -> None:
    watched = look(f"{many}/history.html")
    raised = """[...document.querySelectorAll(".line")]
      .filter((line) => getComputedStyle(line.querySelector(".course")).strokeWidth === "3.5px")
      .map((line) => line.querySelector("title").textContent)"""
    assert watched.script(raised) == []
    box = watched.find(".bots-choice input").nth(3)
    box.focus()
    assert watched.script(raised) == [box.get_attribute("value")]
    watched.press("Space", "Space")
    assert watched.script(raised) == [box.get_attribute("value")]


def test_a_page_prints(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/index.html")
    watched.page.emulate_media(media="print")
    # A4 across, with the margins of the browser.
    watched.page.set_viewport_size({"width": 1060, "height": 750})
    assert watched.overflow == 0
    assert not watched.find(".top nav").is_visible()
    assert watched.page.pdf(format="A4", landscape=True)[:5] == b"%PDF-"
