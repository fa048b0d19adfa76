"""The page of a set: the deal in every seating, one hand followed, and its matches."""

from __future__ import annotations

import re

import pytest

from tests.outputs.browser.conftest import Open

pytestmark = pytest.mark.browser


def test_without_a_match_in_the_address_the_deal_is_shown_in_every_seating(
    look: Open, address: str
) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html")
    assert not watched.find("#viewer").is_visible()
    rows = watched.find(".seatings tbody tr").all()
    assert [row.locator("td").count() for row in rows] == [4] * 5
    hands = [row.locator(".chip").all_inner_texts() for row in rows[1:]]
    sheet = watched.find("#match-3 .sheet pre").text_content() or ""
    dealt = re.findall(r"^Hand of \d: (.*)$", sheet, re.MULTILINE)[:4]
    assert [sorted(hand[:15]) for hand in hands] == [sorted(each.split()) for each in dealt]
    watched.find(".deals .bar button:has-text('2')").click()
    assert watched.find(".deals h3").first.inner_text() == "Round 2"


def test_one_hand_is_followed_through_all_seatings(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html")
    watched.find(".seatings button:has-text('follow seat 2')").click()
    stories = watched.find(".story").all()
    assert len(stories) == 4
    names = [story.locator("h4 bdi").inner_text() for story in stories]
    assert len(set(names)) == 4
    dealt = sorted(watched.find(".followed th .chip").all_inner_texts())
    for story in stories:
        lines = {
            line.locator("dt").inner_text(): line.locator("dd .chip").all_inner_texts()
            for line in story.locator("dl > div").all()
        }
        held = dealt + lines.get("received", [])
        for card in lines.get("discarded", lines.get("passed on", [])):
            held.remove(card)
        assert sorted(lines["played"]) == sorted(held)
    outcomes = watched.find(".seatings tbody tr td:nth-of-type(1)").all_inner_texts()
    won = [found[1] for each in outcomes if (found := re.search(r"(\d+) tricks?,", each))]
    assert sum(map(int, won)) == 15
    stories[1].locator(".played-card").first.click()
    watched.find("#viewer .where").wait_for()
    assert "#match=2&move=" in watched.page.url


@pytest.mark.parametrize("table", ["njet", "nope", "nope-of-two", "benched"])
def test_the_set_of_any_game_is_shown(look: Open, address: str, table: str) -> None:
    watched = look(f"{address}/{table}/sets/000/1.html", width=375)
    assert watched.find(".seatings").is_visible()
    assert watched.find(".story").count() >= 2
    root = watched.script("[document.documentElement.scrollWidth, innerWidth]")
    assert root[0] <= root[1]


def test_a_match_and_the_set_are_gone_between_by_keyboard_and_by_the_back_button(
    look: Open, address: str
) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html")
    watched.find(".turns a:has-text('1.3')").press("Enter")
    watched.find("#viewer .where").wait_for()
    assert not watched.find("#results").is_visible()
    assert watched.find(".of-match:visible h2").all_inner_texts() == ["Match 1.3"]
    watched.page.go_back()
    watched.find(".seatings").wait_for()
    assert not watched.find("#viewer").is_visible()


def test_results_that_are_hidden_in_a_match_are_hidden_in_its_set_until_they_are_asked_for(
    look: Open, address: str
) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1")
    results = "#results, .deals, .sheet, .kept-back"
    watched.find(".hide-results").click()
    assert watched.find(results).filter(visible=True).count() == 0
    watched.find(".turns a:has-text('the set')").click()
    watched.find(".kept-back").wait_for()
    assert watched.find(results).filter(visible=True).all_inner_texts() == [
        "Results are hidden. show them"
    ]
    watched.find(".kept-back button").click()
    assert watched.find("#results").is_visible()
    assert watched.find(".seatings").is_visible()


def test_how_the_game_is_played_is_one_link_away(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html")
    watched.find("a:has-text('How nyet is played')").click()
    assert "Loot is a card of rank 1" in watched.text("main")


def test_an_older_address_leads_to_the_same_moment(look: Open, address: str) -> None:
    watched = look(f"{address}/moved/matches/1-2.html#move=30&as=seat1")
    watched.page.wait_for_url("**/sets/000/1.html#match=2&move=30&as=seat1")
    assert watched.text(".where").startswith("move 30 ")
    plain = look(f"{address}/moved/matches/1-1.html", has_scripts=False)
    plain.find("#moved").click()
    plain.page.wait_for_url("**/sets/000/1.html#match=1")


def test_a_set_without_a_match_that_began_is_told_without_scripts_failing(
    look: Open, address: str
) -> None:
    watched = look(f"{address}/absent/sets/000/1.html")
    assert "It did not begin" in watched.text("#match-1")
    assert not watched.find("#viewer").is_visible()
    assert not watched.find(".deals").is_visible()
