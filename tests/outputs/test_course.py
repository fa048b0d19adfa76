"""The standing of a swiss and the bracket of a knockout, in every output beside the ratings."""

from __future__ import annotations

import json
from dataclasses import replace

from arena.league.model.course import BOT_COLUMN, CourseTable
from arena.outputs.json_ import json_text
from arena.outputs.markdown import markdown
from arena.outputs.pages.league.index import index_page
from arena.outputs.pages.league.recent import Recent
from arena.outputs.text import text
from arena.outputs.words import heading
from arena.text import plain
from tests.league.leagues import NASTY
from tests.outputs.reading import read
from tests.outputs.tables import FACTS, by_hand

FINAL = CourseTable(
    "Knockout: the final",
    ("tie", BOT_COLUMN, "points", "result"),
    [(1, "fox", 8.5, "has won"), (1, NASTY, 5.25, None)],
    "Points are shares.",
)
STANDINGS = by_hand(course=(FINAL,))


def lines_of(told: str, title: str) -> list[str]:
    """The lines from a title on."""
    lines = [line.rstrip() for line in told.split("\n")]
    return lines[next(at for at, line in enumerate(lines) if title in line) :]


def test_a_terminal_shows_its_tables_below_the_ratings() -> None:
    told = text(STANDINGS, width=None, colour=False)
    title, head, _, fox, nasty = lines_of(told, "the final")[:5]
    assert title == "Knockout: the final"
    assert head.split() == ["tie", "bot", "points", "result"]
    assert fox.split() == ["1", "fox", "8.50", "has", "won"]
    assert "\x1b" not in nasty
    assert "Points are shares." in told


def test_markdown_has_them_with_names_that_stay_text() -> None:
    told = lines_of(markdown(STANDINGS), "the final")
    assert told[2] == "| tie | bot | points | result |"
    assert told[4] == "| 1 | fox | 8.50 | has won |"
    assert "<script>" not in markdown(STANDINGS)


def test_json_has_them_with_numbers_as_numbers() -> None:
    assert json.loads(json_text(STANDINGS))["course"] == [
        {
            "title": "Knockout: the final",
            "columns": ["tie", "bot", "points", "result"],
            "rows": [[1, "fox", 8.5, "has won"], [1, NASTY, 5.25, None]],
            "note": "Points are shares.",
        }
    ]
    assert json.loads(json_text(by_hand()))["course"] == []


def test_the_winner_is_told_above_the_table() -> None:
    def page(*winners: str) -> str:
        table = by_hand(facts=replace(FACTS, state="finished", winners=winners))
        return read(index_page(table, 0.0, Recent(), bool).text("stamp")).text

    def lines(*winners: str) -> list[str]:
        return [*heading(replace(FACTS, state="finished", winners=winners), plain)]

    assert lines("fox")[2] == "winner: fox"
    assert lines(NASTY, "owl")[2] == f"winners, level: {plain(NASTY)}, owl"
    assert not any("winner" in line for line in lines())
    assert "Winner: fox" in page("fox")
    assert "Winners, level: fox, owl" in page("fox", "owl")
    assert "<script>" in page(NASTY), "as text"
    assert "Winner" not in page()


def test_the_rule_that_ended_a_league_is_told_above_the_table() -> None:
    ended = by_hand()
    ended = replace(ended, facts=replace(FACTS, ended="every bar is below ±25 Elo"))
    assert "ended early: every bar is below ±25 Elo" in text(ended, width=None, colour=False)
    assert "ended early" not in text(by_hand(), width=None, colour=False)
    left = replace(ended, facts=replace(ended.facts, sets_left_out=10))
    assert "(10 not played, as it ended early)" in text(left, width=None, colour=False)
    over = replace(ended, facts=replace(ended.facts, state="finished"))
    page = read(index_page(over, 0.0, Recent(), bool).text("stamp"))
    assert "Ended early: every bar is below ±25 Elo" in page.text


def test_the_first_page_has_them_and_names_of_rows_are_links() -> None:
    page = read(index_page(STANDINGS, 0.0, Recent(), bool).text("stamp"))
    assert "Knockout: the final" in page.text
    assert NASTY.partition("\x1b")[0] in page.text
    links = [link for link in page.links() if "bots/fox" in link]
    without = read(index_page(by_hand(), 0.0, Recent(), bool).text("stamp"))
    assert len(links) == 1 + len([link for link in without.links() if "bots/fox" in link])
