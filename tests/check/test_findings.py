"""Findings as values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.check.catalogue import STEPS
from arena.check.findings import Finding, Log, Severity, StepOver, count, last_line, shape
from arena.check.measure import Measures, middle, nearly_most
from arena.check.run import CheckReport, StepResult

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


def test_a_finding_that_ends_the_step_is_noted_and_is_its_reason() -> None:
    log = Log()
    over = log.fail(OTHER)
    assert isinstance(over, StepOver)
    assert str(over) == "two writes"
    assert log.findings == [OTHER]


def test_findings_of_one_kind_in_two_sections_are_two() -> None:
    log = Log()
    for finding in (WRONG, replace(WRONG, section="4.6"), replace(WRONG, kind="")):
        log.add(finding)
    assert [finding.section for finding in log.findings] == ["4.5", "4.6", "4.5"]


def test_a_report_counts_the_findings_of_all_steps_by_severity() -> None:
    step = STEPS[0]
    results = (
        StepResult(step, (WRONG, OTHER)),
        StepResult(step, (OTHER,)),
        StepResult(step, (replace(OTHER, severity=Severity.NOTE),)),
        StepResult(step, ()),
    )
    report = CheckReport(results, (), True, None, Measures())
    assert [report.count(severity) for severity in Severity] == [1, 2, 1]
    assert [result.verdict for result in results] == ["FAIL", "warn", "ok", "ok"]
    assert report.findings == [WRONG, OTHER, OTHER, results[2].findings[0]]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("a[1, 2](3) x7y 'q'", "a** * *"),
        ("", ""),
        ("no values", "no values"),
        ("('a' and [b])", "*"),
    ],
)
def test_quoted_bracketed_and_numbered_words_are_values(words: str, expected: str) -> None:
    assert shape(words) == expected


@pytest.mark.parametrize(
    ("output", "line"),
    [("a\nb", "b"), ("a\n  \n", "a"), ("  \n", ""), ("one", "one"), ("a\n b \n", " b ")],
)
def test_the_last_line_with_text_is_taken_as_it_stands(output: str, line: str) -> None:
    assert last_line(output) == line
