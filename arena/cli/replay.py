"""`arena replay`: a recorded match told again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click

from arena.cli.printer import Printer
from arena.record import (
    Audience,
    BadRecord,
    Record,
    RecordError,
    from_json,
    load,
    replay,
    transcript,
)
from arena.record.transcript import told_fault


@click.command("replay")
@click.argument("file", metavar="FILE|LEAGUE:MATCH")
@click.option("--seat", type=int, help="As this seat saw it.")
@click.option("--open", "all_open", is_flag=True, help="With all hands open.")
@click.option("--from", "first", type=click.IntRange(min=0), help="First move to show, from 0.")
@click.option("--to", "last", type=click.IntRange(min=0), help="Last move to show.")
@click.option(
    "--match",
    "which",
    type=click.IntRange(min=0),
    help="Which of several in a file, from 0.",
)
@click.option("--json", "as_json", is_flag=True, help="A JSON line for each move, with the view.")
def COMMAND(  # noqa: N802  # what every command module exports
    file: str,
    seat: int | None,
    all_open: bool,
    first: int | None,
    last: int | None,
    which: int | None,
    as_json: bool,
) -> None:
    """Tell a recorded match again, as a spectator unless asked otherwise.

    A match of a league is named by its place, such as cup:17.4; those of sets that are not
    complete are not told. The record is checked against the rules on the way; the first move
    that does not fit is named.

    \b
    Examples:
      arena replay match.json
      arena replay match.json --seat 2 --from 20 --to 40
      arena replay match.json --open --json | jq .view.hand
      arena replay cup:17.4 --seat 0
    """
    record = found(file, which)
    if seat is not None and not 0 <= seat < record.seats:
        raise click.BadParameter(
            f"this match had seats 0 to {record.seats - 1}; got {seat}", param_hint="--seat"
        )
    if seat is not None and all_open:
        raise click.UsageError("--seat and --open exclude each other: one seat's hand, or all")
    check_moves(record, first, last)
    audience = Audience(seat, all_open)
    lines = transcript(record, audience, first, last)
    if as_json:
        stop = None if last is None else last + 1
        lines = islice(json_lines(record, audience), first, stop)
    printer = Printer()
    try:
        for line in lines:
            printer(line)
            if printer.closed:
                break
    except RecordError as error:
        raise click.ClickException(str(error)) from None
    printer.end()


def check_moves(record: Record, first: int | None, last: int | None) -> None:
    """Whether there are moves from the first to the last: else nothing would be shown."""
    moves = len(record.moves)
    if first is not None and first >= moves:
        there_are = f"moves 0 to {moves - 1}" if moves else "no moves"
        raise click.BadParameter(f"this match has {there_are}; got {first}", param_hint="--from")
    if first is not None and last is not None and last < first:
        raise click.UsageError(f"--from {first} --to {last} is no move: --to is the later one")


def found(argument: str, which: int | None) -> Record:
    """The record in a file, or of a match in a league; a file that is there comes first."""
    path = Path(argument)
    if path.is_file():
        return read(path, which or 0)
    # What knows leagues takes a while to load.
    from arena.cli.leagues import find_match, reading, shown_match

    named = find_match(argument)
    if named is None:
        raise click.BadParameter(
            f"{argument!r} is no file, and no match of a league such as cup:17.4",
            param_hint="FILE",
        )
    if which is not None:
        raise click.UsageError(
            f"--match is for a file of several; {argument!r} names its match already"
        )
    folder, place = named
    with reading(folder) as store:
        played = shown_match(store, place)
    if not played.is_begun:
        for fault in played.record.faults:
            click.echo(told_fault(fault).strip(), err=True)
        raise click.ClickException(f"match {place} was not begun, so there is nothing to tell")
    return played.record


def read(file: Path, which: int) -> Record:
    """A record from JSON, one a line, or from msgpack."""
    data = file.read_bytes()
    is_packed = data[:1] >= b"\x80"  # what msgpack begins an array with, and no text
    records = [data] if is_packed else data.splitlines() or [data]
    if which >= len(records):
        there_are = f"there are {len(records)}" if len(records) > 1 else "there is 1"
        raise click.BadParameter(f"{there_are} in this file, from 0", param_hint="--match")
    try:
        return load(records[which]) if is_packed else from_json(records[which])
    except BadRecord as error:
        raise click.ClickException(
            f"{file}: {'these are events of a league' if is_event(records[which]) else error}.\n"
            "A record is what `arena match --record FILE` writes; of a league's matches,"
            " `arena replay LEAGUE:17.4` tells one"
        ) from None


def is_event(line: bytes) -> bool:
    """Whether a league's runner wrote this: such a file looks much like one of records."""
    try:
        found = json.loads(line)
    except ValueError:
        return False
    return isinstance(found, dict) and "event" in found


def json_lines(record: Record, audience: Audience) -> Iterator[str]:
    for step in replay(record):
        if step.move is None:
            continue
        line: dict[str, Any] = {
            "move": step.number,
            "seat": step.move.seat,
            "time_us": step.move.time_us,
            "view": audience.sees(step.state),
        }
        if audience.all_open:
            line["action"] = step.move.action
            line["hands"] = audience.hands(step.state, record.seats)
        yield json.dumps(line, separators=(",", ":"))
