"""`arena spec`: the document for bot authors, wherever arena is installed."""

from __future__ import annotations

import click

from arena import data
from arena.cli.printer import Printer


@click.command("spec")
@click.option("--path", is_flag=True, help="Print its path instead.")
def COMMAND(path: bool) -> None:  # noqa: N802  # the name that every command module exports
    """Print SPEC.md: all that the author of a bot needs, in any language.

    \b
    Examples:
      arena spec | less
      arena spec --path
    """
    printer = Printer()
    file = data.spec()
    printer(str(file) if path else file.read_text(encoding="utf-8").removesuffix("\n"))
    printer.end()
