"""The standings as Markdown: as easy to read raw as rendered.

Every text that a bot chose is escaped for Markdown and for HTML, so that it stays text in any
viewer: no markup, no link, no image, no row of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from arena.league.model.course import CourseTable, in_words
from arena.league.table.standings import Facts, Standing, Standings
from arena.outputs.columns import BOT, columns
from arena.outputs.words import LEGEND, heading, notes, part_in_words, parts_of
from arena.text import plain

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
# Characters that begin or end markup within a line. Dashes and dots do so only at its start.
_MARKS = re.compile(r"[\\`*_{}\[\]()#|~!@$^]")
# Text that many renderers turn into a link without any markup: "www." and "://".
_LINKS = re.compile(r"(?i)(?<=www)\.|:(?=//)")


def markdown(standings: Standings) -> str:
    """Return the whole document."""
    return "\n".join(lines(standings)) + "\n"


def lines(standings: Standings) -> Iterator[str]:
    first, *rest = heading(standings.facts, escaped)
    yield f"# {first}"
    yield ""
    yield from (f"- {line}" for line in rest)
    if not standings.rows:
        yield ""
        yield "No set is complete yet."
    parts = parts_of(standings)
    for number, rows in enumerate(parts, 1):
        yield ""
        if len(parts) > 1:
            yield part_in_words(number, len(parts))
            yield ""
        yield from table(standings.facts, rows)
    for one in standings.course:
        yield from ("", f"## {escaped(one.title)}", "")
        yield from _of_course(one)
    if standings.course:
        yield from ("", escaped(standings.course[-1].note))
    told = list(notes(standings, escaped))
    if told:
        yield ""
        # A note may begin with the mark of a provisional row, which would begin a list.
        yield from (f"- {_mark(note)}" for note in told)
    yield ""
    yield from (f"{_mark(line)}  " if line != LEGEND[-1] else line for line in LEGEND)


def _of_course(one: CourseTable) -> Iterator[str]:
    """Yield the lines of a table of the format. A text may be a name that a bot chose."""
    yield f"| {' | '.join(map(_mark, one.columns))} |"
    yield f"| {' | '.join('---' for _ in one.columns)} |"
    for row in one.rows:
        cells = (escaped(each) if isinstance(each, str) else in_words(each) for each in row)
        yield f"| {' | '.join(cells)} |"


def table(facts: Facts, rows: Sequence[Standing]) -> Iterator[str]:
    """Yield the lines of a table, aligned so that it can be read raw, numbers to the right."""
    shown = columns(facts)
    cells = [
        [escaped(text) if column.head == BOT else _mark(text.strip()) for column, text in each]
        for each in ([(column, column.cell(row)) for column in shown] for row in rows)
    ]
    heads = [column.head for column in shown]
    widths = [max(map(cell_len, texts)) for texts in zip(heads, *cells, strict=True)]
    is_text = [column.head == BOT for column in shown]
    yield _row(heads, widths, is_text)
    rule = [
        "-" * width if left else "-" * (width - 1) + ":"
        for width, left in zip(widths, is_text, strict=True)
    ]
    yield _row(rule, widths, is_text)
    for row in cells:
        yield _row(row, widths, is_text)


def escaped(text: str) -> str:
    """Return text of a bot, escaped so that it stays text."""
    text = plain(text)
    text = _MARKS.sub(lambda found: f"\\{found[0]}", text)
    text = _LINKS.sub(lambda found: f"\\{found[0]}", text)
    text = "".join(_ENTITIES.get(letter, letter) for letter in text)
    return re.sub(r"^([-+=]|\d+\.)", r"\\\1", text)


def _mark(text: str) -> str:
    """Escape our own marks (* and ~), which Markdown would read as markup."""
    return re.sub(r"(?<!\\)[*~]", r"\\\g<0>", text)


def _row(cells: Sequence[str], widths: Sequence[int], is_text: Sequence[bool]) -> str:
    padded = [
        f"{cell}{' ' * (width - cell_len(cell))}"
        if left
        else f"{' ' * (width - cell_len(cell))}{cell}"
        for cell, width, left in zip(cells, widths, is_text, strict=True)
    ]
    return f"| {' | '.join(padded)} |"
