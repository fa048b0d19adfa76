"""Findings as values."""

from __future__ import annotations

from arena.referee.check.findings import Finding, Log, Severity, count, last_line, shape
from arena.referee.check.measure import Measures, middle, nearly_most

WRONG = Finding(Severity.ERROR, "4.5", "illegal: request 1", kind="not-legal")
AGAIN = Finding(Severity.ERROR, "4.5", "illegal: request 2", kind="not-legal")
OTHER = Finding(Severity.WARNING, "2.2", "two writes")


def test_what_is_found_again_is_counted_and_told_once() -> None:
    log = Log()
    for finding in (WRONG, OTHER, AGAIN):
        log.add(finding)
    assert [finding.what for finding in log.findings] == ["illegal: request 1", "two writes"]
    assert [finding.times for finding in log.findings] == [2, 1]
    assert count(log.findings, Severity.ERROR) == 1


def test_of_a_traceback_the_exception_is_what_tells_it_from_others() -> None:
    assert last_line("Traceback\n  line\nValueError: no\n\n") == "ValueError: no"
    assert last_line("") == ""


def test_how_long_an_answer_is_waited_for_at_last_depends_on_how_long_answers_took() -> None:
    assert Measures().plenty_us() == 2_000_000
    assert Measures(decisions_us=[1_000, 5_000_000, 2_000]).plenty_us() == 50_000_000


def test_the_shape_of_words_leaves_values_out() -> None:
    assert shape("KeyError: 'R13'") == shape('KeyError: "trump:-"') == "KeyError: *"
    assert shape("no R7 among (R1, G2) at bot.pl line 40.") == shape(
        "no 12 among (B3) at bot.pl line 7."
    )
    assert shape("ValueError: no card") != shape("ValueError: no seat")


def test_median_and_99th_percentile() -> None:
    times = [*range(1, 201)]
    assert middle(times) == 100
    assert nearly_most(times) == 199
    assert (middle([]), nearly_most([])) == (0, 0)
    assert nearly_most([5]) == 5
