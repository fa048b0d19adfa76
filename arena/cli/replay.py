"""`arena replay`: a recorded match told again."""

from __future__ import annotations

import json
from pathlib import Path

import click

from arena.cli.documents.decisions import json_lines
from arena.cli.documents.export import write_records
from arena.cli.judging.situation import table
from arena.cli.printer import Printer
from arena.record import BadRecord, NoSuchMove, Record, RecordError, from_json, load
from arena.record.decisions import check_number
from arena.record.replay import replay
from arena.record.transcript import Audience, told_fault, transcript


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
    help="The record to tell, of several in a file, from 0.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="A JSON line for each decision, as its seat was asked."
)
@click.option(
    "--record",
    metavar="FILE",
    help="Write the record here instead of telling it, as a line of JSON; -: standard output.",
)
def COMMAND(  # noqa: N802  # the name that every command module exports
    file: str,
    seat: int | None,
    all_open: bool,
    first: int | None,
    last: int | None,
    which: int | None,
    as_json: bool,
    record: str | None,
) -> None:
    """Tell a recorded match again, as a spectator unless asked otherwise.

    A match of a league is named by its place, such as cup:17.4; those of sets that are not
    complete are not told. The record is checked against the rules on the way; the first move
    that does not fit is named. Moves are numbered from 0, over all seats, as in pages and faults.

    With --json each decision has the view of its seat before the move, `legal`, the action, its
    time and note (docs/json.md); with --seat only decisions of this seat are listed.

    \b
    Examples:
      arena replay match.json
      arena replay match.json --seat 2 --from 20 --to 40
      arena replay match.json --json --seat 2 | jq -c '[.move, .action, .legal]'
      arena replay cup:17.4 --seat 0
      arena replay cup:17.4 --record match.json
    """
    if record is not None:
        if (seat, first, last) != (None, None, None) or all_open or as_json:
            raise click.UsageError("--record writes the whole record: leave the other options out")
        write_record(found(file, which), record)
        return
    tell(found(file, which), seat, first, last, all_open=all_open, as_json=as_json)


def tell(
    record: Record,
    seat: int | None,
    first: int | None,
    last: int | None,
    *,
    all_open: bool,
    as_json: bool,
) -> None:
    """Print the record for the audience that was asked for."""
    if seat is not None and not 0 <= seat < record.seats:
        raise click.BadParameter(
            f"this match had seats 0 to {record.seats - 1}; got {seat}", param_hint="--seat"
        )
    if seat is not None and all_open:
        raise click.UsageError("--seat and --open exclude each other: one seat's hand, or all")
    check_moves(record, first, last)
    audience = Audience(seat, all_open)
    lines = (
        json_lines(record, audience, first, last)
        if as_json
        else transcript(record, audience, first, last, table)
    )
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
    """Raise a usage error unless there are moves from the first to the last."""
    try:
        if first is not None:
            check_number(record, first)
    except NoSuchMove as error:
        raise click.BadParameter(str(error), param_hint="--from") from None
    if first is not None and last is not None and last < first:
        raise click.UsageError(f"--from {first} is after --to {last}: exchange them")


def found(argument: str, which: int | None) -> Record:
    """Return the record in a file, or of a match in a league; a file that exists comes first."""
    path = Path(argument)
    if path.is_file():
        return read(path, which or 0)
    # Loaded here because all that reads a league takes a while to load.
    from arena.cli.leagues import ask_which_match, find_match, reading, shown_match

    named = find_match(argument)
    if named is None:
        ask_which_match(argument)
        raise click.BadParameter(
            f"{argument!r} is no file, and no match of a league such as cup:17.4",
            param_hint="FILE",
        )
    if which is not None:
        raise click.UsageError(
            f"--match is for a file of several records; {argument!r} names one match already"
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
    """Return a record from JSON, one a line, or from msgpack."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror}") from None
    is_packed = data[:1] >= b"\x80"  # msgpack begins an array so, and no text does
    records = [data] if is_packed else data.splitlines() or [data]
    if which >= len(records):
        has = f"{len(records)} records" if len(records) > 1 else "1 record"
        raise click.BadParameter(f"this file has {has}, numbered from 0", param_hint="--match")
    try:
        return load(records[which]) if is_packed else from_json(records[which])
    except BadRecord as error:
        raise click.ClickException(
            f"{file}: {'these are events of a league' if is_event(records[which]) else error}.\n"
            "A record is what `arena match --record FILE` writes; of a league's matches,"
            " `arena replay LEAGUE:17.4` tells one"
        ) from None


def is_event(line: bytes) -> bool:
    """Tell whether a league's runner wrote this line: such a file looks much like one of
    records."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "event" in found


def write_record(record: Record, where: str) -> None:
    """Write the record into a file as a line of JSON, or to standard output for "-"."""
    check_record(record)
    write_records([record], where, "--record")


def check_record(record: Record) -> None:
    """Raise an error in words unless the record fits the rules to its end."""
    try:
        for _ in replay(record):
            pass
    except RecordError as error:
        raise click.ClickException(str(error)) from None
