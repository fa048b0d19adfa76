"""The log of requests."""

from __future__ import annotations

import json
import logging
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.serve.web.log import (
    KEPT_SECONDS,
    MOST_BYTES,
    ProblemLines,
    RequestLog,
    began_of,
    log_file,
    open_log,
    shortened,
)
from tests.league.leagues import NASTY


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("192.0.2.17", "192.0.2.0"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
        ("::1", "::"),
        ("::ffff:192.0.2.17", "192.0.2.0"),
        ("testclient", "?"),
        ("", "?"),
    ],
)
def test_of_an_address_its_network_is_kept(address: str, kept: str) -> None:
    assert shortened(address) == kept


class Log:
    """A log in a file, and a clock that stands still."""

    def __init__(self, file: Path, *, is_ours: bool):
        self.now = 0.0
        self.file = file
        self.descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        self.write = RequestLog(self.descriptor, is_ours=is_ours, clock=lambda: self.now)

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.file.read_text().splitlines()]


def test_each_request_is_one_line_of_json_whatever_is_in_it(tmp_path: Path) -> None:
    log = Log(tmp_path / "log", is_ours=True)
    log.write("request", path=f"/{NASTY}\n\u2028", status=200)
    log.write("request", path="/", status=404)
    assert [line["status"] for line in log.lines()] == [200, 404]
    assert "\x1b" not in log.file.read_text()
    os.close(log.descriptor)


def test_a_file_of_ours_is_emptied_after_a_day_and_when_it_is_large(tmp_path: Path) -> None:
    log = Log(tmp_path / "log", is_ours=True)
    log.write("request", number=1)
    log.now = KEPT_SECONDS - 1
    log.write("request", number=2)
    assert len(log.lines()) == 2
    log.now = KEPT_SECONDS + 1
    log.write("request", number=3)
    assert [line["number"] for line in log.lines()] == [3]
    log.write("request", number=4, text="x" * MOST_BYTES)
    log.write("request", number=5)
    assert [line["number"] for line in log.lines()] == [5]
    os.close(log.descriptor)


def test_a_process_that_takes_over_goes_on_with_the_log(tmp_path: Path) -> None:
    """The last line may tell why the process before has ended."""
    file = tmp_path / "log"
    for number in (1, 2):
        open_log(str(file))("problem", number=number)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["number"] for line in lines] == [1, 2]


@pytest.mark.parametrize(
    ("at", "numbers"), [("2026-01-31T12:00:00Z", [1, 2]), ("2026-01-31T11:59:58Z", [2])]
)
def test_a_log_that_is_gone_on_with_is_as_old_as_its_first_line(
    tmp_path: Path, at: str, numbers: list[int]
) -> None:
    """Else one whose processes are replaced each day would never be emptied."""
    file = tmp_path / "log"
    file.write_text(json.dumps({"at": at, "kind": "request", "number": 1}) + "\n")
    now = datetime(2026, 2, 1, 11, 59, 59, tzinfo=UTC).timestamp()
    write = RequestLog(
        log_file(str(file)), is_ours=True, began=began_of(str(file)), clock=lambda: now
    )
    write("request", number=2)
    assert [json.loads(line)["number"] for line in file.read_text().splitlines()] == numbers


@pytest.mark.parametrize("text", ["", "a diary\n", "[]\n", "{}\n", '{"at": 7}\n', '{"at": "x"}\n'])
def test_a_log_whose_first_line_has_no_time_begins_when_it_is_opened(
    tmp_path: Path, text: str
) -> None:
    file = tmp_path / "log"
    file.write_text(text)
    assert began_of(str(file)) is None
    assert began_of(str(tmp_path / "none")) is None


def test_standard_error_is_never_emptied(tmp_path: Path) -> None:
    log = Log(tmp_path / "log", is_ours=False)
    log.write("request", number=1)
    log.now = 2 * KEPT_SECONDS
    log.write("request", number=2)
    assert len(log.lines()) == 2
    os.close(log.descriptor)


def test_a_reader_that_is_gone_costs_the_line_and_nothing_else(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    RequestLog(write, is_ours=False)("request", number=1)
    os.close(write)


def test_a_problem_is_one_line_with_where_it_was(tmp_path: Path) -> None:
    log = Log(tmp_path / "log", is_ours=True)
    logger = logging.getLogger("tests.serve.log")
    handler = ProblemLines(log.write)
    logger.addHandler(handler)
    logger.propagate = False
    try:
        raise ValueError("odd")
    except ValueError:
        logger.exception("it went wrong")
    logger.error("cup cannot be read")
    logger.removeHandler(handler)
    line, short = log.lines()
    assert str(short["text"]).count("cup cannot be read") == 1
    assert line["kind"] == "problem"
    assert "it went wrong" in str(line["text"])
    assert "ValueError: odd" in str(line["text"])
    os.close(log.descriptor)
