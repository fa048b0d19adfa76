"""Records written as `arena match --record` writes them: a line of JSON each (docs/records.md)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from arena.cli.printer import Printer
from arena.cli.recording import Recording
from arena.record import Record, to_json

STANDARD_OUTPUT = "-"


def write_records(records: Iterable[Record], where: str, option: str) -> int:
    """Write records into a file, or to standard output for "-", and return how many.

    `option`: the one that named the file, for errors. A file that could not be written to its end
    makes the command end with an error.
    """
    if where == STANDARD_OUTPUT:
        return print_records(records)
    with Recording(Path(where), option) as recording:
        try:
            recording.write(records)
        except KeyboardInterrupt:
            click.echo(f"{where}: {recording.written} records so far", err=True)
            raise
    if recording.failed:
        raise SystemExit(1)
    return recording.written


def print_records(records: Iterable[Record]) -> int:
    """Print records until nobody reads them any more; return how many."""
    printer = Printer()
    written = 0
    for record in records:
        printer(to_json(record))
        if printer.closed:
            break
        written += 1
    printer.end()
    return written
