"""The match that a command line asks for: game, bots by seat, clock, and where bots dial in."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

import click

from arena.bots.botfile import Bot
from arena.bots.program import DialIn
from arena.cli.bots import PolicyBot, RepeatedBot, must_play, named_bots, names_a_bot, only_game
from arena.cli.match_sets import Against, AskedSets
from arena.cli.values import game_options, seed_bytes
from arena.compare.sets import Rows
from arena.games import GAMES, BadSeats, GameError
from arena.record import Record, timing
from arena.record.timing import BOT_TIMES
from arena.referee.door.addresses import TcpAddress
from arena.referee.match import Plan


@dataclass(frozen=True)
class Repeats:
    """A recorded match, and the seat whose bot plays it anew; all others repeat the record."""

    record: Record
    seat: int


@dataclass(frozen=True)
class AskedMatch:
    """A plan, its bots by seat, and the time from a bot's start to its hello.

    `rows`: by row of the table, the places of a bot in the line-up. `rival`: the name of the last
    of `bots` if it has no seat but plays the matches of the first again (`Comparison.rival`).
    `repeats`: the recorded match that all seats but one repeat, if any.
    """

    plan: Plan
    start_ms: int
    bots: Sequence[Bot | DialIn | RepeatedBot | PolicyBot]
    rows: Rows
    rival: str | None = None
    repeats: Repeats | None = None

    def timed(self, start_ms: int | None, **given: int | None) -> AskedMatch:
        """Return the same match with the times that were given, by their names in `Timing`.

        They are for all seats, also for one with a clock of its own.
        """
        times = {name: value for name, value in given.items() if value is not None}
        in_clock = {name: value for name, value in times.items() if name in BOT_TIMES}
        plan = replace(
            self.plan,
            timing=replace(self.plan.timing, **times),
            clocks=tuple(each and replace(each, **in_clock) for each in self.plan.clocks),
        )
        start_ms = self.start_ms if start_ms is None else start_ms
        return replace(self, plan=plan, start_ms=start_ms)


def rows_of(arguments: Sequence[str]) -> Rows:
    """Return the places of each bot, as `copies_of` does.

    Where all are the same there is nothing to compare but seats, so each is a row of its own.
    """
    rows = copies_of(arguments)
    return rows if len(rows) > 1 else [(place,) for place in range(len(arguments))]


def copies_of(arguments: Sequence[str]) -> Rows:
    """Return the places of each bot: those of an argument that is given several times are one
    bot."""
    places: dict[str, list[int]] = {}
    for place, argument in enumerate(arguments):
        places.setdefault(argument, []).append(place)
    return [tuple(each) for each in places.values()]


def match_of(
    words: Sequence[str], seed: str | None, options: Sequence[str], against: Against | None
) -> AskedMatch:
    """Return the match that the words name: the game, then the bots by seat.

    The game may be left out where the bots play only one. With `against` the bots after the first
    are of its field.
    """
    is_game_named = bool(words) and not names_a_bot(words[0])
    arguments = [*words[is_game_named:]]
    if not arguments:
        raise click.UsageError(
            "name a game and its bots, such as: arena match nope python-random python-bare"
        )
    if against is not None:
        if len(arguments) == 1 and not against.field:
            raise click.UsageError(
                "--against needs the others at the table too: --field BOT..., one less than there"
                " are seats"
            )
        arguments[1:] = [against.bot, *against.field, *arguments[1:]]
    bots = named_bots(arguments)
    if against is not None:
        bots.append(bots.pop(1))
    seated = bots if against is None else bots[:-1]
    game = words[0] if is_game_named else only_game(bots)
    plan = Plan(
        match="",
        game=game,
        seats=len(seated),
        seed=seed_bytes(seed) if seed is not None else secrets.token_bytes(32),
        names=tuple(bot.name for bot in seated),
        options=game_options(options),
    )
    try:
        GAMES[game].deal(plan.seats, plan.seed, plan.options)
    except BadSeats as error:
        raise click.UsageError(
            f"{error}. Name a bot for each seat; the same one may have several"
        ) from None
    except GameError as error:
        raise click.UsageError(str(error)) from None
    must_play(game, plan.seats, bots)
    if against is None:
        return AskedMatch(plan, timing.START_MS, tuple(bots), rows_of(arguments))
    rows = [(0,), (len(seated),)]
    return AskedMatch(plan, timing.START_MS, tuple(bots), rows, bots[-1].name)


def match_asked(
    like: str | None,
    words: Sequence[str],
    *,
    sets: AskedSets | None,
    seed: str | None,
    options: Sequence[str],
    replay_others: int | None,
) -> AskedMatch:
    """Return the match that the words name, or the one of a league that `like` names.

    With `like`, words may name other bots by seat. With `replay_others`, the number of a seat, the
    other seats repeat the record of that match.
    """
    if like is None:
        if replay_others is not None:
            raise click.UsageError("--replay-others is for --like LEAGUE:MATCH")
        return match_of(words, seed, options, None if sets is None else sets.against)
    if sets is not None or seed is not None or options:
        raise click.UsageError(
            "--like takes deal and options from the match: leave --sets, --stop, --against, --seed"
            " and -o out"
        )
    # Loaded here because all that reads a league takes a while to load.
    from arena.cli.like import match_like

    return match_like(like, words, replay_others)


def address_of(listen: str | None, bots: Sequence[object]) -> TcpAddress | None:
    """Return the address where bots dial in; None if none does."""
    if not any(isinstance(bot, DialIn) for bot in bots):
        if listen is not None:
            raise click.UsageError("--listen is for bots that dial in; name one: dial-in:NAME")
        return None
    try:
        return TcpAddress() if listen is None else TcpAddress.of(listen)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--listen") from None
