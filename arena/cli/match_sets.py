"""The options of `arena match` about sets: how many, until when, kept where, how many at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce, wraps
from pathlib import Path
from typing import Any

import click

from arena.compare.sets import Rows
from arena.compare.stop import Bounds, StopTest, Trial

DEFAULT_ERROR = 0.05

# All sets are refereed by one process, and each bot has a process for each set at least.
MOST_JOBS = 64


# The number for --against without --sets.
SETS_AGAINST = 50


@dataclass(frozen=True)
class Against:
    """A bot that is compared with the first one without meeting it, and the others at the table."""

    bot: str
    field: tuple[str, ...]


@dataclass(frozen=True)
class AskedSets:
    """What was asked for. `most`: sets. `jobs`: sets that are played at the same time."""

    most: int | None
    test: StopTest | None
    keep: Path | None
    jobs: int
    against: Against | None

    def trial(self, rows: Rows) -> Trial | None:
        """Return the stop test of a line-up, or None if none was asked for."""
        if self.test is None:
            return None
        if len(rows) != 2:
            raise click.UsageError(
                f"--stop weighs two bots, and here are {len(rows)}: name each of the two as often"
                " as it has seats, such as: arena match nyet ./new ./new ./old ./old --stop 0:10"
            )
        first, second = rows
        return Trial(self.test, len(first), len(second))


# In the order of the help.
OPTIONS = (
    click.option("--sets", type=click.IntRange(1), help="Play so many sets, seats turned in each."),
    click.option(
        "--stop",
        metavar="LOW:HIGH",
        help="Play sets until it is known which the first bot is nearer to: LOW or HIGH Elo above"
        " the second. 0:10nelo counts in normalised Elo. --sets is then the most.",
    ),
    click.option(
        "--against",
        metavar="BOT",
        help="Put BOT into the same seats of the same deals as the first bot, with the same others"
        f" around, and compare the two. [{SETS_AGAINST} sets, or --sets]",
    ),
    click.option(
        "--field",
        multiple=True,
        metavar="BOT...",
        help="With --against: the other bots at the table, as many as there are seats but one.",
    ),
    click.option(
        "--alpha",
        type=float,
        help=f"With --stop: the chance to accept a bot that is at LOW. [default: {DEFAULT_ERROR}]",
    ),
    click.option(
        "--beta",
        type=float,
        help=f"With --stop: the chance to reject a bot that is at HIGH. [default: {DEFAULT_ERROR}]",
    ),
    click.option(
        "--keep",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Keep the sets here as they end; the same command goes on after Ctrl-C or a kill.",
    ),
    click.option(
        "--jobs", type=click.IntRange(1, MOST_JOBS), help="Sets at the same time. [default: 1]"
    ),
)


def options_of_sets(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options; it gets them as one argument `sets`, None for a single match."""

    @wraps(command)
    def with_sets(
        *arguments: Any,
        sets: int | None,
        stop: str | None,
        against: str | None,
        field: tuple[str, ...],
        alpha: float | None,
        beta: float | None,
        keep: Path | None,
        jobs: int | None,
        **others: Any,
    ) -> None:
        test = stop_test_asked(stop, alpha, beta)
        rival = rival_asked(against, field, test)
        if rival is not None and sets is None:
            sets = SETS_AGAINST
        is_single = sets is None and test is None
        for name, value in (("--keep", keep), ("--jobs", jobs)):
            if is_single and value is not None:
                raise click.UsageError(f"{name} is for sets: add --stop LOW:HIGH or --sets")
        asked = None if is_single else AskedSets(sets, test, keep, jobs or 1, rival)
        warn_of_cores(jobs or 1)
        command(*arguments, sets=asked, **others)

    # The last decorator comes first in the help.
    return reduce(lambda inner, option: option(inner), reversed(OPTIONS), with_sets)


def warn_of_cores(jobs: int) -> None:
    """Say so where there are fewer cores than bots that think at the same time."""
    cores = len(os.sched_getaffinity(0))
    if jobs > cores:
        click.echo(
            f"--jobs {jobs}: this machine has {cores} core{'' if cores == 1 else 's'}, so bots wait"
            " for each other, and may be late",
            err=True,
        )


def rival_asked(
    against: str | None, field: tuple[str, ...], test: StopTest | None
) -> Against | None:
    """Return the bot to compare with; usage errors say what would do."""
    if against is None:
        if field:
            raise click.UsageError(
                "--field is for --against: arena match nyet ./new --against ./old --field"
                " python-tricks python-high"
            )
        return None
    if test is not None:
        raise click.UsageError(
            "--stop weighs two bots that meet, and with --against they do not: leave one of them"
            " out"
        )
    return Against(against, field)


def stop_test_asked(stop: str | None, alpha: float | None, beta: float | None) -> StopTest | None:
    """Return the stop test that was asked for; usage errors say what would do."""
    if stop is None:
        if alpha is not None or beta is not None:
            raise click.UsageError("--alpha and --beta are for --stop LOW:HIGH")
        return None
    try:
        bounds = Bounds.of(stop)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--stop") from None
    try:
        return StopTest(
            bounds,
            DEFAULT_ERROR if alpha is None else alpha,
            DEFAULT_ERROR if beta is None else beta,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from None
