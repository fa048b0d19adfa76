"""A stop test in words."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import cast

import pytest

from arena.cli.match_stop import told_before, told_elo, told_ratio, told_verdict
from arena.compare.play import Comparison
from arena.compare.stop import Bounds, StopTest, Trial, Verdict

NAMES = cast("Comparison", SimpleNamespace(names=("fox", "o\x1bwl")))


def trial(bounds: Bounds, verdict: Verdict = Verdict.NOT_YET, sets: int = 0) -> Trial:
    made = Trial(StopTest(bounds, 0.05, 0.1), 1, 1)
    for _ in range(sets):
        made.add(0.75)
    made.verdict = verdict
    return made


def test_it_is_told_before_what_is_tested_and_how_long_it_takes() -> None:
    first, second = told_before(NAMES, trial(Bounds(0, 10)))
    assert first == "fox against o\ufffdwl: 0 or 10 Elo? (alpha 0.05, beta 0.1)"
    assert second == (
        "it takes some 2,409 sets of 2 matches where 0 is true, 2,870 where 10 is, and 3,930"
        " between; a test of fixed length 5,172, if matches are decided by lot"
    )
    first, second = told_before(NAMES, trial(Bounds(-2, 3.5, is_normalised=True)))
    assert first == "fox against o\ufffdwl: -2 or 3.5 normalised Elo? (alpha 0.05, beta 0.1)"
    assert not second.endswith("by lot")


@pytest.mark.parametrize(
    ("bounds", "verdict", "head", "meaning"),
    [
        (
            Bounds(0, 10),
            Verdict.ACCEPTED,
            "stop test 0 to 10 Elo: accepted",
            "fox is stronger, by 10 rather than by 0 Elo",
        ),
        (
            Bounds(-10, 0),
            Verdict.ACCEPTED,
            "stop test -10 to 0 Elo: accepted",
            "fox is at 0 or above rather than at -10 Elo",
        ),
        (
            Bounds(0, 10),
            Verdict.REJECTED,
            "stop test 0 to 10 Elo: rejected",
            "fox is at 0 or below rather than at 10 Elo",
        ),
        (
            Bounds(0, 1, is_normalised=True),
            Verdict.NOT_YET,
            "stop test 0 to 1 normalised Elo: not yet",
            "neither 0 nor 1 normalised Elo is ruled out",
        ),
    ],
)
def test_a_verdict_is_told_with_its_meaning(
    bounds: Bounds, verdict: Verdict, head: str, meaning: str
) -> None:
    made = trial(bounds, verdict, sets=2)
    lines = [*told_verdict(NAMES, made)]
    assert lines[0] == head
    assert lines[1] == f"  {meaning} ({told_ratio(made)})"
    assert lines[2].startswith(
        "  fox over o\ufffdwl in 2 sets: +190.8 Elo; every set ended alike, "
    )
    one = [*told_verdict(NAMES, trial(bounds, verdict, sets=1))]
    assert one[2] == "  fox over o\ufffdwl in 1 set: +190.8 Elo, 95 % from no bound to no bound"


def test_a_ratio_is_told_with_its_limits() -> None:
    assert told_ratio(trial(Bounds(0, 10))) == "ratio 0.00 of -2.25 to 2.89"


@pytest.mark.parametrize(
    ("elo", "words"),
    [
        (1.25, "+1.2 Elo, 95 % from -9.0 to +9.0"),
        (-0.04, "-0.0 Elo, 95 % from -9.0 to +9.0"),
        (math.inf, "all was won, so there is no Elo yet"),
        (-math.inf, "nothing was won, so there is no Elo yet"),
    ],
)
def test_elo_is_told_with_its_sign_and_bar_if_there_is_one(elo: float, words: str) -> None:
    assert told_elo(elo, -9.0, 9.0) == words


def test_a_bar_of_no_width_is_not_told_as_certainty() -> None:
    alike = "+0.0 Elo; every set ended alike, so there is no bar yet"
    assert told_elo(0.0, 0.0, 0.0) == alike
