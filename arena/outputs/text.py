"""The standings for a terminal: in colour or plain, with as many columns as there is room for."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.league.model.course import CourseTable, in_words
from arena.league.table.standings import Facts, Standing, Standings
from arena.outputs.columns import BOT, Column, columns
from arena.outputs.words import LEGEND, heading, notes, part_in_words, parts_of
from arena.text import plain

GAP = 2  # between columns
# Cells of a name that are always shown; longer names are cut before a column is dropped.
NAME_ENOUGH = 16
UNLIMITED = 10_000


def text(standings: Standings, *, width: int | None, colour: bool) -> str:
    """Return heading, tables and notes. `width`: of the terminal; None: show all columns."""
    console = Console(
        file=io.StringIO(),
        width=width or UNLIMITED,
        force_terminal=colour,
        no_color=not colour,
        color_system="standard" if colour else None,
        highlight=False,
        legacy_windows=False,
    )
    with console.capture() as capture:
        for line in heading(standings.facts, plain):
            console.print(Text(line), soft_wrap=width is None)
        if not standings.rows:
            console.print(Text("no set is complete yet"))
        parts = parts_of(standings)
        for number, rows in enumerate(parts, 1):
            console.print()
            if len(parts) > 1:
                console.print(Text(part_in_words(number, len(parts))))
            console.print(table(standings.facts, rows, width))
        for one in standings.course:
            console.print()
            console.print(Text(plain(one.title)))
            console.print(of_course(one))
        if standings.course:
            console.print(Text(plain(standings.course[-1].note)), soft_wrap=width is None)
        console.print()
        for line in below(standings):
            console.print(Text(line), soft_wrap=width is None)
    # rich pads the lines of a table with blanks.
    return "\n".join(line.rstrip() for line in capture.get().split("\n"))


def has_colour(console: Console) -> bool:
    """Return True if the console is a terminal and its user has not turned colours off."""
    return console.is_terminal and not console.no_color


def below(standings: Standings) -> Iterator[str]:
    told = list(notes(standings, plain))
    yield from told
    if standings.rows:
        yield from ("", *LEGEND) if told else LEGEND


def table(facts: Facts, rows: Sequence[Standing], width: int | None) -> Table:
    """Return one part of the table, with the columns that fit into `width` cells; None: with
    all."""
    shown = fitting(columns(facts), rows, width)
    # The box adds one blank between columns.
    made = Table(box=SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), pad_edge=False, show_edge=False)
    room = None if width is None else width - needed(shown, rows) + name_width(rows)
    for column in shown:
        is_name = column.head == BOT
        made.add_column(
            Text(column.head),
            justify="left" if is_name else "right",
            no_wrap=True,
            overflow="ellipsis",
            min_width=None if is_name else width_of(column, rows),
            max_width=room if is_name else None,
        )
    for row in rows:
        made.add_row(
            *(Text(plain(column.cell(row))) for column in shown),
            style="dim" if row.rating.lacks else "",
        )
    return made


def of_course(one: CourseTable) -> Table:
    """Return a table of the format, beside the ratings."""
    made = Table(box=SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), pad_edge=False, show_edge=False)
    numbers = [
        all(isinstance(row[at], int | float | None) for row in one.rows)
        for at in range(len(one.columns))
    ]
    for name, is_number in zip(one.columns, numbers, strict=True):
        made.add_column(Text(name), justify="right" if is_number else "left")
    for row in one.rows:
        made.add_row(*(Text(plain(in_words(value))) for value in row))
    return made


def fitting(
    all_columns: Sequence[Column], rows: Sequence[Standing], width: int | None
) -> list[Column]:
    """Return the columns that fit into the width; the least important are dropped first."""
    shown = list(all_columns)
    while width is not None and needed(shown, rows) > width:
        least = max(shown, key=lambda column: column.expendable)
        if not least.expendable:
            break
        shown.remove(least)
    return shown


def needed(shown: Sequence[Column], rows: Sequence[Standing]) -> int:
    """Return the width in cells of these columns, with names cut."""
    widths = (
        name_width(rows) if column.head == BOT else width_of(column, rows) for column in shown
    )
    return sum(widths) + GAP * (len(shown) - 1)


def name_width(rows: Sequence[Standing]) -> int:
    return min(NAME_ENOUGH, max(cell_len(plain(row.name)) for row in rows))


def width_of(column: Column, rows: Sequence[Standing]) -> int:
    return max(cell_len(column.head), *(cell_len(plain(column.cell(row))) for row in rows))
