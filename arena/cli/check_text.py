"""The findings and measures of a check in words, and the frames that were exchanged."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress

import click
import msgpack

from arena.check.catalogue import CheckStep
from arena.check.findings import Finding, Severity
from arena.check.measure import middle, nearly_most
from arena.check.opponent import TIMING
from arena.check.run import CheckReport
from arena.text import both_ends, plain
from protocol.durations import told

COLOURS = {"ok": "green", "warn": "yellow", "FAIL": "red"}
# Lines shown of each output: either end may hold the line that matters.
FIRST_LINES, LAST_LINES = 4, 8

# Kinds of findings that often follow from another mistake: where an answer was refused, a further
# one comes unasked, or for the wrong request.
FOLLOWING = ("nothing-asked", "too-many-answers", "answers", "answered")
# Characters of a finding in the list at the end.
BRIEF_CHARS = 120


def brief(finding: Finding) -> str:
    """Return what was found, cut to its beginning where it is long."""
    what = plain(finding.what)
    return what if len(what) <= BRIEF_CHARS else f"{what[: BRIEF_CHARS - 4]} ..."


def colour(text: str, verdict: str) -> str:
    """Colour text for a terminal. Click removes colours elsewhere; NO_COLOR is heeded here."""
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=COLOURS[verdict])


def head_of(step: CheckStep, finding: Finding) -> str:
    """Return the severity and the place of a finding."""
    verdict = {"error": "FAIL", "warning": "warn"}.get(finding.severity, "ok")
    severity = colour(finding.severity, verdict)
    return f"{severity}  step {step.number}, {step.title} (SPEC {finding.section})"


def lines_of(
    step: CheckStep, finding: Finding, command: str, failed: Sequence[int] = ()
) -> list[str]:
    """Return one finding in full. `command`: the one that checks this bot, for a shell. `failed`:
    the steps before in which other mistakes were found."""
    lines = [head_of(step, finding), f"  {plain(finding.what)}"]
    if finding.times > 1:
        lines[-1] += f" ({finding.times} times)"
    if failed and finding.kind.split(" ")[0] in FOLLOWING:
        before = f"step{'' if len(failed) == 1 else 's'} {numbers(failed)}"
        lines.append(f"  probably the same mistake as in {before}: mend that first")
    # Meaning and remedy come first, the bytes after them.
    if step.about and finding.severity is not Severity.NOTE:
        lines.append(f"  this step: {step.about}")
    for word, text in (("do", finding.advice), ("sent", finding.sent), ("came", finding.came)):
        if text:
            lines.append(f"  {word + ':':<6}{plain(text)}")
    for stream, text in (("output", finding.stdout), ("error", finding.output)):
        if text:
            lines.append(f"  its standard {stream}:")
            shown = both_ends(text.splitlines(), FIRST_LINES, LAST_LINES)
            lines += [f"    | {plain(line)}" for line in shown]
    if finding.severity is not Severity.NOTE:
        lines.append(f"  again: {command} --step {step.number} -v")
    return lines


def numbers(steps: Sequence[int]) -> str:
    """Return rising numbers in words, those in a row as one: "4 to 6, 9"."""
    rows: list[list[int]] = []
    for number in steps:
        if rows and rows[-1][-1] == number - 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return ", ".join(f"{row[0]} to {row[-1]}" if len(row) > 1 else f"{row[0]}" for row in rows)


def measured(report: CheckReport) -> list[str]:
    """Return times and memory in words."""
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
                f"           with the default clock ({TIMING.decision_ms} ms each"
                f" and {TIMING.bank_ms // 1000} s a match) it would be late after some {moves}"
                " decisions of a match: look at `time_us` and answer sooner"
            )
    if measures.most_memory_kb:
        several = f" in {measures.processes} processes" if measures.processes > 1 else ""
        lines.append(f"memory:    {measures.most_memory_kb / 1024:.1f} MiB at most{several}")
    return lines


def summary(report: CheckReport) -> str:
    """Return the last line: steps, errors, warnings."""
    errors, warnings = report.count(Severity.ERROR), report.count(Severity.WARNING)
    told_errors = f"{errors} error{'' if errors == 1 else 's'}"
    told_warnings = f"{warnings} warning{'' if warnings == 1 else 's'}"
    steps = len(report.results)
    return f"{steps} step{'' if steps == 1 else 's'}, {told_errors}, {told_warnings}"


def tell_frame(direction: str, data: bytes) -> None:
    """Print a frame as JSON, or as hexadecimal if it is several or none.

    `direction`: "sent", "came", or "token" for the value of ARENA_TOKEN.
    """
    if direction == "token":
        click.echo(f"    started with ARENA_TOKEN={plain(data.decode())!r}", err=True)
        return
    arrow = "<-" if direction == "sent" else "->"
    text = data.hex(" ")
    if int.from_bytes(data[:4], "big") == len(data) - 4:
        with suppress(ValueError, TypeError, RecursionError, msgpack.UnpackException):
            text = json.dumps(msgpack.unpackb(data[4:]), ensure_ascii=False, separators=(",", ":"))
    click.echo(f"    {arrow} {plain(text)}", err=True)
