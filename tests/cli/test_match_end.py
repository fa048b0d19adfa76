"""The end of `arena match`: what is written and printed, and the exit code."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from arena.cli.match import FAULTS, NOT_BEGUN, VOID, style_of, tell_end
from arena.cli.match_view import Style
from arena.cli.printer import Printer
from arena.compare.play import Comparison, SeatedResult
from arena.exits import INTERRUPTED
from arena.record import FaultEntry, Record
from arena.record.endings import NOT_BEGUN as NEVER_BEGUN
from arena.referee.match import Result
from arena.referee.replies import Broken
from tests.cli.test_match_text import PLAN, RECORD

FAULTY = replace(RECORD, faults=(FaultEntry(0, 0, "late", "out-of-time", "text"),))
EMPTY = replace(RECORD, ending=NEVER_BEGUN)


class Written:
    """A recording in memory."""

    def __init__(self, *, failed: bool = False) -> None:
        self.records: list[list[Record]] = []
        self.failed = failed

    def write(self, records: list[Record]) -> None:
        self.records.append(records)


def of(*records: Record, lag: Broken | None = None) -> Comparison:
    """A comparison of single matches that ended so."""
    comparison = Comparison(PLAN, None, [(0,), (1,)])
    comparison.played.append([SeatedResult((0, 1), Result(each, (), lag)) for each in records])
    return comparison


def ended(
    comparison: Comparison, recording: Written | None = None, *, stopped: bool = False
) -> int:
    return tell_end(
        comparison,
        stopped,
        printer=Printer(),
        as_json=False,
        recording=cast("Any", recording),
        repeats=None,
    )


@pytest.mark.parametrize(
    ("comparison", "code"),
    [
        (of(RECORD), 0),
        (of(FAULTY), FAULTS),
        (of(FAULTY, lag=Broken(RuntimeError())), VOID),
        (of(RECORD, EMPTY), NOT_BEGUN),
    ],
)
def test_the_exit_code_is_that_of_the_worst_event(comparison: Comparison, code: int) -> None:
    assert ended(comparison) == code


def test_only_matches_that_were_begun_are_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    recording = Written()
    assert ended(of(EMPTY), recording) == NOT_BEGUN
    assert recording.records == []  # what the file had stays
    assert ended(of(RECORD, EMPTY), recording) == NOT_BEGUN
    assert recording.records == [[RECORD]]
    assert capsys.readouterr() == ("", "")


def test_a_record_that_could_not_be_written_is_an_error() -> None:
    assert ended(of(FAULTY), Written(failed=True)) == 1
    assert ended(of(FAULTY), Written()) == FAULTS


def test_a_match_that_was_stopped_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(of(RECORD), Written(failed=True), stopped=True) == INTERRUPTED
    assert capsys.readouterr() == ("", "stopped\n")


@pytest.mark.parametrize(
    ("tap", "sets", "as_json", "is_quiet", "has_lines", "style"),
    [
        (True, True, True, True, True, Style.SILENT),
        (True, True, False, True, True, Style.RESULT),
        (True, False, False, False, True, Style.FAULTS),
        (False, True, False, False, False, Style.FAULTS),
        (False, False, False, False, True, Style.MOVES),
        (False, False, False, False, False, Style.PICTURE),
    ],
)
def test_the_style_is_that_of_the_strongest_wish(
    tap: bool, sets: bool, as_json: bool, is_quiet: bool, has_lines: bool, style: Style
) -> None:
    output = cast("Any", SimpleNamespace(is_quiet=is_quiet, lines=[] if has_lines else None))
    assert style_of(output, tap=tap, sets=sets, as_json=as_json) is style
