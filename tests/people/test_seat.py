"""What a page that comes back is told."""

from __future__ import annotations

from typing import Any

from arena.people.seat import MOST_FAULTS, KnownMatch

START = {"type": "start", "match": "m"}
REQUEST = {"type": "request", "match": "m", "id": 1, "time_us": 9_000_000}


def known(*messages: dict[str, Any]) -> KnownMatch:
    match = KnownMatch()
    for each in messages:
        match.take(each, 10.0)
    return match


def test_the_beginning_the_last_table_and_the_open_request_are_told_again() -> None:
    moves = [{"type": "moved", "view": number} for number in range(3)]
    match = known(START, *moves, REQUEST)
    assert [*match.again(10.0)] == [START, moves[-1], REQUEST]


def test_the_clock_has_gone_on_meanwhile_and_never_below_0() -> None:
    match = known(REQUEST)
    assert [each["time_us"] for each in match.again(12.5)] == [6_500_000]
    assert [each["time_us"] for each in match.again(100.0)] == [0]


def test_a_request_that_was_answered_or_settled_by_a_fault_is_not_told_again() -> None:
    match = known(REQUEST)
    match.answered()
    assert [*match.again(10.0)] == []
    fault = {"type": "fault", "id": 1}
    assert [*known(REQUEST, fault).again(10.0)] == [fault]
    assert [*known(REQUEST, {"type": "fault", "id": 7}).again(10.0)][-1] == REQUEST


def test_the_end_is_told_whenever_somebody_comes_and_no_request_with_it() -> None:
    end = {"type": "end"}
    match = known(REQUEST, end, {"type": "bye"})
    assert match.is_over
    assert [*match.again(10.0)] == [end]


def test_of_many_faults_the_last_are_told() -> None:
    faults = [{"type": "fault", "id": number} for number in range(MOST_FAULTS + 5)]
    assert [*known(*faults).again(0.0)] == faults[-MOST_FAULTS:]
