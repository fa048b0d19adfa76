"""`arena verify`: looks through a league for everything that does not fit."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import click

from arena.cli.leagues import find_league, league_argument
from arena.cli.printer import Printer
from arena.cli.progress import progress
from arena.exits import TERMINATED
from arena.outputs.words import count
from arena.text import plain

if TYPE_CHECKING:
    from arena.audit.replays import Commitment


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Have SIGTERM end this block as Ctrl-C does: at once it would leave the semaphores of the
    worker processes behind, of which Python tells a user as leaked."""

    def end(*_: object) -> NoReturn:
        click.echo("stopped", err=True)
        raise SystemExit(TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@click.command("verify")
@league_argument
@click.option(
    "--commitments",
    is_flag=True,
    help="List the commitment of each match, to compare with those that bots got in `start`.",
)
def COMMAND(league: str | None, commitments: bool) -> None:  # noqa: N802  # the name that every command module exports
    """Check everything of LEAGUE that can be checked.

    Deals are worked out anew from the league's key, and the schedule from its lots; matches are
    replayed by the rules, with the penalties of faults; seatings, forfeits, places, processes,
    evidence and events are compared; complete.db is held against league.db; and the table is
    counted a second time, by other means.
    Matches of sets that are not complete are only counted. Nothing is changed.

    \b
    Exit codes:
      0  everything fits
      1  something does not: each on a line, with its place
      130  stopped by Ctrl-C, 143 by SIGTERM

    \b
    Examples:
      arena verify
      arena verify cup --commitments | grep 17.4
    """
    folder = find_league(league)
    # Imported here and not at the top: the import is slow, and --help does not need it.
    from arena.audit.league import audit, ignored

    printer = Printer()

    def told(one: Commitment) -> None:
        printer(f"{one.place}  {plain(one.match)}  {one.commitment}")

    with ended_by_sigterm(), progress() as tell:
        report = audit(
            folder,
            partial(tell, "sets checked"),
            partial(tell, "sets counted again"),
            told if commitments else ignored,
        )
    for finding in report.findings.all:
        printer(plain(str(finding)))
    looked = (
        f"{count(report.sets, 'complete set')}, {count(report.matches, 'match')},"
        f" {count(report.moves, 'move')}, {count(report.events, 'event')}"
    )
    if report.hidden:
        looked += f" (and {count(report.hidden, 'match')} of unfinished sets, unseen)"
    if report.findings:
        number = len(report.findings.all)
        raise click.ClickException(
            f"{number:,} thing{' does' if number == 1 else 's do'} not fit, in {looked}"
        )
    printer(
        f"all fits: {looked}; deals, moves, penalties, seatings, results and the table worked"
        " out anew"
    )
    printer.end()
