"""`--play BOT` of `arena serve` and `arena league`: the bots that visitors may play against."""

from __future__ import annotations

from collections.abc import Sequence

import click

from arena.cli.bots import find
from arena.serve.play import PlayBot

play_option = click.option(
    "--play",
    multiple=True,
    metavar="BOT",
    help="A bot that visitors may play against, as `arena match` names bots; again for another.",
)


def playable(arguments: Sequence[str]) -> tuple[PlayBot, ...]:
    """Return the bots that visitors may play against; a usage error names one that is none."""
    bots = [find(each) for each in dict.fromkeys(arguments)]
    names = [each.name for each in bots]
    for bot in bots:
        if bot.is_bare:
            raise click.UsageError(
                f"--play {bot.name}: name a sample bot, or a folder with bot.toml"
            )
        if names.count(bot.name) > 1:
            raise click.UsageError(f"--play: two bots are called {bot.name}; name one of them")
    return tuple(
        PlayBot(bot.name, str(bot.folder), {game: tuple(bot.sizes(game)) for game in bot.games})
        for bot in bots
    )
