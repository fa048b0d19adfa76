"""`arena check`: one bot against everything that SPEC.md says may come."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress

import click
import msgpack

from arena.cli import running
from arena.cli.bots import find, prepare
from arena.cli.printer import Printer
from arena.games import GAMES
from arena.games.errors import did_you_mean
from arena.record.transcript import plain
from arena.referee.botfile import Bot
from arena.referee.check.findings import Finding, Severity
from arena.referee.check.measure import middle, nearly_most
from arena.referee.check.opponent import TIMING
from arena.referee.check.run import Order, Report, StepResult, check, chosen
from arena.referee.check.steps import STEPS, Step
from arena.referee.house import open_house
from protocol import limits
from protocol.durations import told

# Exit codes beyond click's (0 fine, 1 an error, 2 wrong usage).
ERRORS = 3
NOT_STARTED = 4

COLOURS = {"ok": "green", "warn": "yellow", "FAIL": "red"}
OUTPUT_LINES = 12


@click.command("check")
@click.argument("bot")
@click.option("--game", "games", multiple=True, help="Only this rule set; may be repeated.")
@click.option("--step", "only", type=int, metavar="N", help="Only this step.")
@click.option("--steps", "list_steps", is_flag=True, help="List the steps for this bot, run none.")
@click.option("--start-ms", type=click.IntRange(1), default=limits.START_MS, show_default=True)
@click.option("-v", "--verbose", is_flag=True, help="Show every frame, decoded.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
def COMMAND(  # noqa: N802  # what every command module exports
    bot: str,
    games: tuple[str, ...],
    only: int | None,
    list_steps: bool,
    start_ms: int,
    verbose: bool,
    as_json: bool,
) -> None:
    """Check that BOT does what SPEC.md says, step by step.

    A BOT is a folder with a bot.toml, the name of a sample bot, or a command line in quotes.
    A scripted opponent sends it everything that a server may send: frames cut and joined, fields
    of a later version, every kind of decision in every rule set the bot says it plays, faults,
    matches cut short. Nobody fails for being slow within the clock.

    An error breaks SPEC.md and costs faults or matches; a warning will hurt one day; a note is
    for your information.

    \b
    Exit codes:
      0  it conforms; there may be warnings
      1  an error of ours or of the build, told in words
      2  wrong usage
      3  errors were found
      4  it did not start
      130  stopped by Ctrl-C

    \b
    Examples:
      arena check ./my-bot
      arena check "python3 my_bot.py" --game nope
      arena check ./my-bot --step 10 -v
      arena check python-random --json | jq .findings
    """
    found = find(bot)
    playing = chosen_games(found, games)
    if only is not None:
        check_number(only, playing, found)
    printer = Printer()
    if list_steps:
        for step in STEPS:
            if step.applies_to(playing, found.connect):
                printer(f"{step.number:>3}  {step.title} (SPEC {step.section})")
        printer.end()
        return
    show = Show(bot, printer, as_json=as_json)
    tap = tell_frame if verbose else None

    async def run() -> int:
        async with open_house() as house:
            (program,) = await prepare(house, [found])
            order = Order(program, playing, found.connect, start_ms, only)
            show.begin(found, chosen(order))
            report = await check(house, order, show.progress, tap)
        if as_json:
            printer(document(found, report))
        else:
            show.end(report)
        return exit_code(report)

    code = running.run(run)
    printer.end()
    raise SystemExit(code)


def exit_code(report: Report) -> int:
    if not report.started:
        return NOT_STARTED
    return ERRORS if report.count(Severity.ERROR) else 0


def chosen_games(bot: Bot, games: Sequence[str]) -> tuple[str, ...]:
    """The rule sets to check, in the order of `arena games`."""
    for game in games:
        if game not in GAMES:
            raise click.BadParameter(
                f"there is no rule set {game!r}; there are: {', '.join(GAMES)}."
                f"{did_you_mean(game, GAMES)}",
                param_hint="--game",
            )
        if game not in bot.games:
            raise click.BadParameter(
                f"{bot.name} says it plays {', '.join(bot.games)}, not {game}; add it to `games`"
                " in its bot.toml if it does",
                param_hint="--game",
            )
    return tuple(game for game in GAMES if game in (games or bot.games))


def check_number(only: int, games: Sequence[str], bot: Bot) -> None:
    """Whether there is such a step for this bot."""
    step = next((step for step in STEPS if step.number == only), None)
    if step is None:
        raise click.BadParameter(
            f"there are steps 1 to {len(STEPS)}; got {only}", param_hint="--step"
        )
    if not step.applies_to(games, bot.connect):
        raise click.BadParameter(
            f"step {only} ({step.title}) says nothing about this bot: see --steps",
            param_hint="--step",
        )


class Show:
    """Lines as the check goes; on a terminal also what is being done now."""

    def __init__(self, argument: str, printer: Printer, *, as_json: bool):
        self._argument = argument
        self._print = printer
        self._silent = as_json
        self._is_live = sys.stdout.isatty() and not as_json
        self._width = 0

    def begin(self, bot: Bot, steps: Sequence[Step]) -> None:
        if not self._silent:
            self._width = len(str(len(STEPS)))
            self._print(f"{bot.name}: {len(steps)} step{'' if len(steps) == 1 else 's'}")

    def progress(self, step: Step, result: StepResult | None) -> None:
        if self._silent:
            return
        number = f"{step.number:>{self._width}}"
        if result is None:
            if self._is_live:
                click.echo(f"\r\x1b[K...  {number}  {step.title}", nl=False)
            return
        erase = "\r\x1b[K" if self._is_live else ""
        verdict = colour(f"{result.verdict:<4}", result.verdict)
        self._print(f"{erase}{verdict}  {number}  {step.title}")

    def end(self, report: Report) -> None:
        """The findings in full, then the summary."""
        for step, finding, again in by_kind(report):
            self._print("")
            for line in lines_of(step, finding, again, self._argument):
                self._print(line)
        self._print("")
        if report.left_out:
            why = "it did not start" if not report.started else "it did not answer any more"
            self._print(f"{len(report.left_out)} steps were left out: {why}")
        for line in measured(report):
            self._print(line)
        self._print(summary(report))


def colour(text: str, verdict: str) -> str:
    """On a terminal only; click takes it out elsewhere, and NO_COLOR is heeded here."""
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=COLOURS[verdict])


def by_kind(report: Report) -> list[tuple[Step, Finding, list[int]]]:
    """Each finding with the step where it was met first, and the other steps that met it."""
    known: dict[tuple[str, str, str], tuple[Step, Finding, list[int]]] = {}
    for result in report.results:
        for finding in result.findings:
            key = (finding.severity, finding.section, finding.kind or finding.what)
            if key in known:
                known[key][2].append(result.step.number)
            else:
                known[key] = (result.step, finding, [])
    return list(known.values())


def lines_of(step: Step, finding: Finding, again: Sequence[int], bot: str) -> list[str]:
    """One finding for people, and where else it was met."""
    verdict = {"error": "FAIL", "warning": "warn"}.get(finding.severity, "ok")
    head = f"{colour(finding.severity, verdict)}  step {step.number}, {step.title}"
    lines = [f"{head} (SPEC {finding.section})", f"  {plain(finding.what)}"]
    if finding.times > 1:
        lines[-1] += f" ({finding.times} times)"
    for word, text in (("sent", finding.sent), ("came", finding.came), ("do", finding.advice)):
        if text:
            lines.append(f"  {word + ':':<6}{plain(text)}")
    # What is met elsewhere too has nothing to do with what is odd here.
    if step.about and not again and finding.severity is not Severity.NOTE:
        lines.append(f"  this step: {step.about}")
    for stream, text in (("output", finding.stdout), ("error", finding.output)):
        if text:
            lines.append(f"  its standard {stream} ends:")
            lines += [f"    | {plain(line)}" for line in text.splitlines()[-OUTPUT_LINES:]]
    if again:
        numbers = ", ".join(map(str, again))
        lines.append(f"  also in step{'s' if len(again) > 1 else ''} {numbers}")
    if finding.severity is not Severity.NOTE:
        lines.append(f"  again: arena check {shlex.quote(bot)} --step {step.number} -v")
    return lines


def measured(report: Report) -> list[str]:
    """Times and memory, in words."""
    measures = report.measures
    lines = []
    if measures.starts_us:
        starts = f"{told(middle(measures.starts_us))} from start to hello"
        lines.append(f"start:     {starts} (median of {len(measures.starts_us)})")
    if measures.decisions_us:
        times = measures.decisions_us
        lines.append(
            f"decision:  median {told(middle(times))}, 99 % within {told(nearly_most(times))}, "
            f"longest {told(max(times))} ({len(times)} decisions)"
        )
        beyond = middle(times) - TIMING.decision_ms * 1000
        if beyond > 0:
            moves = TIMING.bank_ms * 1000 // beyond
            lines.append(
                f"           by the clock of a league that sets none ({TIMING.decision_ms} ms each"
                f" and {TIMING.bank_ms // 1000} s a match) it would be late after some {moves}"
                " decisions of a match"
            )
    if measures.most_memory_kb:
        several = f" in {measures.processes} processes" if measures.processes > 1 else ""
        lines.append(f"memory:    {measures.most_memory_kb / 1024:.1f} MiB at most{several}")
    return lines


def summary(report: Report) -> str:
    """The last line."""
    errors, warnings = report.count(Severity.ERROR), report.count(Severity.WARNING)
    told_errors = f"{errors} error{'' if errors == 1 else 's'}"
    told_warnings = f"{warnings} warning{'' if warnings == 1 else 's'}"
    steps = len(report.results)
    return f"{steps} step{'' if steps == 1 else 's'}, {told_errors}, {told_warnings}"


def tell_frame(direction: str, data: bytes) -> None:
    """A frame as JSON; several, or what is no frame, as hexadecimal."""
    if direction == "token":
        click.echo(f"    started with ARENA_TOKEN={plain(data.decode())!r}", err=True)
        return
    arrow = "<-" if direction == "sent" else "->"
    text = data.hex(" ")
    if int.from_bytes(data[:4], "big") == len(data) - 4:
        with suppress(ValueError, TypeError, RecursionError, msgpack.UnpackException):
            text = json.dumps(msgpack.unpackb(data[4:]), ensure_ascii=False, separators=(",", ":"))
    click.echo(f"    {arrow} {plain(text)}", err=True)


def document(bot: Bot, report: Report) -> str:
    """Everything in one JSON document."""
    measures = report.measures
    hello = report.hello
    return json.dumps(
        {
            "bot": bot.name,
            "conforms": exit_code(report) == 0,
            "started": report.started,
            "hello": None
            if hello is None
            else {"version": hello.version, "author": hello.author, "language": hello.language},
            "steps": [
                {
                    "number": result.step.number,
                    "title": result.step.title,
                    "section": result.step.section,
                    "about": result.step.about,
                    "game": result.step.game,
                    "verdict": result.verdict,
                }
                for result in report.results
            ],
            "left_out": [step.number for step in report.left_out],
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "findings": [
                {
                    "severity": finding.severity,
                    "step": result.step.number,
                    "section": finding.section,
                    "what": finding.what,
                    "sent": finding.sent,
                    "came": finding.came,
                    "do": finding.advice,
                    "stdout": finding.stdout,
                    "stderr": finding.output,
                    "times": finding.times,
                }
                for result in report.results
                for finding in result.findings
            ],
            "measures": {
                "starts": len(measures.starts_us),
                "start_median_us": middle(measures.starts_us),
                "decisions": len(measures.decisions_us),
                "decision_median_us": middle(measures.decisions_us),
                "decision_99_us": nearly_most(measures.decisions_us),
                "decision_longest_us": max(measures.decisions_us, default=0),
                "memory_kib": measures.most_memory_kb,
                "processes": measures.processes,
            },
        },
        indent=2,
    )
