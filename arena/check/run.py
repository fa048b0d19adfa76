"""A whole check: one step after the other, and all that they find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from arena.bots.program import Program
from arena.check.bench import Bench
from arena.check.catalogue import STEPS, CheckStep
from arena.check.estimate import seconds_of
from arena.check.findings import Finding, Severity, StepOver, count
from arena.check.measure import Measures
from arena.check.opponent import Silence
from arena.check.peer import Runs, Tap, Through
from arena.record import timing
from arena.referee.house import House
from protocol.messages import Hello

# Silent steps in a row after which the check ends; each takes all the time a bot has.
MOST_SILENT_STEPS = 3


@dataclass(frozen=True)
class StepBegun:
    """A step that runs now, and an estimate of the time for it and those after it."""

    step: CheckStep
    seconds_left: float


@dataclass(frozen=True)
class StepResult:
    """One step that was run."""

    step: CheckStep
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> str:
        """`ok`, `warn` or `FAIL`."""
        if count(self.findings, Severity.ERROR):
            return "FAIL"
        return "warn" if count(self.findings, Severity.WARNING) else "ok"


@dataclass(frozen=True)
class CheckReport:
    """All findings of a check."""

    results: tuple[StepResult, ...]
    left_out: tuple[CheckStep, ...]  # not run: the bot did not start, or did not answer any more
    started: bool
    hello: Hello | None
    measures: Measures

    @property
    def findings(self) -> list[Finding]:
        return [finding for result in self.results for finding in result.findings]

    def count(self, severity: Severity) -> int:
        return count(self.findings, severity)


@dataclass(frozen=True)
class CheckOrder:
    """The bot to check, and the games and kinds of address to check it with."""

    program: Program
    games: tuple[str, ...]
    connect: tuple[str, ...]
    start_ms: int = timing.START_MS
    only: int | None = None  # one step
    seats: tuple[int, ...] = ()  # sizes of table; (): all of each game
    through: Through | None = None  # then `connect` is DOOR alone


Tell: TypeAlias = Callable[[StepBegun | StepResult], None]
"""Called as each step begins, and again when it is over."""


def chosen(order: CheckOrder, steps: Sequence[CheckStep] = STEPS) -> list[CheckStep]:
    """Return the steps that say something about this bot."""
    return [
        step
        for step in steps
        if step.applies_to(order.games, order.connect)
        and (order.only is None or step.number == order.only)
    ]


async def check(house: House, order: CheckOrder, tell: Tell, tap: Tap | None = None) -> CheckReport:
    """Run the steps one after the other. A step that fails does not end the check."""
    folder = house.door_folder / "check"
    folder.mkdir(exist_ok=True)
    runs = Runs(house.warden, house.confiner, order.program, folder, order.start_ms, tap)
    runs.through = order.through
    bench = Bench(runs, order.games, order.connect, order.seats)
    try:
        return await _run(order, bench, tell)
    finally:
        await bench.clear()


async def _run(order: CheckOrder, bench: Bench, tell: Tell) -> CheckReport:
    left = chosen(order)
    results: list[StepResult] = []
    silent = 0
    while left and silent < MOST_SILENT_STEPS:
        step = left.pop(0)
        tell(StepBegun(step, seconds_of([step, *left], bench.runs.measures)))
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
        tell(results[-1])
        if not bench.has_started:
            break
    return CheckReport(
        tuple(results), tuple(left), bench.has_started, bench.hello, bench.runs.measures
    )
