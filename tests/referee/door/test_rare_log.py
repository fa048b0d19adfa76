"""One line of a kind a minute, whatever happens at the door."""

from __future__ import annotations

import logging

import pytest

from arena.referee.door.rare_log import RareLog

EVERY_SECONDS = 60


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rare(clock: Clock) -> RareLog:
    return RareLog(logging.getLogger("test"), clock)


def fail(rare: RareLog, error: Exception) -> None:
    try:
        raise error
    except Exception:
        rare.exception("dropped")


def test_lines_of_a_kind_are_written_once_a_minute_and_then_counted(
    rare: RareLog, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(1_000):
        clock.seconds = number * EVERY_SECONDS / 999
        rare.warning("cannot do %s", number)
    rare.warning("cannot do %s", "it")
    assert caplog.messages == [
        "cannot do 0",
        "cannot do 999 (left out since the last such line: 998)",
    ]
    clock.seconds += 10 * EVERY_SECONDS
    rare.warning("cannot do %s", 7)
    assert caplog.messages[2:] == ["cannot do 7 (left out since the last such line: 1)"]


def test_lines_of_other_kinds_are_written(rare: RareLog, caplog: pytest.LogCaptureFixture) -> None:
    rare.warning("cannot do %s", 1)
    rare.warning("will not do %s", 1)
    for error in (ValueError("one"), ValueError("two"), KeyError("three")):
        fail(rare, error)
    assert caplog.messages == ["cannot do 1", "will not do 1", "dropped", "dropped"]
    assert "ValueError: one" in caplog.text
    assert "ValueError: two" not in caplog.text
    assert "KeyError: 'three'" in caplog.text
