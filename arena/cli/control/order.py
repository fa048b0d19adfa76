"""An act of the operator, performed by the run of a league or, if it rests, by this process."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.leagues import (
    FILE_SUFFIX,
    check_not_lost,
    file_named,
    find_league,
    told_in_words,
)
from arena.league.store.folder import folder_of
from arena.league.store.lock import AlreadyRunning
from arena.utc import TIME, now

if TYPE_CHECKING:
    from arena.league.control.acts import Act, Told

# What a line begins with that is a variable for the author of a bot.
SETTING = "ARENA_"
TIMES = ("%Y-%m-%d", TIME)
# A run takes orders a moment after it took its lock; with many sets it reads for some seconds.
PATIENCE_SECONDS = 15.0
QUIET_SECONDS = 1.0
AGAIN_SECONDS = 0.1


def begun_league(argument: str | None) -> tuple[Path, Path]:
    """Return the file and the folder of a league that was begun; it may be the only one here."""
    folder = find_league(argument)
    return folder.with_suffix(FILE_SUFFIX), folder


def any_league(argument: str | None) -> tuple[Path, Path]:
    """Return the file and the folder of a league, which may be still to begin."""
    if argument:
        file = file_named(Path(argument))
        if file.is_file() and file.suffix == FILE_SUFFIX:
            return file, folder_of(file)
    return begun_league(argument)


def order(act: Act, file: Path, folder: Path) -> None:
    """Have an act performed and print what is told; end the command in words if it is refused."""
    told = performed(act, file, folder)
    text = "\n".join(told.lines)
    if told.is_misnamed:
        raise click.UsageError(text)
    if told.refused:
        raise click.ClickException(text)
    # The lines for an author are alone on standard output, for a file that a program reads.
    has_settings = any(line.startswith(SETTING) for line in told.lines)
    for line in told.lines:
        click.echo(line, err=has_settings and not line.startswith(SETTING))


def performed(
    act: Act,
    file: Path,
    folder: Path,
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> Told:
    """Ask the run of the league first; if nobody plays it, take its lock and do it here.

    A run that is just starting or ending holds the lock and takes no orders: this waits for it.
    `clock`: returns a time in seconds, `sleep`: waits for so many.
    """
    # Imported here and not at the top: the imports are slow, and --help does not need them.
    from arena.league.control.rest import perform_at_rest

    began, is_told = clock(), False
    while True:
        told = asked(act, folder)
        if told is not None:
            return told
        check_not_lost(folder)
        try:
            with told_in_words(folder):
                return perform_at_rest(act, file, folder, _to_operator, sleep)
        except AlreadyRunning as error:
            waited = clock() - began
            if waited >= PATIENCE_SECONDS:
                raise click.ClickException(
                    f"{error}. It takes no orders now, as it is just starting or ending, or has"
                    " nothing left to play: try again in a moment"
                ) from None
        if waited >= QUIET_SECONDS and not is_told:
            is_told = True
            _to_operator(
                f"{folder}: the league is just starting or ending, and takes no orders yet; waiting"
                f" for up to {PATIENCE_SECONDS:.0f} s"
            )
        sleep(AGAIN_SECONDS)


def _to_operator(line: str) -> None:
    click.echo(line, err=True)


def asked(act: Act, folder: Path) -> Told | None:
    """Ask the run of the league; None if nobody listens there."""
    from arena.league.control.socket import ControlFailed, ask

    try:
        return ask(folder, act)
    except ControlFailed as error:
        raise click.ClickException(str(error)) from None


def read_expires(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> str | None:
    """Return the value of --expires as a token has it; refuse what is no time to come."""
    if text is None:
        return None
    for form in TIMES:
        with suppress(ValueError):
            expires = datetime.strptime(text, form).strftime(TIME)
            break
    else:
        raise click.UsageError(
            f"--expires {text!r} is no time: write a day or a second of UTC, such as 2026-12-31 or"
            " 2026-12-31T18:00:00Z"
        )
    if expires <= now():
        raise click.UsageError("--expires is over already: name a time to come, UTC")
    return expires
