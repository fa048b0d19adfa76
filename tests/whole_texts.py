"""Whole texts made of values, for the files of tests/whole_outputs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import click

from arena.bots.botfile import Bot
from arena.check.catalogue import STEPS
from arena.check.findings import Finding, Severity
from arena.check.measure import Measures
from arena.check.run import CheckReport, StepResult
from arena.cli import COMMANDS, check_json, doctor_json, doctor_text, main, match_json
from arena.cli.check_text import lines_of, measured, summary
from arena.cli.match_text import told_results
from arena.league.table.standings import Standings
from arena.outputs.csv_ import csv_text
from arena.outputs.json_ import json_text
from arena.outputs.markdown import markdown
from arena.outputs.text import text
from arena.record.decisions import decisions
from arena.stats import Mean
from tests.cli import test_doctor as doctor
from tests.cli.test_match_text import compared
from tests.more_whole_texts import MORE_TEXTS
from tests.outputs.tables import EDGES, MET, PROVISIONAL, ROW, by_hand, hostile, rated
from tests.play import random_record


def options() -> str:
    """Every option and argument of every command: its names, type, bounds and default."""
    return "\n".join(option for name in COMMANDS for option in options_of(name)) + "\n"


def options_of(name: str) -> Iterator[str]:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    yield name
    for each in command.params:
        default = each.default if isinstance(each.default, str | int | float) else None
        told = [
            f"  {'/'.join([*each.opts, *each.secondary_opts])} as {each.name}: {each.type.name}"
        ]
        if isinstance(each.type, click.IntRange | click.FloatRange):
            told.append(f"from {each.type.min} to {each.type.max}")
            told += ["open below"] * each.type.min_open + ["open above"] * each.type.max_open
        if isinstance(each.type, click.Choice):
            told.append(f"one of {', '.join(map(str, each.type.choices))}")
        if isinstance(each.type, click.Path):
            told += ["no folder"] * (not each.type.dir_okay) + ["no file"] * (
                not each.type.file_okay
            )
            told += ["must be there"] * each.type.exists
        if isinstance(each, click.Option) and each.is_flag:
            told.append("flag")
        elif default is not None:
            told.append(f"default {default!r}")
        told += ["required"] * each.required + ["repeated"] * each.multiple
        if each.nargs != 1:
            told.append(f"{each.nargs} values")
        yield ", ".join(told)


CROWDED = by_hand(
    ROW,
    rated(replace(ROW, faults={**ROW.faults, "illegal": 2}), bot="owl", rank=2, elo=-0.04),
    PROVISIONAL,
    rated(replace(ROW, part=1, points=Mean(-3.0, None), slowest_ms=12_345.6), bot="crow", group=1),
    versus=MET,
    seat_edges=EDGES,
    waiting=("newt", "lynx"),
)


def text_of(standings: Standings, width: int | None, *, colour: bool = False) -> str:
    return text(standings, width=width, colour=colour) + "\n"


def check_report() -> CheckReport:
    wrong = Finding(
        Severity.ERROR,
        "3.3",
        "unreadable: c1",
        sent="a request",
        came="c1",
        advice="Pack a map.",
        output="Traceback\nError",
        stdout="hello",
        kind="malformed",
        times=3,
    )
    slow = Finding(Severity.WARNING, "2.4", "it took 1 s to end", kind="slow to end")
    noted = Finding(Severity.NOTE, "6", "the rest was left out")
    results = (
        StepResult(STEPS[0], ()),
        StepResult(STEPS[1], (wrong, noted)),
        StepResult(STEPS[2], (slow,)),
    )
    measures = Measures([20_000, 35_000, 41_000], [150_000, 180_000, 900_000], 20_480, 10_000, 2)
    return CheckReport(results, (STEPS[4],), True, None, measures)


def check_words() -> str:
    report = check_report()
    found = [
        line
        for result in report.results
        for finding in result.findings
        for line in lines_of(result.step, finding, "arena check my-bot")
    ]
    return "\n".join([*found, *measured(report), summary(report)]) + "\n"


def check_document() -> str:
    bot = Bot("my-bot", (sys.executable,), Path("/"))
    return check_json.document(bot, check_report(), conforms=False) + "\n"


def decisions_in_words() -> str:
    """The decisions of a match as they are asked again: number, seat, whose move, what is legal."""
    record = random_record("nope", 3, options={"max_turns": 12})
    return "".join(
        f"{each.number} seat {each.seat} {'own' if each.is_own else 'not own'}"
        f" {each.move.action} of {' '.join(each.legal)}\n"
        for each in decisions(record)
    )


TEXTS: Mapping[str, Callable[[], str]] = {
    "options": options,
    "doctor": lambda: "\n".join(doctor_text.lines(doctor.REPORT)) + "\n",
    "doctor_unconfined": lambda: "\n".join(doctor_text.lines(doctor.NONE)) + "\n",
    "doctor_json": lambda: doctor_json.document(doctor.REPORT) + "\n",
    "standings_narrow": lambda: text_of(CROWDED, 60),
    "standings_usual": lambda: text_of(CROWDED, 100),
    "standings_wide": lambda: text_of(CROWDED, None),
    "standings_colour": lambda: text_of(CROWDED, None, colour=True),
    "standings_markdown": lambda: markdown(CROWDED),
    "standings_csv": lambda: csv_text(CROWDED),
    "standings_json": lambda: json_text(CROWDED),
    "standings_hostile_wide": lambda: text_of(hostile(), None),
    "standings_hostile_markdown": lambda: markdown(hostile()),
    "standings_hostile_csv": lambda: csv_text(hostile()),
    "check": check_words,
    "check_json": check_document,
    "match_results": lambda: "\n".join(told_results(compared("1101-010", 8))) + "\n",
    "match_results_json": lambda: match_json.document(compared("1101-", 8)) + "\n",
    "decisions": decisions_in_words,
    **MORE_TEXTS,
}
