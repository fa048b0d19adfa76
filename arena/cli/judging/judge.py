"""`arena judge`: the value of every legal action at each decision of a recorded match."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from arena.cli.judging.judge_text import MOST_SHOWN, told_judgement
from arena.cli.judging.situation import situation
from arena.cli.judging.where import METAVAR, find_where, seat_of
from arena.cli.printer import Printer
from arena.cli.progress import progress
from arena.exits import INTERRUPTED
from arena.judge.bars import MOST_WORLDS
from arena.judge.document import document
from arena.judge.judging import Effort, judge
from arena.record import Record, RecordError
from arena.record.decisions import decisions

DEFAULT_SECONDS = 60.0
FEWEST_WORLDS = 8


class WorkTime:
    """The end of the work: after some seconds, or at the first Ctrl-C."""

    def __init__(self, seconds: float | None):
        self.is_stopped = False
        self._end = None if seconds is None else time.monotonic() + seconds

    def is_over(self) -> bool:
        return self.is_stopped or (self._end is not None and time.monotonic() >= self._end)

    @contextmanager
    def stopped_by_ctrl_c(self) -> Iterator[None]:
        """Let the first Ctrl-C in this block end the work, and a second one the command."""

        def stop(*_: object) -> None:
            if self.is_stopped:
                raise KeyboardInterrupt
            self.is_stopped = True

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


@click.command("judge")
@click.argument("where", metavar=METAVAR)
@click.option("--seat", type=int, help='Judge this seat alone; its author is told "you".')
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help=f"End after so long.  [default: {DEFAULT_SECONDS:.0f}, or no end with --worlds]",
)
@click.option(
    "--worlds",
    type=click.IntRange(FEWEST_WORLDS, MOST_WORLDS),
    help=f"At most so many worlds for a decision, up to {MOST_WORLDS}; without --seconds the"
    " result is then the same on any machine.",
)
@click.option("--seed", default="0", help="Of the worlds: any text.  [default: 0]")
@click.option("--all", "show_all", is_flag=True, help=f"Show more than {MOST_SHOWN} mistakes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
@click.option(
    "--save", is_flag=True, help="Keep that document beside the record (docs/judging.md)."
)
@click.option(
    "--match",
    "which",
    type=click.IntRange(min=0),
    help="The record to judge, of several in a file, from 0.",
)
def COMMAND(  # noqa: N802  # the name that every command module exports
    where: str,
    seat: int | None,
    seconds: float | None,
    worlds: int | None,
    seed: str,
    show_all: bool,
    as_json: bool,
    save: bool,
    which: int | None,
) -> None:
    """Judge the decisions of a recorded match, and tell the worst first.

    WHERE is a file of `arena match --record`, LEAGUE:MATCH, or the address of a match page.
    At each decision worlds are imagined that agree with what the seat saw; every legal action is
    played out in the same worlds, and compared with the one that was played. First all decisions
    get 32 worlds; then those that are not settled get more, until the time is over. So it is an
    estimate, with bars that hold for the whole match at once; docs/judging.md says what it can
    tell. Moves are numbered as in `arena replay`. Ctrl-C ends it with what is known by then.

    \b
    Examples:
      arena judge match.json
      arena judge cup:17.4 --seat 2
      arena judge 'cup.arena/public/sets/000/17.html#match=4' --seconds 300 --save
      arena judge match.json --worlds 256 --json | jq '.decisions[0]'
    """
    found = find_where(where, which)
    record = found.record
    seat_of(record, seat)
    work_time = WorkTime(DEFAULT_SECONDS if seconds is None and worlds is None else seconds)
    effort = Effort(worlds or MOST_WORLDS, work_time.is_over, seed)
    seats = range(record.seats) if seat is None else (seat,)
    try:
        with progress() as tell, work_time.stopped_by_ctrl_c():
            judgement = judge(record, seats, effort, tell)
        situations = situations_at(record, {each.number for each in judgement.mistakes})
    except RecordError as error:
        raise click.ClickException(str(error)) from None
    told = document(record, judgement)
    printer = Printer()
    if as_json:
        printer(json.dumps(told, indent=2))
    else:
        shown = None if show_all else MOST_SHOWN
        for line in told_judgement(record, judgement, seat, situations, shown):
            printer(line)
        mine = "" if seat is None else f" --seat {seat}"
        printer(f"To see a move: arena replay {found.named}{mine or ' --open'} --from MOVE")
    if save:
        keep(found.saved_as, told)
        click.echo(f"kept in {found.saved_as}", err=True)
    printer.end()
    if work_time.is_stopped:
        click.echo("stopped", err=True)
        raise SystemExit(INTERRUPTED)


def situations_at(record: Record, numbers: set[int]) -> dict[int, str]:
    """Return the situation of the seat that was asked, for the moves with these numbers."""
    return {
        each.number: situation(each.view()) for each in decisions(record) if each.number in numbers
    }


def keep(path: Path, told: dict[str, Any]) -> None:
    """Write the document, whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(exist_ok=True)
        new.write_text(json.dumps(told) + "\n")
        new.replace(path)
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}; the judgement is not kept") from None
