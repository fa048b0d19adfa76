"""How slow this machine was, and when answers came: the meter, told times by hand."""

from __future__ import annotations

import os
from pathlib import Path

from arena.referee.wire.core_waits import CoreWaits
from arena.referee.wire.lag import INSTANT_US, MOST_LAGS, SLOW_US, LagMeter
from arena.referee.wire.link import LAG_WINDOW_US

SWEEP = 0.01


class CoreWaitsByHand(CoreWaits):
    """As many as it is told."""

    us = 0

    def __call__(self) -> int:
        return self.us


class Hands:
    """A clock turned by hand, and a loop that waits and works on it as it is told."""

    def __init__(self) -> None:
        self.us = 1_000_000
        self.core_waits = CoreWaitsByHand()
        self.meter = LagMeter(lambda: self.us, self.core_waits)

    def work(self, us: int) -> None:
        self.us += us

    def wait(self, us: int, at_most: float = SWEEP, starved: int = 0) -> None:
        self.meter.before_io_wait(at_most)
        self.us += us
        self.core_waits.us += starved
        self.meter.after_io_wait(at_most)


def test_what_a_wait_brings_came_at_its_end() -> None:
    hands = Hands()
    hands.work(500)
    hands.wait(3_000)
    assert hands.meter.arrived == hands.us
    assert hands.meter.lag_us == 0


def test_what_is_there_at_once_may_have_come_since_the_last_look() -> None:
    hands = Hands()
    hands.wait(3_000)
    looked = hands.us
    hands.work(1_500)
    hands.wait(INSTANT_US)
    assert hands.meter.arrived == looked
    hands.work(10)
    hands.wait(INSTANT_US)
    assert hands.meter.arrived == looked + 1_500 + INSTANT_US


def test_the_lags_that_are_kept_reach_farther_back_than_anybody_asks() -> None:
    assert MOST_LAGS * SLOW_US >= 2 * LAG_WINDOW_US


def test_a_look_that_was_not_to_wait_did_not_wait_however_long_it_took() -> None:
    hands = Hands()
    hands.wait(3_000)
    looked = hands.us
    hands.wait(1_000, at_most=0)
    assert hands.meter.arrived == looked
    assert hands.meter.lag_us == 0
    hands.wait(SLOW_US + 1, at_most=0, starved=SLOW_US)
    assert hands.meter.lag_us == SLOW_US + 1


def test_a_loop_stalled_for_50_ms_charges_nobody_and_counts_as_lag() -> None:
    hands = Hands()
    hands.wait(3_000)
    asked = hands.us
    hands.work(50_000)
    hands.wait(5)
    assert hands.meter.arrived <= asked
    assert hands.meter.lag_us == 50_000


def test_after_a_stop_at_work_a_short_wait_found_what_came_before_it() -> None:
    """Who goes on after a stop is slow at first, and takes longer than an instant to look."""
    hands = Hands()
    hands.wait(3_000)
    looked = hands.us
    hands.work(2_000_000)
    hands.wait(90)
    assert hands.meter.arrived == looked
    hands.work(100)
    hands.wait(90)
    assert hands.meter.arrived == hands.us


def test_work_of_every_day_is_no_lag() -> None:
    hands = Hands()
    for _ in range(1_000):
        hands.work(SLOW_US)
        hands.wait(8_000)
    assert hands.meter.lag_us == 0


def test_a_wake_up_that_is_overdue_as_every_day_is_no_lag() -> None:
    hands = Hands()
    hands.wait(10_000 + SLOW_US)
    assert hands.meter.lag_us == 0
    hands.wait(10_000 + SLOW_US + 1)
    assert hands.meter.lag_us == SLOW_US + 1


def test_a_process_stopped_while_it_waits_lagged_by_what_the_wait_is_overdue() -> None:
    hands = Hands()
    hands.wait(3_000)
    hands.wait(2_000_000)
    assert hands.meter.lag_us == 1_990_000


def test_after_a_stop_what_is_found_came_before_it_also_at_the_second_look() -> None:
    """Woken by its time-out, the kernel need not have looked at any socket."""
    hands = Hands()
    hands.wait(3_000)
    looked = hands.us
    hands.work(100)
    hands.wait(2_000_000)
    assert hands.meter.arrived == looked
    hands.work(100)
    hands.wait(5, at_most=0)
    assert hands.meter.arrived == looked
    hands.wait(3_000)
    assert hands.meter.arrived == hands.us


def test_a_process_stopped_while_it_works_lagged_by_all_of_it() -> None:
    hands = Hands()
    hands.wait(3_000)
    looked = hands.us
    hands.work(2_000_000)
    hands.wait(5)
    assert hands.meter.lag_us == 2_000_000
    assert hands.meter.arrived == looked


def test_time_spent_waiting_for_a_processor_is_nobodys() -> None:
    hands = Hands()
    for starved in (1_500, SLOW_US):
        hands.wait(5_000, starved=starved)
        assert hands.meter.arrived == hands.us - starved
        assert hands.meter.lag_us == 0
    hands.core_waits.us += 700  # at work, which counts as work
    hands.wait(5_000, starved=3_000)
    assert hands.meter.arrived == hands.us - 3_000
    assert hands.meter.lag_us == 3_000


def test_starved_beyond_the_end_of_a_wait_is_no_stop_and_a_stop_is_not_starved() -> None:
    hands = Hands()
    hands.wait(3_000)
    hands.wait(14_000, starved=4_000)
    assert hands.meter.arrived == hands.us - 4_000
    assert hands.meter.lag_us == 4_000
    looked = hands.us
    hands.wait(2_000_000, starved=4_000)
    assert hands.meter.arrived == looked
    assert hands.meter.lag_us == 4_000 + 1_990_000


def test_no_more_is_taken_off_than_the_wait_was_long() -> None:
    hands = Hands()
    hands.wait(1_000, starved=5_000)
    assert hands.meter.arrived == hands.us - 1_000


def test_a_look_in_the_middle_of_the_work_bounds_what_the_next_one_finds() -> None:
    hands = Hands()
    hands.wait(3_000)
    looked = hands.us
    hands.work(400)
    hands.meter.looks(hands.us)
    assert hands.meter.arrived == looked
    hands.work(300)
    hands.meter.looks(hands.us)
    assert hands.meter.arrived == looked + 400
    hands.work(SLOW_US)
    hands.meter.looks(hands.us)
    assert hands.meter.lag_us == 0
    hands.work(SLOW_US + 1)
    hands.meter.looks(hands.us)
    hands.wait(5)
    assert hands.meter.lag_us == SLOW_US + 1


def test_how_much_of_a_time_was_lag_is_told_from_any_moment_in_it() -> None:
    """Of a lag that had begun before, only what came after."""
    hands = Hands()
    hands.wait(3_000)
    began = hands.us
    hands.work(5_000)
    hands.wait(1_000)
    between = hands.us
    hands.work(4_000)
    hands.wait(1_000)
    meter = hands.meter
    assert meter.since(began - 10_000) == meter.since(began) == 9_000 == meter.lag_us
    assert meter.since(began + 1_000) == 8_000
    assert meter.since(began + 5_000) == meter.since(between) == 4_000
    assert meter.since(between + 3_999) == 1
    assert meter.since(between + 4_000) == meter.since(hands.us) == 0


def test_closed_it_holds_no_descriptor(tmp_path: Path) -> None:
    counts = tmp_path / "schedstat"
    counts.write_text("381305 60870 1\n")
    core_waits = CoreWaits(str(counts))
    meter = LagMeter(lambda: 0, core_waits)
    before = os.listdir("/proc/self/fd")
    core_waits()
    assert len(os.listdir("/proc/self/fd")) == len(before) + 1
    meter.close()
    assert os.listdir("/proc/self/fd") == before


def test_its_repr_tells_the_lag() -> None:
    hands = Hands()
    hands.work(7_000)
    hands.wait(5)
    assert repr(hands.meter) == "<LagMeter 7000 us so far>"
