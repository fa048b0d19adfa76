"""A check shown while it runs: each finding in full where it is met first, and then in a line."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import click

from arena.bots.botfile import Bot
from arena.check.catalogue import STEPS, CheckStep
from arena.check.estimate import seconds_of
from arena.check.findings import Finding, Severity
from arena.check.measure import Measures
from arena.check.run import CheckReport, StepBegun, StepResult
from arena.cli.check_text import (
    brief,
    colour,
    head_of,
    lines_of,
    measured,
    numbers,
    summary,
)
from arena.cli.printer import Printer
from arena.text import duration

# The time left is printed if it is longer than the first, then again after the second.
LONG_SECONDS = 10.0
AGAIN_SECONDS = 30.0


@dataclass
class Cause:
    """A finding as it was printed, and the numbers of the steps that met it."""

    step: CheckStep
    finding: Finding
    steps: list[int] = field(default_factory=list)


class CheckView:
    """Prints lines while the check runs; on a terminal also the running step, with the time
    left."""

    def __init__(
        self,
        command: str,
        printer: Printer,
        *,
        is_live: bool | None = None,
        now: Callable[[], float] = time.monotonic,
    ):
        """`command`: the one that checks this bot, for a shell. `is_live`: a line may be written
        over; None asks whether standard output is a terminal. `now`: a clock in seconds."""
        self._command = command
        self._print = printer
        self._is_live = sys.stdout.isatty() if is_live is None else is_live
        self._now = now
        self._width = len(str(len(STEPS)))
        self._causes: dict[tuple[str, str, str], Cause] = {}
        self._folded: list[int] = []  # steps that failed for reasons that were printed before
        self._folded_as: tuple[str, tuple[int, ...]] = (
            "",
            (),
        )  # their verdict, and the steps where the reasons were printed
        self._due = 0.0  # time of the clock from which the time left may be printed again

    def begin(self, bot: Bot, steps: Sequence[CheckStep]) -> None:
        told = f"{bot.name}: {len(steps)} step{'' if len(steps) == 1 else 's'}"
        if (least := seconds_of(steps, Measures())) >= 1:
            told += f", {duration(least)} and the time in which it thinks"
        self._print(told)

    def tell(self, news: StepBegun | StepResult) -> None:
        match news:
            case StepBegun():
                self._begun(news)
            case StepResult():
                self._over(news)

    def _begun(self, begun: StepBegun) -> None:
        left = begun.seconds_left
        about = f"about {duration(left)} left" if left > LONG_SECONDS else ""
        if self._is_live:
            words = f"...  {self._numbered(begun.step)}" + (f" ({about})" if about else "")
            click.echo(f"\r\x1b[K{words}", nl=False)
        elif about and self._now() >= self._due:
            self._due = self._now() + AGAIN_SECONDS
            self._line(about)

    def _over(self, result: StepResult) -> None:
        """Print a finished step. One that met only known findings is put aside, to be folded."""
        known, new = self._sorted(result)
        if result.verdict != "ok" and not new:
            as_told = (result.verdict, tuple(sorted({cause.step.number for cause in known})))
            if as_told != self._folded_as:
                self._unfold()
                self._folded_as = as_told
            self._folded.append(result.step.number)
            return
        self._unfold()
        verdict = colour(f"{result.verdict:<4}", result.verdict)
        self._line(f"{verdict}  {self._numbered(result.step)}")
        failed = self._failed_before(result.step)
        for cause in new:
            self._print("")
            for line in lines_of(cause.step, cause.finding, self._command, failed):
                self._print(line)
        if new:
            self._print("")

    def _sorted(self, result: StepResult) -> tuple[list[Cause], list[Cause]]:
        """Return the causes of a step's findings: those printed before, and new ones."""
        known, new = [], []
        for finding in result.findings:
            key = (finding.severity, finding.section, finding.kind or finding.what)
            cause = self._causes.get(key)
            if cause is None:
                cause = self._causes[key] = Cause(result.step, finding)
                new.append(cause)
            else:
                known.append(cause)
            cause.steps.append(result.step.number)
        return known, new

    def _failed_before(self, step: CheckStep) -> list[int]:
        """Return the steps before this one in which an error was met first."""
        return sorted(
            {
                cause.step.number
                for cause in self._causes.values()
                if cause.finding.severity is Severity.ERROR and cause.step is not step
            }
        )

    def _unfold(self) -> None:
        """Print the steps that were put aside, in one line."""
        if not self._folded:
            return
        verdict, told_in = self._folded_as
        number = f"{numbers(self._folded):>{self._width}}"
        steps = "step" if len(told_in) == 1 else "steps"
        self._line(f"{colour(f'{verdict:<4}', verdict)}  {number}  as {steps} {numbers(told_in)}")
        self._folded, self._folded_as = [], ("", ())

    def end(self, report: CheckReport) -> None:
        """Print the findings once more, a line each, then measures and summary."""
        self._unfold()
        self._print("")
        if report.left_out:
            why = "it did not start" if not report.started else "it did not answer any more"
            self._print(f"{len(report.left_out)} steps were left out: {why}")
        for cause in self._causes.values():
            also = f"; also in {numbers(cause.steps[1:])}" if cause.steps[1:] else ""
            if len(self._causes) > 1 or also:
                self._print(f"{head_of(cause.step, cause.finding)}{also}: {brief(cause.finding)}")
        for line in measured(report):
            self._print(line)
        self._print(summary(report))

    def _numbered(self, step: CheckStep) -> str:
        return f"{step.number:>{self._width}}  {step.title}"

    def _line(self, line: str) -> None:
        """Print a line in the place of the one that names the running step."""
        self._print(f"\r\x1b[K{line}" if self._is_live else line)
