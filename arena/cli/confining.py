"""The options that say how started bots are confined, and their use in a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from arena.bots.confine.choose import NotConfined
from arena.bots.confine.confinement import Wish
from arena.referee.house import House

confine_option: Callable[[Any], Any] = click.option(
    "--confine",
    type=click.Choice([wish.value for wish in Wish]),
    help="How started bots are confined (docs/confinement.md).  [default: auto]",
)
read_option: Callable[[Any], Any] = click.option(
    "--read",
    multiple=True,
    metavar="PATH",
    envvar="ARENA_READ",
    type=click.Path(exists=True, path_type=Path),
    help="Let bots read this too: a toolchain in your home folder. May be repeated; ARENA_READ in"
    " the environment has several with ':' between.",
)


async def confine(house: House, wish: str | None, read: Sequence[Path]) -> None:
    """Confine the bots of a house; warn where that is not possible, or end the command in words."""
    try:
        choice = await house.confine(Wish(wish or Wish.AUTO), [path.absolute() for path in read])
    except NotConfined as error:
        raise click.ClickException(str(error)) from None
    if choice.warning is not None:
        click.echo(f"warning: {choice.warning}", err=True)
