"""An evaluation while it runs: its progress in a terminal, and faults, all on standard error."""

from __future__ import annotations

import sys

import click

from arena.cli.match_view import SilentView, told_faults, told_output, told_void
from arena.cli.printer import Printer
from arena.compare.play import Comparison
from arena.outputs.progress import Progress
from arena.record.evidence import Evidence
from arena.referee.match import Result
from arena.text import plain

CLEAR = "\r\x1b[K"  # takes the line of progress away


class EvaluationView(SilentView):
    """Counts matches, and prints the first fault of each bot with each code."""

    def __init__(self, printer: Printer, count: Progress):
        self._print = printer
        self._count = count
        self._done = 0
        self._wanted = 0
        self._told: set[tuple[str, str]] = set()  # faults told: bot and code

    @property
    def is_closed(self) -> bool:
        return self._print.closed

    def begin(self, comparison: Comparison) -> None:
        assert comparison.sets is not None
        self._wanted = comparison.sets * len(comparison.seatings)
        self._done = sum(map(len, comparison.played))

    def result(self, match: Result) -> None:
        for line in told_faults(match, self._told):
            self._tell(line)
        if match.lag is not None:
            self._tell(told_void(match.lag))
        self._done += 1
        self._count("matches", self._done, self._wanted)

    def absent(self, name: str, fault: Evidence) -> None:
        self._tell(f"{plain(name)} did not start: {plain(fault.text)}")
        for line in told_output(fault):
            self._tell(line)

    def _tell(self, line: str) -> None:
        click.echo(f"{CLEAR if sys.stderr.isatty() else ''}{line}", err=True)
