"""Numbers for people."""

from __future__ import annotations

import pytest

from arena.outputs import figures
from arena.stats import Mean


@pytest.mark.parametrize(
    ("value", "bar", "told"),
    [
        (0.52341, 0.0344, "0.52 ±0.03"),
        (0.52341, 0.0144, "0.523 ±0.014"),
        (52.341, 1.96, "52.3 ±2.0"),
        (52.341, 3.0, "52 ±3"),
        (52.341, 34.1, "52 ±34"),
        (1234.5678, 0.0021, "1234.5678 ±0.0021"),
        (-0.0004, 0.04, "0.00 ±0.04"),
        (2.5, 0.0, "2 ±0"),
        (100 / 3, 4e-15, "33 ±0"),
        (0.0996, 0.0996, "0.10 ±0.10"),
    ],
)
def test_a_value_has_as_many_digits_as_its_bar_allows(value: float, bar: float, told: str) -> None:
    assert figures.mean(Mean(value, bar)) == told


def test_a_value_whose_bar_cannot_be_told_says_so() -> None:
    assert figures.mean(Mean(0.625, None)) == "0.62 ±?"
    assert figures.percent(Mean(0.625, None)) == "62 ±?"
    assert figures.mean(Mean(0.0, None)) == "0 ±?"
    assert figures.mean(None) == ""


def test_elo_is_whole_and_never_without_its_bar() -> None:
    assert figures.elo(78.94, 23.4) == "79 ±23"
    assert figures.elo(-0.3, 0.2) == "0 ±0"
    assert figures.elo(-129.9, None) == "-130 ±?"


def test_a_gain_has_its_sign() -> None:
    assert figures.percent(Mean(0.0123, 0.034), signed=True) == "+1 ±3"
    assert figures.percent(Mean(-0.0123, 0.034), signed=True) == "-1 ±3"
    assert figures.percent(Mean(0.0001, 0.034), signed=True) == "0 ±3"


def test_a_likelihood_is_never_certain() -> None:
    shares = (0.0, 0.004, 0.01, 0.514, 0.975, 0.99, 0.996, 1.0)
    told = ["<1", "<1", "1", "51", "98", "99", ">99", ">99"]
    assert [*map(figures.likelihood, shares)] == told


def test_times_have_two_digits_or_all_that_are_whole() -> None:
    times = (None, 0.0, 0.0424, 0.5, 1.54, 15.4, 154.4, 12345.6)
    told = ["", "0", "0.042", "0.50", "1.5", "15", "154", "12346"]
    assert [*map(figures.milliseconds, times)] == told


def test_ranks_are_told_from_the_one_to_the_other() -> None:
    told = [figures.ranks(each, to="-") for each in ((1, 3), (2, 2), None)]
    assert told == ["1-3", "2", ""]
