"""The time that a check will take."""

from __future__ import annotations

import pytest

from arena.check.bench import ENOUGH_US
from arena.check.catalogue import STEPS
from arena.check.estimate import STARTS_A_STEP, seconds_of
from arena.check.measure import Measures


def test_with_nothing_measured_it_is_our_own_pauses() -> None:
    assert seconds_of(STEPS, Measures()) == pytest.approx(sum(step.pauses_s for step in STEPS))
    assert seconds_of([], Measures()) == 0


def test_starts_and_decisions_take_as_long_as_they_did_so_far() -> None:
    one = STEPS[2]
    assert one.decisions == 25
    measures = Measures(starts_us=[100_000, 300_000, 900_000], decisions_us=[1_000, 3_000])
    expected = one.pauses_s + STARTS_A_STEP * 0.3 + 25 * 0.002
    assert seconds_of([one], measures) == pytest.approx(expected)


def test_of_a_slow_bot_a_step_takes_no_longer_than_it_may_think() -> None:
    measures = Measures(decisions_us=[5_000_000])
    one = next(step for step in STEPS if step.decisions == 80)
    assert seconds_of([one], measures) == one.pauses_s + ENOUGH_US / 1e6
