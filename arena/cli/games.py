"""`arena games`: the rule sets, their options and actions."""

from __future__ import annotations

import click

from arena.cli.printer import Printer
from arena.games import GAMES, Game, UnknownGame
from arena.games.options import Option


@click.command("games")
@click.argument("name", required=False)
def COMMAND(name: str | None) -> None:  # noqa: N802  # the name that every command module exports
    """List the rule sets; with a NAME all about one.

    \b
    Examples:
      arena games
      arena games nyet
    """
    printer = Printer()
    if name is None:
        tell_all(printer)
    else:
        try:
            tell(GAMES[name], printer)
        except UnknownGame as error:
            raise click.BadParameter(str(error), param_hint="NAME") from None
    printer.end()


def tell_all(printer: Printer) -> None:
    width = max(map(len, GAMES))
    for game in GAMES.values():
        low, high = game.seats[0], game.seats[-1]
        seats = f"{low} to {high}" if low < high else f"{low}"
        printer(f"{game.name:<{width}} {seats:>6} seats   {about(game)}")
    printer("\n`arena games NAME` tells a rule set's options and actions.")


def about(game: Game) -> str:
    options = ", ".join(option.name for option in game.options)
    return f"options: {options}"


def allowed(option: Option, game: Game) -> str:
    """Return the values that may be set; if they depend on the table, those of the largest."""
    least, most = (option.kind.allowed(seats(game.seats)) for seats in (min, max))
    return most if least == most else f"with {max(game.seats)} seats {most}"


def tell(game: Game, printer: Printer) -> None:
    """Print everything about one rule set."""
    printer(f"{game.name}: {', '.join(map(str, game.seats))} seats\n")
    printer("Options (-o NAME=VALUE):")
    for option in game.options:
        printer(f"  {option.name}: {allowed(option, game)}")
        printer(click.wrap_text(plain(option.meaning), 88, "      ", "      "))
        printer(f"      default: {plain(option.default_in_words)}")
    printer("\nEndings:")
    for ending, meaning in game.endings.items():
        printer(f"  {ending}: {meaning}")
    printer(f"\nActions, in their fixed order ({len(game.actions)}):")
    printer(click.wrap_text(" ".join(game.actions.names), 88, "  ", "  "))
    printer("\nThe rules, every action and every field of a view:")
    printer("SPEC.md, chapter 10 and the chapter of the game; 10.1 has its number.")


def plain(markdown: str) -> str:
    return markdown.replace("`", "")
