"""The stop test: its bounds in words, its limits, and verdicts."""

from __future__ import annotations

import math
import re
import statistics
from itertools import cycle, islice

import pytest

from arena.compare.stop import (
    FEWEST_SETS,
    Bounds,
    StopTest,
    Trial,
    Verdict,
    expected_sets,
    usual_variance,
)
from arena.likelihood import Spread

TEST = StopTest(Bounds(0, 20))


def trial_of(results: list[float], copies: int = 1, others: int = 1) -> Trial:
    trial = Trial(TEST, copies, others)
    for result in results:
        trial.add(result)
    return trial


@pytest.mark.parametrize(
    ("text", "bounds", "written"),
    [
        ("0:10", Bounds(0, 10), "0:10"),
        ("-3:+1.5", Bounds(-3, 1.5), "-3:1.5"),
        (" 0:10NELO ", Bounds(0, 10, is_normalised=True), "0:10nelo"),
    ],
)
def test_bounds_are_read_as_they_are_typed(text: str, bounds: Bounds, written: str) -> None:
    assert Bounds.of(text) == bounds
    assert str(bounds) == written
    assert Bounds.of(written) == bounds


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10", "write two numbers of Elo as LOW:HIGH, such as 0:10"),
        ("a:b", "got 'a:b'"),
        ("0:10elo", "0:10nelo for normalised Elo"),
        ("nan:1", "write two numbers"),
        ("10:0", "bounds go up, and lie between -600 and 600 Elo; got 10:0. For instance: 0:10"),
        ("0:601", "between -600 and 600"),
        ("0:200nelo", "between -100 and 100 normalised Elo; got 0:200nelo"),
        ("5:5", "at least 0.1 apart; got 5:5"),
    ],
)
def test_bounds_that_make_no_test_are_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        Bounds.of(text)


@pytest.mark.parametrize("chances", [(0.0, 0.05), (0.05, 0.5), (math.nan, 0.05), (0.05, 1.0)])
def test_a_chance_of_an_error_that_makes_no_test_is_refused(chances: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"is the chance of an error, from 0\.0001 to 0\.4; got"):
        StopTest(Bounds(0, 10), *chances)


@pytest.mark.parametrize("chances", [(0.0001, 0.4), (0.4, 0.0001)])
def test_the_least_and_the_greatest_chance_of_an_error_may_be_asked_for(
    chances: tuple[float, float],
) -> None:
    test = StopTest(Bounds(0, 10), *chances)
    assert (test.alpha, test.beta) == chances


def test_the_limits_are_walds() -> None:
    assert TEST.limits == pytest.approx((-math.log(19), math.log(19)))
    low, high = StopTest(Bounds(0, 20), alpha=0.01, beta=0.1).limits
    assert (low, high) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_a_better_bot_is_accepted_a_worse_one_rejected_and_a_verdict_stays(copies: int) -> None:
    for results, verdict in (
        ([1.0, 0.5, 0.5, 1.0, 0.0], Verdict.ACCEPTED),
        ([0.0, 0.5, 0.5, 0.0, 1.0], Verdict.REJECTED),
    ):
        trial = Trial(TEST, copies, copies)
        for result in cycle(results):
            trial.add(result)
            if trial.verdict is not Verdict.NOT_YET:
                break
        assert trial.verdict is verdict
        assert abs(trial.ratio) >= TEST.limits[1]
        before = (trial.sets, trial.ratio)
        for _ in range(200):
            trial.add(0.5)
        assert (trial.sets, trial.ratio, trial.verdict) == (*before, verdict)


def test_no_verdict_comes_before_the_fewest_sets() -> None:
    """Nine sets beyond the limit are no verdict yet."""
    trial = Trial(StopTest(Bounds(-100, 300)), 1, 1)
    for _ in range(FEWEST_SETS - 1):
        trial.add(0.25)
    assert trial.ratio < trial.test.limits[0]
    assert trial.verdict.value == "not yet"
    trial.add(0.25)
    assert trial.verdict.value == "rejected"


def test_two_versions_that_act_alike_so_far_are_not_called_equal_too_soon() -> None:
    """At tables of four level sets have no variance; cells leave room for one that is not."""
    trial = trial_of([0.5] * 30, 2, 2)
    assert trial.verdict is Verdict.NOT_YET
    assert -2 < trial.ratio < 0
    trial = trial_of([0.5] * 60, 2, 2)
    assert trial.verdict is Verdict.REJECTED
    assert trial.sets > 45


def test_many_results_are_weighed_by_mean_and_variance_and_two_seats_by_cells() -> None:
    spread = [cell / 32 for cell in (9, 12, 14, 15, 17, 18, 20, 23)]
    many = trial_of(spread, 2, 2)
    assert isinstance(many.results, Spread)
    assert many.results.variance == pytest.approx(statistics.variance(spread))
    assert (many.results.sets, many.results.mean) == pytest.approx((8, statistics.fmean(spread)))
    assert repr(trial_of([*spread, *[0.5] * 4], 2, 2).results).startswith("Cells(")
    assert repr(trial_of([0.0, 0.25, 0.5, 0.75, 1.0]).results) == "Cells(counts=(1, 1, 1, 1, 1))"


def test_the_elo_of_the_sets_has_a_bar() -> None:
    elo, low, high = trial_of([*islice(cycle([0.25, 0.5, 1.0]), 60)]).elo()
    assert elo == pytest.approx(400 * math.log10(7 / 5), abs=1e-6)
    assert low < elo < high
    assert trial_of([1.0]).elo() == (math.inf, -math.inf, math.inf)
    assert trial_of([1.0, 1.0]).elo()[0] == math.inf


def test_the_expected_number_of_sets_is_walds() -> None:
    """For 0:20 at tables of two, decided by lot: 435 sets where a bound is true."""
    expected = expected_sets(TEST, 2, usual_variance(1, 1))
    distance = (10 ** (1 / 20) / (1 + 10 ** (1 / 20)) - 0.5) / math.sqrt(0.125)
    assert expected.at_low == expected.at_high == math.ceil(1.8 * math.log(19) / distance**2)
    assert expected.between == math.ceil(math.log(19) ** 2 / distance**2)
    assert expected.fixed == math.ceil((2 * 1.644854 / distance) ** 2)


def test_of_normalised_elo_the_number_of_sets_does_not_depend_on_the_luck() -> None:
    test = StopTest(Bounds(0, 20, is_normalised=True))
    assert expected_sets(test, 4, 0.01) == expected_sets(test, 4, 0.2)
    # A set of more matches tells more.
    assert expected_sets(test, 4, 0.1).at_low * 2 == pytest.approx(
        expected_sets(test, 2, 0.1).at_low, abs=2
    )


def test_a_test_that_ends_at_once_is_told_with_the_fewest_sets() -> None:
    expected = expected_sets(StopTest(Bounds(0, 600)), 2, 0.001)
    assert expected.at_low == expected.fixed == FEWEST_SETS


def test_the_usual_variance_is_that_of_matches_decided_by_lot() -> None:
    assert usual_variance(1, 1) == pytest.approx(1 / 4 / 2)
    # Two against two: 0, 1/4, 1/2 (twice), 3/4, 1, equally often.
    assert usual_variance(2, 2) == pytest.approx((2 / 4 + 2 / 16) / 6 / 4)


def test_a_trial_begins_level() -> None:
    trial = Trial(StopTest(Bounds(0, 10)), 1, 1)
    assert (trial.sets, trial.ratio, trial.verdict) == (0, 0.0, Verdict.NOT_YET)


LOW, HIGH = TEST.limits


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [
        (LOW, Verdict.REJECTED),
        (HIGH, Verdict.ACCEPTED),
        ((LOW + HIGH) / 2, Verdict.NOT_YET),
    ],
)
def test_a_ratio_at_a_limit_ends_a_trial_that_has_enough_sets(
    ratio: float, verdict: Verdict
) -> None:
    class Told(StopTest):
        def ratio(self, results: object, matches: int) -> float:
            return ratio

    trial = Trial(Told(TEST.bounds), 1, 1, sets=FEWEST_SETS - 2)
    trial.add(0.5)
    assert trial.verdict is Verdict.NOT_YET  # too few sets
    trial.add(0.5)
    assert trial.verdict is verdict
    trial.add(0.5)
    assert trial.sets == FEWEST_SETS + (verdict is Verdict.NOT_YET)
