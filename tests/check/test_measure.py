"""What is measured of a bot in a check: patience, memory, percentiles."""

from __future__ import annotations

import os
import subprocess

import pytest

from arena.check.measure import (
    LEAST_PATIENCE_US,
    Measures,
    memory_of,
    middle,
    nearly_most,
)


@pytest.mark.parametrize(
    ("decisions_us", "plenty_us"),
    [
        ((), LEAST_PATIENCE_US),
        ((1_000,), LEAST_PATIENCE_US),
        ((1_000, 300_000, 2_000), 3_000_000),
    ],
)
def test_a_bot_has_ten_times_as_long_as_its_slowest_decision_took_and_two_seconds_at_least(
    decisions_us: tuple[int, ...], plenty_us: int
) -> None:
    assert LEAST_PATIENCE_US == 2_000_000
    assert Measures(decisions_us=[*decisions_us]).plenty_us() == plenty_us


def test_memory_is_that_of_a_process_and_of_all_it_has_started() -> None:
    measures = Measures()
    measures.weigh(os.getpid())
    alone, processes = measures.memory_kb, measures.processes
    assert measures.most_memory_kb >= alone > 1_000
    with subprocess.Popen(["sleep", "60"]) as child:
        own = memory_of(child.pid)
        measures.weigh(os.getpid())
        child.kill()
    assert own is not None
    assert measures.processes == processes + 1
    most = measures.most_memory_kb
    measures.weigh(child.pid)  # it has gone
    assert (measures.memory_kb, measures.most_memory_kb) == (0, most)
    assert measures.processes == processes + 1


def test_a_process_that_has_gone_has_no_memory() -> None:
    with subprocess.Popen(["true"]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert memory_of(child.pid) is None
    assert memory_of(child.pid) is None


@pytest.mark.parametrize(
    ("times", "median", "most"),
    [
        ((), 0, 0),
        ((7,), 7, 7),
        ((3, 1, 2), 2, 3),
        (range(100), 50, 99),
        (range(200), 100, 198),
    ],
)
def test_percentiles(times: tuple[int, ...], median: int, most: int) -> None:
    assert (middle(times), nearly_most(times)) == (median, most)
