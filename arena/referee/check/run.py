"""The check as a whole: step after step, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from arena.referee.check.bench import Bench
from arena.referee.check.findings import Finding, Severity, StepOver, count
from arena.referee.check.measure import Measures
from arena.referee.check.opponent import Silence
from arena.referee.check.peer import Runs, Tap
from arena.referee.check.steps import STEPS, Step
from arena.referee.house import House, Program
from protocol import limits
from protocol.messages import Hello

# Steps in a row in which the bot said nothing for all its time; more would take hours.
MOST_SILENT_STEPS = 3


@dataclass(frozen=True)
class StepResult:
    """One step that was run."""

    step: Step
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> str:
        """`ok`, `warn` or `FAIL`."""
        if count(self.findings, Severity.ERROR):
            return "FAIL"
        return "warn" if count(self.findings, Severity.WARNING) else "ok"


@dataclass(frozen=True)
class Report:
    """All that a check has found."""

    results: tuple[StepResult, ...]
    left_out: tuple[Step, ...]  # not run, because of what was found before
    started: bool
    hello: Hello | None
    measures: Measures

    @property
    def findings(self) -> list[Finding]:
        return [finding for result in self.results for finding in result.findings]

    def count(self, severity: Severity) -> int:
        return count(self.findings, severity)


@dataclass(frozen=True)
class Order:
    """What is to be checked."""

    program: Program
    games: tuple[str, ...]
    connect: tuple[str, ...]
    start_ms: int = limits.START_MS
    only: int | None = None  # one step


Progress: TypeAlias = Callable[[Step, StepResult | None], None]
"""Called as a step begins, with None, and again with what came of it."""


def chosen(order: Order, steps: Sequence[Step] = STEPS) -> list[Step]:
    """The steps that say something about this bot."""
    return [
        step
        for step in steps
        if step.applies_to(order.games, order.connect)
        and (order.only is None or step.number == order.only)
    ]


async def check(house: House, order: Order, progress: Progress, tap: Tap | None = None) -> Report:
    """Run the steps one after the other; each stands for itself."""
    folder = house.folder / "check"
    folder.mkdir(exist_ok=True)
    runs = Runs(house.warden, order.program, folder, order.start_ms, tap)
    bench = Bench(runs, order.games, order.connect)
    try:
        return await _run(order, bench, progress)
    finally:
        await bench.clear()


async def _run(order: Order, bench: Bench, progress: Progress) -> Report:
    left = chosen(order)
    results: list[StepResult] = []
    silent = 0
    while left and silent < MOST_SILENT_STEPS:
        step = left.pop(0)
        progress(step, None)
        log = bench.begin_step()
        try:
            await step.run(bench)
            silent = 0
        except Silence:
            silent += 1
            bench.silences += 1
        except StepOver:
            silent = 0
        await bench.end_step()
        results.append(StepResult(step, tuple(log.findings)))
        progress(step, results[-1])
        if not bench.has_started:
            break
    return Report(tuple(results), tuple(left), bench.has_started, bench.hello, bench.runs.measures)
