"""A check shown as it goes, with results made up for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from arena.bots.botfile import Bot
from arena.check.catalogue import STEPS
from arena.check.findings import Finding, Severity
from arena.check.measure import Measures
from arena.check.run import CheckReport, StepBegun, StepResult
from arena.cli.check_text import summary, tell_frame
from arena.cli.check_view import AGAIN_SECONDS, LONG_SECONDS, CheckView
from arena.cli.printer import Printer

GARBAGE = Finding(Severity.ERROR, "3.3", "unreadable: c1", advice="Pack a map.", kind="malformed")
UNASKED = Finding(Severity.ERROR, "5.2", "out-of-turn: c1", kind="nothing-asked")
SLOW = Finding(Severity.WARNING, "2.4", "it took 1 s to end", kind="slow to end")
NOTED = Finding(Severity.NOTE, "6", "the rest was left out")


class Shown:
    """A view without a terminal, its lines kept; the clock stands still unless it is set."""

    def __init__(self, *, is_live: bool = False) -> None:
        self.lines: list[str] = []
        self.time = 100.0
        printer = cast("Printer", self.lines.append)
        self.view = CheckView("arena check my-bot", printer, is_live=is_live, now=lambda: self.time)

    def over(self, number: int, *findings: Finding) -> StepResult:
        result = StepResult(STEPS[number - 1], findings)
        self.view.tell(StepBegun(result.step, 1.0))
        self.view.tell(result)
        return result

    def end(self, *results: StepResult) -> list[str]:
        """The lines at the end."""
        before = len(self.lines)
        self.view.end(CheckReport(results, (), True, None, Measures()))
        return self.lines[before:]


@pytest.fixture(autouse=True)
def no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")


def test_a_finding_is_explained_where_it_is_met_first_and_then_in_a_line() -> None:
    shown = Shown()
    results = [shown.over(1), shown.over(2, GARBAGE)]
    explained = [*shown.lines]
    assert explained == [
        f"ok     1  {STEPS[0].title}",
        f"FAIL   2  {STEPS[1].title}",
        "",
        f"error  step 2, {STEPS[1].title} (SPEC 3.3)",
        "  unreadable: c1",
        f"  this step: {STEPS[1].about}",
        "  do:   Pack a map.",
        "  again: arena check my-bot --step 2 -v",
        "",
    ]
    results += [shown.over(number, replace(GARBAGE, what="unreadable: c2")) for number in (3, 4, 5)]
    assert shown.lines == explained
    results.append(shown.over(6))
    assert shown.lines[len(explained) :] == [
        "FAIL  3 to 5  as step 2",
        f"ok     6  {STEPS[5].title}",
    ]
    assert shown.end(*results) == [
        "",
        f"error  step 2, {STEPS[1].title} (SPEC 3.3); also in 3 to 5: unreadable: c1",
        "6 steps, 4 errors, 0 warnings",
    ]


def test_what_often_follows_from_a_mistake_before_says_so() -> None:
    shown = Shown()
    shown.over(1, GARBAGE)
    before = len(shown.lines)
    shown.over(2, UNASKED)
    assert "  probably the same mistake as in step 1: mend that first" in shown.lines[before:]
    alone = Shown()
    alone.over(2, UNASKED)
    assert "probably the same" not in str(alone.lines)


def test_the_list_at_the_end_says_what_each_finding_was() -> None:
    shown = Shown()
    long = replace(GARBAGE, what="x" * 200, kind="another")
    told = shown.end(shown.over(1, GARBAGE), shown.over(2, long))
    where = [f"error  step {n}, {STEPS[n - 1].title} (SPEC 3.3): " for n in (1, 2)]
    assert told[1:3] == [f"{where[0]}unreadable: c1", f"{where[1]}{'x' * 116} ..."]


def test_what_is_folded_last_is_told_at_the_end() -> None:
    shown = Shown()
    results = [shown.over(1, GARBAGE), shown.over(2, GARBAGE)]
    assert shown.end(*results)[0] == "FAIL   2  as step 1"


def test_steps_that_fail_for_other_reasons_are_told_apart() -> None:
    shown = Shown()
    results = [
        shown.over(1, GARBAGE),
        shown.over(2, UNASKED),
        shown.over(3, GARBAGE),
        shown.over(4, GARBAGE, UNASKED),
        shown.over(5, UNASKED),
        shown.over(6, GARBAGE, SLOW),
        shown.over(7, SLOW),
    ]
    told = [line for line in (*shown.lines, *shown.end(*results)) if line[:5] in ("FAIL ", "warn ")]
    assert told == [
        f"FAIL   1  {STEPS[0].title}",
        f"FAIL   2  {STEPS[1].title}",
        "FAIL   3  as step 1",
        "FAIL   4  as steps 1 to 2",
        "FAIL   5  as step 2",
        f"FAIL   6  {STEPS[5].title}",
        "warn   7  as step 6",
    ]


def test_a_step_that_is_well_is_told_by_itself_though_its_note_is_known() -> None:
    shown = Shown()
    shown.over(1, NOTED)
    assert f"note  step 1, {STEPS[0].title} (SPEC 6)" in shown.lines
    shown.over(2, NOTED)
    assert shown.lines[-1] == f"ok     2  {STEPS[1].title}"


def test_a_single_finding_is_not_told_again_at_the_end() -> None:
    shown = Shown()
    assert shown.end(shown.over(1, GARBAGE)) == ["", "1 step, 1 error, 0 warnings"]


def test_the_time_left_is_told_now_and_then_if_it_is_long() -> None:
    shown = Shown()
    for left in (LONG_SECONDS, 75.0, 70.0):
        shown.view.tell(StepBegun(STEPS[0], left))
    assert shown.lines == ["about 1 min 15 s left"]
    shown.time += AGAIN_SECONDS
    shown.view.tell(StepBegun(STEPS[1], 40.0))
    assert shown.lines[1:] == ["about 40 s left"]


def test_a_terminal_shows_the_step_that_runs_with_the_time_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = Shown(is_live=True)
    shown.view.tell(StepBegun(STEPS[0], 5.0))
    shown.view.tell(StepBegun(STEPS[1], 75.0))
    shown.view.tell(StepResult(STEPS[1], ()))
    first, second = capsys.readouterr().out.replace("\x1b[K", "").split("\r")[1:]
    assert first == f"...   1  {STEPS[0].title}"
    assert second == f"...   2  {STEPS[1].title} (about 1 min 15 s left)"
    assert shown.lines == [f"\r\x1b[Kok     2  {STEPS[1].title}"]


def test_it_begins_with_the_steps_and_the_least_that_they_take() -> None:
    shown = Shown()
    bot = Bot(name="fox", command=("x",), games=("nope",), folder=Path())
    shown.view.begin(bot, STEPS[:1])
    shown.view.begin(bot, STEPS[:6])
    assert shown.lines == ["fox: 1 step", "fox: 6 steps, 4 s and the time in which it thinks"]


@pytest.mark.parametrize(
    ("way", "data", "line"),
    [
        ("sent", b"\x00\x00\x00\x04\x81\xa1a\x01", '    <- {"a":1}'),
        ("came", b"\x00\x00\x00\x02\x91\x07", "    -> [7]"),
        ("came", b"\x00\x00\x00\x03\x91\x07", "    -> 00 00 00 03 91 07"),
        ("came", b"\x00\x00\x00\x01\xc1", "    -> 00 00 00 01 c1"),
        ("sent", b"", "    <- "),
        ("token", b"a b\x1b", "    started with ARENA_TOKEN='a b\ufffd'"),
    ],
)
def test_a_frame_is_told_as_json_or_as_its_bytes(
    way: str, data: bytes, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tell_frame(way, data)
    assert capsys.readouterr().err == f"{line}\n"


@pytest.mark.parametrize(
    ("findings", "words"),
    [
        ((), "1 step, 0 errors, 0 warnings"),
        ((GARBAGE,), "1 step, 1 error, 0 warnings"),
        ((GARBAGE, UNASKED, SLOW), "1 step, 2 errors, 1 warning"),
        ((SLOW, SLOW, NOTED), "1 step, 0 errors, 2 warnings"),
    ],
)
def test_the_last_line_counts(findings: tuple[Finding, ...], words: str) -> None:
    one = StepResult(STEPS[0], findings)
    assert summary(CheckReport((one,), (), True, None, Measures())) == words
    none = CheckReport((), (), True, None, Measures())
    assert summary(none) == "0 steps, 0 errors, 0 warnings"
