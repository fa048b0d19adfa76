"""Where the lines of charts and bars go, and how numbers are told beside them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from arena.league.table.standings import Moment
from arena.outputs.pages.league.bars import Scale, stacked
from arena.outputs.pages.league.chart import LABEL_HEIGHT, apart, chart, ticks
from arena.outputs.pages.words import moment, option, share, soft, span
from arena.stats import Mean
from arena.text import listed
from tests.outputs.tables import ROW, rated

HISTORY = [
    Moment(1, {"fox": (900.0, None)}),
    Moment(5, {"fox": (40.0, 30.0), "owl": (-40.0, 30.0)}),
    Moment(10, {"fox": (60.0, 20.0), "owl": (-60.0, 20.0)}),
]


def points_of(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


def test_a_bar_is_as_long_as_its_half_widths_on_the_scale_of_all_rows() -> None:
    rows = [rated(ROW, elo=100.0, half_width=40.0), rated(ROW, elo=-100.0, half_width=20.0)]
    scale = Scale.over(rows)
    long, short = map(scale.bar, rows)
    assert long.right - long.left == pytest.approx(2 * (short.right - short.left), abs=0.3)
    assert long.dot == pytest.approx((long.left + long.right) / 2, abs=0.1)
    assert 0 <= short.left < short.dot < long.dot < long.right <= scale.width


def test_a_bar_that_is_too_long_is_cut_and_says_so() -> None:
    rows = [rated(ROW, elo=0.0, half_width=10.0)] * 3
    vague = rated(ROW, elo=0.0, half_width=500.0)
    unknown = rated(ROW, elo=0.0, half_width=None)
    scale = Scale.over([*rows, vague, unknown])
    for row in (vague, unknown):
        bar = scale.bar(row)
        assert (bar.left, bar.right) == (0, scale.width)
        assert bar.is_cut_left
        assert bar.is_cut_right
    assert not scale.bar(rows[0]).is_cut_left


def test_places_fill_their_bar_in_proportion() -> None:
    pieces = stacked((2, 0, 1, 1), width=80)
    assert [(piece.number, piece.left, piece.width) for piece in pieces] == [
        (1, 0, 40),
        (3, 40, 20),
        (4, 60, 20),
    ]
    assert stacked((0, 0)) == []


def test_a_line_goes_through_every_moment_its_bot_has() -> None:
    drawn = chart(HISTORY, ["fox", "owl"], [0, 1])
    fox, owl = drawn.lines
    assert len(points_of(fox.points)) == 3
    assert len(points_of(owl.points)) == 2
    assert points_of(fox.points)[-1][1] < points_of(owl.points)[-1][1]
    assert len(points_of(fox.band)) == 4
    assert (fox.colour, fox.dash, fox.marker) != (owl.colour, owl.dash, owl.marker)


def test_120_lines_can_be_told_apart() -> None:
    names = [f"bot-{number}" for number in range(120)]
    moment = Moment(1, dict.fromkeys(names, (0.0, None)))
    lines = chart([moment], names, range(120)).lines
    assert len({(line.colour, line.dash, line.marker) for line in lines}) == 120


def test_the_swings_of_the_first_sets_do_not_flatten_the_rest() -> None:
    fox = chart(HISTORY, ["fox", "owl"], [0, 1]).lines[0]
    first, *settled = points_of(fox.points)
    assert first[1] < 0
    assert all(0 < y < 430 for _, y in settled)


def test_a_history_of_one_set_is_drawn() -> None:
    drawn = chart(HISTORY[:1], ["fox", "nobody"], [0, 1])
    assert [line.name for line in drawn.lines] == ["fox"]
    assert drawn.lines[0].band == ""


def test_labels_lie_apart_in_the_order_of_their_lines() -> None:
    wanted = {"a": 100.0, "b": 101.0, "c": 102.0, "d": 300.0, "e": 399.0, "f": 400.0}
    at = apart(wanted, 10, 400)
    heights = [at[name] for name in wanted]
    gaps = [after - before for before, after in pairwise(heights)]
    assert min(gaps) >= LABEL_HEIGHT
    assert at["d"] == 300
    assert max(heights) <= 400


def test_ticks_are_round_and_inside() -> None:
    assert ticks(-130, 170) == [-100.0, -50.0, 0.0, 50.0, 100.0, 150.0]
    assert ticks(3, 3) == [3]
    assert all(0 <= tick <= 7 for tick in ticks(0, 7, 8))


def test_numbers_are_told_with_true_minus_signs_and_soft_bars() -> None:
    assert soft("-1.2 ±0.3") == '\N{MINUS SIGN}1.2 <span class="pm">±0.3</span>'
    assert soft("7") == "7"
    assert soft("") == "–"


def test_a_share_whose_bar_leaves_0_to_100_is_told_with_its_interval() -> None:
    assert share(Mean(0.5, 0.06)) == '50 <span class="pm">±6</span>'
    assert share(Mean(0.04, 0.06)) == '4 <span class="pm">0–10</span>'
    assert share(Mean(0.75, 0.25)) == '75 <span class="pm">±25</span>'
    assert share(Mean(0.25, 0.25)) == '25 <span class="pm">±25</span>'
    assert share(Mean(0.97, 0.0504)) == '97 <span class="pm">92–100</span>'
    assert share(Mean(0.04, None)) == '4.0 <span class="pm">±?</span>'
    assert share(None) == "–"


def test_markers_that_are_alike_have_other_colours() -> None:
    names = [f"bot-{number}" for number in range(16)]
    lines = chart([Moment(1, dict.fromkeys(names, (0.0, None)))], names, range(16)).lines
    assert len({(line.colour, line.marker) for line in lines}) == 16


def test_words_for_lists_options_and_moments() -> None:
    assert listed([1, 2, 4]) == "1, 2 and 4"
    assert [*map(option, (None, True, False, 3, [4, 5], "full"))] == [
        "off",
        "yes",
        "no",
        "3",
        "4 and 5",
        "full",
    ]
    one, other = "2026-01-31T12:00:00Z", "2026-02-01T13:00:00Z"
    assert moment("") == "–"
    assert span(one, one) == "2026-01-31 12:00:00 UTC"
    assert span(one, "2026-01-31T13:00:00Z") == "2026-01-31 12:00:00 to 13:00:00 UTC"
    assert span(one, other) == "2026-01-31 12:00:00 to 2026-02-01 13:00:00 UTC"
