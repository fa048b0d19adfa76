"""`arena doctor`: what can be promised of bots on this machine, tried with hostile programs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from arena.bots.processes import open_warden
from arena.cli.confining import read_option
from arena.cli.doctor_json import document
from arena.cli.doctor_text import lines
from arena.cli.printer import Printer
from arena.cli.running import run
from arena.doctor.report import report

NOT_STRICT = 1


@click.command("doctor")
@click.option("--all", "every", is_flag=True, help="Try the weaker ways to confine bots too.")
@read_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
def COMMAND(  # noqa: N802  # the name that every command module exports
    every: bool, read: tuple[Path, ...], as_json: bool
) -> None:
    """Try what can be promised of bots on this machine, and say what it lacks.

    Hostile programs are started as bots would be, and try to break each promise: small ones,
    which harm nobody also where nothing stops them. docs/confinement.md explains the promises.

    \b
    Exit codes:
      0  `--confine strict` works: bots can be confined here
      1  it does not
      130  stopped by Ctrl-C

    \b
    Examples:
      arena doctor
      arena doctor --all
      arena doctor --read ~/.cargo/bin --read ~/.rustup
      arena doctor --json | jq .promises
    """
    folders = [path.absolute() for path in read]
    raise SystemExit(run(partial(_run, folders, every=every, as_json=as_json)))


async def _run(read: Sequence[Path], *, every: bool, as_json: bool) -> int:
    async with open_warden() as warden:
        found = await report(warden, read, every=every)
    printer = Printer()
    for line in [document(found)] if as_json else lines(found):
        printer(line)
    printer.end()
    return 0 if found.is_strict else NOT_STRICT
