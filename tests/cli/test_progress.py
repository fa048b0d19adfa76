"""Progress of a publishing, shown on a terminal and nowhere else."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from arena.cli import progress as module
from arena.cli.progress import FIRST_SECONDS, NEXT_SECONDS, progress, remaining


class Screen(io.StringIO):
    """A standard error that is, or is not, a terminal."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def shown(
    monkeypatch: pytest.MonkeyPatch, *waits: float, is_terminal: bool = True
) -> tuple[str, str]:
    """What stands on the screen before and after the scope ends, telling after each wait."""
    screen, now = Screen(is_terminal=is_terminal), 1_000.0
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now))
    with progress() as tell:
        for number, seconds in enumerate(waits, 1):
            now += seconds
            tell("sets read", number, 1_234)
        inside = screen.getvalue()
    return inside, screen.getvalue()[len(inside) :]


def test_a_wait_that_lasts_is_told_on_one_line_that_is_wiped_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inside, after = shown(monkeypatch, FIRST_SECONDS, NEXT_SECONDS / 2, NEXT_SECONDS)
    assert inside == "\r\x1b[Ksets read: 1 of 1,234\r\x1b[Ksets read: 3 of 1,234"
    assert after == "\r\x1b[K"


def test_a_short_wait_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, FIRST_SECONDS / 2, FIRST_SECONDS / 4) == ("", "")


def test_a_file_is_not_told_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, FIRST_SECONDS, NEXT_SECONDS, is_terminal=False) == ("", "")


@pytest.mark.parametrize(
    ("seconds", "done", "to_do", "words"),
    [
        (0.5, 10, 100, ""),  # too soon to know
        (10, 0, 100, ""),
        (10, 10, 0, ""),
        (10, 10, 5, ", 5 s left"),
        (10, 100, 1_234, ", 2 min 3 s left"),
    ],
)
def test_the_rest_is_told_at_the_pace_so_far(
    seconds: float, done: int, to_do: int, words: str
) -> None:
    assert remaining(seconds, done, to_do) == words
