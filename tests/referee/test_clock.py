"""One seat's clock, on times given by hand, and the clock of this machine."""

from __future__ import annotations

from time import perf_counter_ns

from arena.record.timing import Timing
from arena.referee.clock import SeatClock, now_us

TIMING = Timing(decision_ms=100, bank_ms=400, hang_ms=5_000, faults_to_forfeit=3)


def test_this_machines_clock_counts_whole_microseconds() -> None:
    before = perf_counter_ns() // 1000
    now = now_us()
    assert before <= now <= perf_counter_ns() // 1000


def test_a_seat_may_take_its_free_time_and_all_of_its_bank() -> None:
    clock = SeatClock(TIMING)
    assert (clock.allowed_us, clock.bank_us, clock.charged_us) == (500_000, 400_000, 0)


def test_what_is_within_the_free_time_takes_nothing_from_the_bank() -> None:
    clock = SeatClock(TIMING)
    for took in (1, 100_000):
        clock.charge(took)
        assert (clock.allowed_us, clock.bank_us, clock.charged_us) == (500_000, 400_000, took)


def test_what_goes_beyond_it_does_until_there_is_no_more() -> None:
    clock = SeatClock(TIMING)
    clock.charge(100_001)
    assert (clock.allowed_us, clock.bank_us) == (499_999, 399_999)
    clock.charge(499_999)
    assert (clock.allowed_us, clock.bank_us) == (100_000, 0)
    clock.charge(600_000)
    assert (clock.allowed_us, clock.bank_us, clock.charged_us) == (100_000, 0, 600_000)


def test_who_was_late_has_no_bank_whatever_it_takes_afterwards() -> None:
    clock = SeatClock(TIMING)
    clock.run_out(500_001)
    assert (clock.allowed_us, clock.bank_us, clock.charged_us) == (100_000, 0, 500_001)
    clock.charge(100_002)
    assert (clock.allowed_us, clock.bank_us, clock.charged_us) == (100_000, 0, 100_002)
    assert repr(clock) == "<SeatClock 0 us in the bank>"


def test_a_bot_is_told_all_that_its_clock_goes_by() -> None:
    assert TIMING.in_words() == {
        "decision_ms": 100,
        "bank_ms": 400,
        "hang_ms": 5_000,
        "faults_to_forfeit": 3,
    }
