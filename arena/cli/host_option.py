"""`--host NAME` of `arena serve` and `arena league`: the names by which visitors ask."""

from __future__ import annotations

import click

from arena.serve.options import host_name


def _hosts(_: click.Context, __: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Read --host."""
    try:
        return tuple(map(host_name, names))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


host_option = click.option(
    "--host",
    "hosts",
    multiple=True,
    callback=_hosts,
    metavar="NAME",
    help="A name under which visitors ask for this server; again for another one.",
)
