"""The standings as CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.table.standings import Standings
from arena.outputs.csv_ import csv_text, harmless
from arena.record.penalties import PENALTIES
from tests.league.leagues import Simulated
from tests.outputs.tables import PROVISIONAL, ROW, by_hand, hostile, rated, simulated


def read(standings: Standings) -> Sequence[Mapping[str, str]]:
    return [*csv.DictReader(io.StringIO(csv_text(standings)), strict=True)]


def test_each_bot_has_a_row_with_or_without_a_rating() -> None:
    rows = read(hostile())
    assert [row["state"] for row in rows] == ["provisional"] * 5 + ["benched"]
    assert {row["bot"] for row in rows} >= {"fox", "owl", "crow", "hare", "mole"}
    assert rows[-1]["bot"] == "hare"
    assert rows[-1]["elo"] == ""
    assert rows[-1]["faults_illegal"] == "8"
    assert rows[-1]["reason"].startswith("forfeited 5 matches in a row")
    waiting = read(simulated(Simulated(), 0))
    assert [(row["state"], row["sets"]) for row in waiting] == [("waiting", "0")] * 5
    retired = read(by_hand(retired=("owl", "cat"), waiting=("cat", "pig")))
    assert [(row["bot"], row["state"]) for row in retired] == [
        *(("fox", "established"), ("owl", "retired"), ("cat", "retired"), ("pig", "waiting")),
    ]


def test_numbers_are_plain_and_agree_with_the_table() -> None:
    (row,) = read(by_hand(ROW))
    expected = {
        "state": "established",
        "part": "1",
        "rank": "1",
        "rank_low": "1",
        "rank_high": "2",
        "elo": "1512.4",
        "half_width": "23.4",
        "los_to_next": "0.87",
        "is_separated": "no",
        "sets": "40",
        "matches": "160",
        "ahead": "0.5523",
        "ahead_bar": "0.0344",
        "points": "11.04",
        "points_bar": "0.52",
        "place_1": "50",
        "place_4": "30",
        "think_ms": "1.54",
        "gain": "0.01",
        "lacks": "",
    }
    assert {name: row[name] for name in expected} == expected


def test_what_cannot_be_told_is_empty() -> None:
    bare = rated(PROVISIONAL, rank_interval=None, half_width=None, ahead=None, is_separated=None)
    (row,) = read(by_hand(bare))
    for name in ("rank_low", "rank_high", "half_width", "ahead", "ahead_bar", "is_separated"):
        assert row[name] == ""
    assert row["lacks"] == "sets bar connection"
    (row,) = read(by_hand(rated(ROW, half_width=math.inf)))
    assert row["half_width"] == ""


def test_every_kind_of_fault_has_a_column() -> None:
    (row,) = read(by_hand(PROVISIONAL))
    counts = {kind: row[f"faults_{kind.replace('-', '_')}"] for kind in PENALTIES}
    assert counts == dict.fromkeys(PENALTIES, "0") | {"late": "3", "gone": "1"}


@pytest.mark.parametrize("first", [*"=+-@\t\r", "\n=", " =", "＝", "＋", "－", "＠"])
def test_no_text_is_a_formula(first: str) -> None:
    name = f'{first}HYPERLINK("http://x","y")'
    (row,) = read(by_hand(replace(rated(ROW, bot=name), author=name)))
    for text in (row["bot"], row["author"]):
        assert text.lstrip()[0] not in "=+-@＝＋－＠\t\r\n"
        assert text.endswith('HYPERLINK("http://x","y")')


def test_ordinary_text_is_left_alone() -> None:
    for text in ("fox", "a-b", "x=1", 'say "hm", it said', "狐狸", ""):
        assert harmless(text) == text
        assert read(by_hand(rated(ROW, bot=text)))[0]["bot"] == text


def test_a_file_is_one_line_a_bot_whatever_bots_are_called() -> None:
    lines = csv_text(hostile()).split("\n")
    assert len(lines) == 1 + 6 + 1
    assert "\x1b" not in "".join(lines)


def test_parts_are_numbered_without_a_gap() -> None:
    rows = read(by_hand(ROW, replace(rated(ROW, bot="owl"), part=4)))
    assert [row["part"] for row in rows] == ["1", "2"]


@given(st.text(max_size=40))
def test_whatever_a_bot_is_called_it_is_one_row_and_no_formula(name: str) -> None:
    (row,) = read(by_hand(rated(ROW, bot=name)))
    assert not row["bot"].lstrip().startswith(("=", "+", "-", "@"))
    assert row["rank"] == "1"
