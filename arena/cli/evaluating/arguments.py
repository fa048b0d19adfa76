"""The evaluation that a command line asks for: policy, game, bots, clock."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import click

from arena.bots.botfile import Bot
from arena.bots.program import DialIn
from arena.cli.bots import PolicyBot, must_play, named_bots, names_a_bot, only_game
from arena.cli.match_arguments import AskedMatch, copies_of
from arena.cli.values import game_options, seed_bytes
from arena.compare.sets import Rows
from arena.games import GAMES, BadSeats, GameError
from arena.policy.finding import NoPolicy, content_of, find_policy
from arena.policy.policy import Policy
from arena.record import timing
from arena.referee.match import Plan
from arena.text import listed

EXAMPLE = "arena evaluate my_policy:policy nyet python-high python-tricks"


def policy_called(words: str) -> Policy:
    """Return the policy that MODULE:NAME names; errors say what would do."""
    try:
        return find_policy(words)
    except NoPolicy as error:
        if error.is_usage:
            raise click.UsageError(str(error)) from None
        raise click.ClickException(str(error)) from None


def evaluation_of(
    policy: Policy,
    words: Sequence[str],
    seed: str | None,
    options: Sequence[str],
    *,
    is_timed: bool,
) -> AskedMatch:
    """Return the match of an evaluation: the policy first, then the bots that the words name.

    The words begin with the game; it may be left out where the policy says that it plays only one,
    or the bots do.
    """
    is_game_named = bool(words) and not names_a_bot(words[0])
    arguments = [*words[is_game_named:]]
    if not arguments:
        raise click.UsageError(
            f"name a game and the bots at the table with the policy, such as: {EXAMPLE}"
        )
    bots = named_bots(arguments)
    game = words[0] if is_game_named else game_of(policy, bots)
    plan = Plan(
        match="",
        game=game,
        seats=len(bots) + 1,
        seed=seed_bytes(seed) if seed is not None else secrets.token_bytes(32),
        names=(policy.name, *(bot.name for bot in bots)),
        options=game_options(options),
    )
    must_name_games(policy)
    try:
        GAMES[game].deal(plan.seats, plan.seed, plan.options)
    except BadSeats as error:
        raise click.UsageError(
            f"{error}. The policy has one seat; name a bot for each other seat, the same one as"
            " often as you like"
        ) from None
    except GameError as error:
        raise click.UsageError(str(error)) from None
    must_be_played_by(policy, game, plan.seats)
    must_play(game, plan.seats, bots)
    mine = PolicyBot(policy.name, content_of(policy.name), is_timed=is_timed)
    rows = [(0,), *shifted(copies_of(arguments))]
    return AskedMatch(plan, timing.START_MS, (mine, *bots), rows)


def game_of(policy: Policy, bots: Sequence[Bot | DialIn]) -> str:
    """Return the only game that the policy plays, or that it and the bots do; else raise a usage
    error."""
    if policy.games is None:
        return only_game(bots)
    if len(policy.games) == 1:
        return policy.games[0]
    played = [bot.games for bot in bots if isinstance(bot, Bot)]
    games = [game for game in policy.games if all(game in each for each in played)]
    if len(games) == 1:
        return games[0]
    if not games:
        raise click.UsageError(
            f"there is no game that {policy.name} and all these bots say they play: {policy.name}"
            f" plays {listed(policy.games)}"
        )
    raise click.UsageError(f"name the game before the bots, one of {', '.join(games)}")


def shifted(rows: Rows) -> Rows:
    """Return the rows of bots by their places in a line-up that the policy begins."""
    return [tuple(place + 1 for place in row) for row in rows]


def must_name_games(policy: Policy) -> None:
    """Raise a usage error if the policy says that it plays a game that is none."""
    for game in policy.games or ():
        try:
            GAMES[game]
        except GameError as error:
            raise click.UsageError(f"the attribute `games` of {policy.name}: {error}") from None


def must_be_played_by(policy: Policy, game: str, seats: int) -> None:
    """Raise a usage error if the policy says that it plays other games, or tables, only."""
    for here, plays, what in ((game, policy.games, "games"), (seats, policy.seats, "seats")):
        if plays is not None and here not in plays:
            raise click.UsageError(
                f"{policy.name} says it plays {what} {listed(plays)}, not {here}: its attribute"
                f" `{what}` says so"
            )
