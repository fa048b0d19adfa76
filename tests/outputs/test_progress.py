"""How far a publishing is, in lines."""

from __future__ import annotations

from arena.league.model.publisher_pipe import AT
from arena.outputs.progress import as_lines


def test_a_line_says_what_is_counted_and_how_far_it_is() -> None:
    lines: list[str] = []
    as_lines(lines.append)("pages of matches", 1200, 4000)
    assert lines == [f"{AT}pages of matches: 1,200 of 4,000"]


def test_however_much_there_is_the_lines_fit_into_a_pipe_that_nobody_reads() -> None:
    lines: list[str] = []
    tell = as_lines(lines.append)
    for what in ("sets read", "pages of matches"):
        for done in range(1, 100_001):
            tell(what, done, 100_000)
    assert len(lines) == 2 * 101
    assert lines[-1] == f"{AT}pages of matches: 100,000 of 100,000"
    # What a pipe of Linux holds.
    assert sum(map(len, lines)) < 65_536 // 4
