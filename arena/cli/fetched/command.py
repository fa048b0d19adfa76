"""`arena evidence`: the evidence of a bot's own faults, fetched with its token."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from arena.cli.fetched.door import Door, NotTold
from arena.cli.fetched.told import document, lines
from arena.cli.printer import Printer
from arena.outputs.words import count
from arena.tcp_address import DIAL_IN_WORDS, DIAL_PATTERN
from arena.text import plain
from protocol.limits import CONNECT_VARIABLE, TOKEN_VARIABLE


@click.command("evidence")
@click.argument("where", required=False, metavar="[FILE|ADDRESS]")
@click.option("--after", metavar="AT", help="Only what comes after this, as `next` of --json.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
def COMMAND(where: str | None, after: str | None, as_json: bool) -> None:  # noqa: N802  # the name that every command module exports
    """Fetch the evidence of your bot's faults from a league that it dials in to.

    FILE is the one that the people of the league gave you, with its address and the token of your
    bot; or name the ADDRESS, with the token in ARENA_TOKEN. Without either both are taken from the
    environment. The league must be running; your bot may be playing in it meanwhile.
    Only faults in complete sets are told, because others still have to play the cards of the rest.

    Of your own league, `arena matches LEAGUE --bot NAME --fault --evidence` shows the same.

    \b
    Examples:
      arena evidence fox.env
      ARENA_TOKEN=tK3x arena evidence tcp:cards.example.org:4000
      arena evidence fox.env --json | jq '.evidence[] | [.match, .move, .code]'
      arena evidence fox.env --after 5231.3.0
    """
    door = door_of(where)
    door.last = after or ""
    printer = Printer()
    found = []
    trouble = None
    try:
        for one in door.evidence():
            found.append(one)
            if not as_json:
                for line in lines(one):
                    printer(line)
            if printer.closed:
                break
    except NotTold as error:
        trouble = error
    if as_json and (found or trouble is None):
        printer(document(found, door.last))
    elif not as_json and trouble is None:
        printer(f"{count(len(found), 'fault')} in complete sets{go_on(door)}")
    printer.end()
    if trouble is not None:
        raise click.ClickException(f"{trouble}{go_on(door) if found else ''}")


def go_on(door: Door) -> str:
    """Return a clause about the rest, "" if nothing was told yet."""
    return f"; --after {plain(door.last)} shows only what comes later" if door.last else ""


def door_of(where: str | None) -> Door:
    """Return the door and the token that the argument and the environment name."""
    values: Mapping[str, str] = os.environ
    address = where
    if where is None or Path(where).is_file():
        values = os.environ if where is None else settings_in(Path(where))
        address = values.get(CONNECT_VARIABLE)
        if not address:
            raise click.UsageError(
                f"name the file that the league gave you, or its address: {CONNECT_VARIABLE} is not"
                f" in {'the environment' if where is None else where}"
            )
    assert address is not None
    if not re.match(DIAL_PATTERN, address) and not re.match("unix:.", address):
        raise click.BadParameter(
            f"{address!r} is no file here, and no address such as {DIAL_IN_WORDS}. Of a league of"
            " your own, `arena matches LEAGUE --fault --evidence` has it",
            param_hint="FILE|ADDRESS",
        )
    token = values.get(TOKEN_VARIABLE)
    if not token:
        raise click.UsageError(f"the token of your bot is missing: set {TOKEN_VARIABLE}")
    return Door(address, token)


def settings_in(file: Path) -> dict[str, Any]:
    """Return the lines NAME=VALUE of a file. `arena invite` prints them with blanks in front."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{file} cannot be read: {error}") from None
    lines = (line.strip() for line in text.splitlines())
    return dict(line.split("=", 1) for line in lines if "=" in line[1:])
