"""`arena check`: one bot against everything that a server may send (SPEC.md)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from arena.bots.botfile import Bot
from arena.bots.confine.confinement import Wish
from arena.check.catalogue import STEPS
from arena.check.findings import Severity
from arena.check.peer import DOOR, Through
from arena.check.run import CheckOrder, CheckReport, check, chosen
from arena.cli.bots import find, prepare
from arena.cli.check_json import document
from arena.cli.check_text import tell_frame
from arena.cli.check_view import CheckView
from arena.cli.confining import confine as confine_bots
from arena.cli.confining import confine_option, read_option
from arena.cli.printer import Printer
from arena.cli.running import run
from arena.games import GAMES
from arena.record import timing
from arena.referee.door.addresses import CannotListen, TcpAddress
from arena.referee.house import House, open_house
from arena.tcp_address import DIAL_IN_WORDS, DIAL_PATTERN, TCP_EXAMPLE
from arena.text import did_you_mean, listed

# Exit codes beyond click's (0 fine, 1 an error, 2 wrong usage).
ERRORS = 3
NOT_STARTED = 4

# Options that say which steps are run and what is shown of them; each finding names its own step.
NOT_REPEATED = frozenset({"only", "list_steps", "verbose", "as_json"})


@click.command("check")
@click.argument("bot")
@click.option("--game", "games", multiple=True, help="Only this rule set; may be repeated.")
@click.option(
    "--seats",
    type=int,
    multiple=True,
    metavar="N",
    help="Only tables of this size; may be repeated. [default: `seats` of bot.toml, else all]",
)
@click.option("--step", "only", type=int, metavar="N", help="Only this step.")
@click.option("--steps", "list_steps", is_flag=True, help="List the steps for this bot, run none.")
@click.option(
    "--start-ms",
    type=click.IntRange(1),
    default=timing.START_MS,
    show_default=True,
    help="Milliseconds from the bot's start to its hello.",
)
@click.option(
    "--at",
    metavar="ADDRESS",
    help="The address that the bot dials, of a door that hands it on; with --listen.",
)
@click.option(
    "--listen", metavar="ADDRESS", help=f"Where the door hands it on to, as {TCP_EXAMPLE}."
)
@confine_option
@read_option
@click.option("-v", "--verbose", is_flag=True, help="Show every frame, decoded.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
def COMMAND(  # noqa: N802  # the name that every command module exports
    bot: str,
    games: tuple[str, ...],
    seats: tuple[int, ...],
    only: int | None,
    list_steps: bool,
    start_ms: int,
    at: str | None,
    listen: str | None,
    confine: str | None,
    read: tuple[Path, ...],
    verbose: bool,
    as_json: bool,
) -> None:
    """Check that BOT keeps to SPEC.md, step by step.

    A BOT is a folder with a bot.toml, the name of a sample bot, or a command line in quotes.
    A scripted opponent sends it everything that a server may send: frames cut and joined, fields
    of a later version, every kind of decision in every rule set the bot says it plays, faults,
    matches cut short. No bot fails for being slow within the clock. A finding is told in full
    where it is met first; steps that fail for the same reason are told in a line.
    With --at it dials in through a door, unconfined (docs/door.md).

    An error breaks SPEC.md and costs faults or matches; a warning will hurt one day; a note is
    for your information.

    \b
    Exit codes:
      0  it conforms; there may be warnings
      1  an error of ours or of the build, told in words
      2  wrong usage
      3  errors were found
      4  it did not start
      130  stopped by Ctrl-C

    \b
    Examples:
      arena check ./my-bot
      arena check "python3 my_bot.py" --game nope --seats 4
      arena check ./my-bot --step 10 -v
      arena check ./my-bot --at wss://localhost:8443/bots --listen tcp:127.0.0.1:4000
      arena check python-random --json | jq .findings
    """
    found = at_tables(find(bot), seats, games)
    playing = chosen_games(found, games)
    through = through_of(at, listen, confine)
    kinds = (DOOR,) if through is not None else found.connect
    if only is not None:
        check_number(only, playing, kinds)
    printer = Printer()
    if list_steps:
        return tell_steps(kinds, playing, printer)
    view = None if as_json else CheckView(command_of(click.get_current_context()), printer)
    confined = partial(confine_bots, wish=Wish.NONE if through else confine, read=read)
    ordered = partial(CheckOrder, games=playing, connect=kinds, start_ms=start_ms, only=only)
    ordered = partial(ordered, through=through, seats=found.seats)
    check_it = partial(check_bot, found, ordered, view, printer, verbose=verbose)
    code = run(partial(in_a_house, through, confined, check_it))
    printer.end()
    raise SystemExit(code)


async def in_a_house(
    through: Through | None,
    confined: Callable[[House], Awaitable[None]],
    check_it: Callable[..., Awaitable[int]],
) -> int:
    """Open a house, confine its bots, and return the exit code of `check_it`. A place behind a door
    where nobody can listen ends the command before that."""
    if through is not None:
        try:
            through.listen.check()
        except CannotListen as error:
            raise click.ClickException(str(error)) from None
    async with open_house() as house:
        await confined(house)
        return await check_it(house=house)


async def check_bot(
    bot: Bot,
    ordered: Callable[..., CheckOrder],
    view: CheckView | None,
    printer: Printer,
    *,
    house: House,
    verbose: bool,
) -> int:
    """Build the bot, run the steps and return the exit code. Without a view, print a document.

    `ordered`: makes the order of the program that was built.
    """
    (program,) = await prepare(house, [bot])
    order = ordered(program)
    if view is not None:
        view.begin(bot, chosen(order))
    tell = view.tell if view is not None else (lambda news: None)
    report = await check(house, order, tell, tell_frame if verbose else None)
    if view is None:
        printer(document(bot, report, conforms=exit_code(report) == 0))
    else:
        view.end(report)
    return exit_code(report)


def through_of(at: str | None, listen: str | None, confine: str | None) -> Through | None:
    """Return the door that the options name, None without one."""
    if at is None and listen is None:
        return None
    if at is None or listen is None:
        raise click.UsageError(
            "--at and --listen go together: where the bot dials, and where we are"
        )
    if not re.match(DIAL_PATTERN, at):
        raise click.BadParameter(f"{at!r} is not {DIAL_IN_WORDS}", param_hint="--at")
    if confine not in (None, Wish.NONE):
        raise click.UsageError(f"--confine {confine}: a bot that dials a door is not confined")
    try:
        return Through(at, TcpAddress.of(listen))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--listen") from None


def command_of(context: click.Context) -> str:
    """Return the command that checks the bot as it is checked now, for a shell, but for the step
    and what is shown of it. What the environment gave, such as ARENA_READ, is an option there."""
    words = ["arena", "check", str(context.params["bot"])]
    for option in context.command.params:
        name = option.name or ""
        is_given = context.get_parameter_source(name) is not ParameterSource.DEFAULT
        if is_given and isinstance(option, click.Option) and name not in NOT_REPEATED:
            value = context.params[name]
            for each in value if option.multiple else (value,):
                words += [option.opts[0], str(each)]
    return shlex.join(words)


def tell_steps(kinds: Sequence[str], games: Sequence[str], printer: Printer) -> None:
    """Print the steps for a bot that connects by addresses of these kinds, a line each."""
    for step in STEPS:
        if step.applies_to(games, kinds):
            printer(f"{step.number:>3}  {step.title} (SPEC {step.section})")
    printer.end()


def exit_code(report: CheckReport) -> int:
    if not report.started:
        return NOT_STARTED
    return ERRORS if report.count(Severity.ERROR) else 0


def at_tables(bot: Bot, seats: Sequence[int], games: Sequence[str]) -> Bot:
    """Return the bot as one that plays at these tables only; without any, as it is."""
    sizes = {size for game in games or bot.games if game in GAMES for size in GAMES[game].seats}
    for size in seats:
        if bot.seats and size not in bot.seats:
            raise click.BadParameter(
                f"{bot.name} says it plays at tables of {listed(bot.seats)}, not of {size}; add it"
                " to `seats` in its bot.toml if it does",
                param_hint="--seats",
            )
        if size not in sizes:
            raise click.BadParameter(
                f"no game to check has a table of {size}; there are tables of"
                f" {listed(sorted(sizes))}",
                param_hint="--seats",
            )
    return replace(bot, seats=tuple(sorted({*seats}))) if seats else bot


def chosen_games(bot: Bot, games: Sequence[str]) -> tuple[str, ...]:
    """Return the rule sets to check, in the order of `arena games`.

    Those without a table that the bot plays at are left out.
    """
    for game in games:
        if game not in GAMES:
            raise click.BadParameter(
                f"there is no rule set {game!r}; there are: {', '.join(GAMES)}."
                f"{did_you_mean(game, GAMES)}",
                param_hint="--game",
            )
        if game not in bot.games:
            raise click.BadParameter(
                f"{bot.name} says it plays {', '.join(bot.games)}, not {game}; add it to `games`"
                " in its bot.toml if it does",
                param_hint="--game",
            )
    return tuple(game for game in GAMES if game in (games or bot.games) and bot.sizes(game))


def check_number(only: int, games: Sequence[str], kinds: Sequence[str]) -> None:
    """Raise a usage error unless there is such a step for this bot."""
    step = next((step for step in STEPS if step.number == only), None)
    if step is None:
        raise click.BadParameter(
            f"there are steps 1 to {len(STEPS)}; got {only}", param_hint="--step"
        )
    if not step.applies_to(games, kinds):
        raise click.BadParameter(
            f"step {only} ({step.title}) does not apply to this bot; --steps lists those that do",
            param_hint="--step",
        )
