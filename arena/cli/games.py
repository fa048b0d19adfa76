"""`arena games`: what can be played, and how a league or a match may set it."""

from __future__ import annotations

import click

from arena.games import GAMES, Game, UnknownGame


@click.command("games")
@click.argument("name", required=False)
def COMMAND(name: str | None) -> None:  # noqa: N802  # what every command module exports
    """List the rule sets; with a NAME all about one.

    \b
    Examples:
      arena games
      arena games nyet
    """
    if name is None:
        for game in GAMES.values():
            low, high = game.seats[0], game.seats[-1]
            seats = f"{low} to {high}" if low < high else f"{low}"
            click.echo(f"{game.name:<8} {seats:>6} seats   {about(game)}")
        click.echo("\n`arena games NAME` tells a rule set's options and actions.")
        return
    try:
        tell(GAMES[name])
    except UnknownGame as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None


def about(game: Game) -> str:
    options = ", ".join(option.name for option in game.options)
    return f"options: {options}"


def tell(game: Game) -> None:
    """Everything a person may want before using it."""
    click.echo(f"{game.name}: {', '.join(map(str, game.seats))} seats\n")
    click.echo("Options (-o NAME=VALUE):")
    for option in game.options:
        click.echo(f"  {option.name}: {option.kind.allowed(max(game.seats))}")
        click.echo(click.wrap_text(plain(option.meaning), 88, "      ", "      "))
        click.echo(f"      default: {plain(option.default_in_words)}")
    click.echo("\nEndings:")
    for ending, meaning in game.endings.items():
        click.echo(f"  {ending}: {meaning}")
    click.echo(f"\nActions, in their fixed order ({len(game.actions)}):")
    click.echo(click.wrap_text(" ".join(game.actions.names), 88, "  ", "  "))
    click.echo("\nThe rules, every action and every field of a view: SPEC.md, chapters 10 to 12.")


def plain(markdown: str) -> str:
    return markdown.replace("`", "")
