"""The standings as Markdown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.outputs.markdown import escaped, markdown
from tests.league.leagues import NASTY, Simulated
from tests.outputs.tables import PROVISIONAL, ROW, by_hand, hostile, rated, simulated


def table_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("|")]


def test_it_begins_with_the_league_and_has_a_row_for_each_bot() -> None:
    text = markdown(by_hand())
    assert text.startswith("# Sunday league: nyet for 4, rounds 1\n\n- running: 40 of 50 sets, ")
    head, rule, first, second = table_lines(text)
    assert " ".join(head.split()) == (
        "| rank | ranks | bot | Elo | LOS | sets | matches | ahead | ties | place | win |"
        " points/round | ms | slowest | faults | forfeits | gain |"
    )
    assert rule.count("--") >= 17
    assert first.split("|")[1:6] == ["    1 ", "   1-2 ", " fox ", " 1512 ±23 ", " 87 \\~ "]
    assert second.split("|")[3].strip() == "owl"


def test_raw_its_columns_are_aligned() -> None:
    for standings in (by_hand(), hostile(), by_hand(rated(ROW, bot="狐狸"))):
        lines = table_lines(markdown(standings))
        assert len({cell_len(line) for line in lines}) == 1


def test_marks_of_ours_are_no_markup() -> None:
    text = markdown(by_hand(PROVISIONAL))
    assert "|  1\\* |" in text
    assert "- \\* hen is provisional: 12 sets, and 30 are needed" in text
    assert not re.search(r"(?<!\\)[*~]", text)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("fox", "fox"),
        ("python-random 2.0", "python-random 2.0"),
        ("a|b", "a\\|b"),
        ("<img src=x>", "&lt;img src=x&gt;"),
        ("&amp;", "&amp;amp;"),
        ("*_`[x](y)", "\\*\\_\\`\\[x\\]\\(y\\)"),
        ("\\|", "\\\\\\|"),
        ("http://x.org", "http\\://x.org"),
        ("WWW.x.org", "WWW\\.x.org"),
        ("- item", "\\- item"),
        ("1. item", "\\1. item"),
        ("two\nlines\x1b[0m", "two\N{REPLACEMENT CHARACTER}lines\N{REPLACEMENT CHARACTER}\\[0m"),
    ],
)
def test_names_are_text(name: str, told: str) -> None:
    assert escaped(name) == told


def test_a_hostile_name_makes_no_html_no_row_and_no_column() -> None:
    text = markdown(hostile())
    assert "<" not in text
    assert "\x1b" not in text
    assert len(table_lines(text)) == 2 + len(hostile().rows)
    columns = {len(re.findall(r"(?<!\\)\|", line)) for line in table_lines(text)}
    assert columns == {18}
    told = [line for line in table_lines(text) if "script" in line]
    assert len(told) == 1
    assert escaped(NASTY) in told[0]


def test_parts_are_tables_of_their_own() -> None:
    text = markdown(by_hand(ROW, replace(rated(ROW, bot="owl"), part=1)))
    assert len(table_lines(text)) == 6
    assert "\n\npart 2 of 2: these bots never met" in text


def test_before_the_first_set_there_is_no_table() -> None:
    text = markdown(simulated(Simulated(), 0))
    assert "\nNo set is complete yet.\n" in text
    assert not table_lines(text)
    assert text.endswith("\n")


@given(st.text(max_size=40))
def test_whatever_a_bot_is_called_it_is_one_row_of_text(name: str) -> None:
    text = markdown(by_hand(rated(ROW, bot=name, is_separated=True)))
    *_, row = table_lines(text)
    assert len(table_lines(text)) == 3
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 18
    assert not re.search(r"[<>]|&(?!amp;|lt;|gt;|quot;)", row)
