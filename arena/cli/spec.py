"""`arena spec`: the document for bot authors, wherever arena is installed."""

from __future__ import annotations

import re

import click

from arena import data
from arena.cli.printer import Printer
from arena.text import did_you_mean

HEADING = re.compile(r"^(#+) ([0-9]+(?:\.[0-9]+)*) .*$", re.MULTILINE)


@click.command("spec")
@click.argument("section", required=False)
@click.option("--path", is_flag=True, help="Print its path instead.")
def COMMAND(section: str | None, path: bool) -> None:  # noqa: N802  # the name that every command module exports
    """Print SPEC.md: all that the author of a bot needs, in any language.

    SECTION is a number as messages name it, such as 11.4: that section alone is printed.

    \b
    Examples:
      arena spec | less
      arena spec 11.4
      arena spec --path
    """
    file = data.spec()
    text = file.read_text(encoding="utf-8")
    if path and section is not None:
        raise click.UsageError("--path is that of the whole document; leave SECTION out")
    printer = Printer()
    told = str(file) if path else text if section is None else section_of(text, section)
    printer(told.removesuffix("\n"))
    printer.end()


def section_of(text: str, number: str) -> str:
    """Return a section with those inside it; raises a usage error if there is none."""
    headings = [*HEADING.finditer(text)]
    for at, heading in enumerate(headings):
        if heading[2] != number:
            continue
        after = (each for each in headings[at + 1 :] if len(each[1]) <= len(heading[1]))
        end = next(after, None)
        return text[heading.start() : end.start() if end else len(text)].rstrip() + "\n"
    known = [heading[2] for heading in headings]
    raise click.UsageError(
        f"SPEC.md has no section {number!r}; its chapters are 1 to {known[-1].split('.')[0]}."
        f"{did_you_mean(number, known)}"
    )
