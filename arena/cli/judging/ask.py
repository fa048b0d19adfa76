"""`arena ask`: a bot gets the requests of a recorded match again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import click
import trio

from arena.asking.again import GENEROUS, Asked
from arena.asking.asking import Asking
from arena.bots.botfile import Bot
from arena.bots.program import DialIn
from arena.cli.bots import find_or_await, must_play, pool_of
from arena.cli.confining import confine as confine_bots
from arena.cli.confining import confine_option, read_option
from arena.cli.judging.ask_json import document
from arena.cli.judging.ask_text import told_answers, told_end
from arena.cli.judging.where import METAVAR, FoundMatch, find_where, seat_of
from arena.cli.match_arguments import address_of
from arena.cli.printer import Printer
from arena.cli.progress import progress
from arena.cli.running import run, until_ctrl_c
from arena.exits import INTERRUPTED
from arena.record import NoSuchMove, Record, RecordError
from arena.record.decisions import decision, decisions
from arena.record.timing import START_MS, Timing
from arena.referee.door.addresses import TcpAddress
from arena.referee.house import House, open_house
from arena.tcp_address import TCP_EXAMPLE
from arena.text import listed

# Exit codes, as of `arena match`.
FAULTS = 3
NOT_STARTED = 4

GOODBYE_SECONDS = 2.0
MOST_TIMES = 1_000


@click.command("ask")
@click.argument("where", metavar=METAVAR)
@click.argument("bot")
@click.option("--seat", type=int, help="The seat whose requests the bot gets.")
@click.option(
    "--move", type=click.IntRange(min=0), help="Ask up to this move, and show its answer."
)
@click.option(
    "--repeat",
    type=click.IntRange(1, MOST_TIMES),
    default=1,
    help="Ask so often, each time a new process, and count the answers: for bots that draw lots.",
)
@click.option(
    "--clock",
    is_flag=True,
    help="With the clock of the match's league, or the usual one; without, a generous one.",
)
@click.option("--listen", metavar="ADDRESS", help=f"Where to dial in, as {TCP_EXAMPLE}.")
@confine_option
@read_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
@click.option(
    "--match",
    "which",
    type=click.IntRange(min=0),
    help="The record to ask about, of several in a file, from 0.",
)
def COMMAND(  # noqa: N802  # the name that every command module exports
    where: str,
    bot: str,
    seat: int | None,
    move: int | None,
    repeat: int,
    clock: bool,
    listen: str | None,
    confine: str | None,
    read: tuple[Path, ...],
    as_json: bool,
    which: int | None,
) -> None:
    """Ask BOT for the decisions of a recorded match, and show where it answers differently.

    WHERE is a file of `arena match --record`, LEAGUE:MATCH, or the address of a match page. BOT is
    named as in `arena match`, and started and confined as there. It gets the seat's original
    `start` and requests, over the real wire, up to the move in question or to the end; the game
    goes on as it was recorded, whatever it answers. Without --seat its own name, or --move, says
    which seat. Moves are numbered as in `arena replay`.

    \b
    Exit codes:
      0  asked, without a fault
      1  an error, told in words
      2  wrong usage
      3  asked, and it had faults
      4  it did not start
      130  stopped by Ctrl-C; the answers that came are told

    \b
    Examples:
      arena ask match.json ./my-bot --seat 2
      arena ask cup:17.4 ./my-bot --move 57
      arena ask cup:17.4 ./my-bot --move 57 --repeat 20
      arena ask match.json "perl bot.pl" --seat 0 --clock --json
    """
    found = find_where(where, which)
    asks_for = find_or_await(bot)
    address = address_of(listen, [asks_for])
    must_play(found.record.game, found.record.seats, [asks_for])
    if repeat > 1 and isinstance(asks_for, DialIn):
        raise click.UsageError("--repeat starts a process each time, and yours is yours to start")
    try:
        chosen = chosen_seat(found, seat, move, asks_for.name)
        asking = Asking(asked_of(found, chosen, move, is_original=clock), repeat)
    except RecordError as error:
        raise click.ClickException(str(error)) from None
    printer = Printer()
    confined = partial(confine_bots, wish=confine, read=read)
    start_ms = found.start_ms if clock and found.start_ms is not None else START_MS
    tell = partial(tell_end, printer=printer, move=move, as_json=as_json)
    code = run(partial(ask, asking, asks_for, start_ms, address, confined, tell))
    printer.end()
    raise SystemExit(code)


def chosen_seat(found: FoundMatch, seat: int | None, move: int | None, name: str) -> int:
    """Return the seat to ask for: the one named, that of the move, or that of the bot's name.

    A bot whose row is a later version, such as camel+2, is found by its name in the file too.
    """
    record = found.record
    seat_of(record, seat)
    if move is not None:
        try:
            its = decision(record, move).seat
        except NoSuchMove as error:
            raise click.BadParameter(str(error), param_hint="--move") from None
        if seat is not None and seat != its:
            raise click.BadParameter(
                f"move {move} is of seat {its} ({record.names[its]!r}), not of seat {seat}. Seat"
                f" {seat} has {near(record, seat, move)}",
                param_hint="--move",
            )
        return its
    if seat is not None:
        return seat
    named = [number for number, each in enumerate(record.names) if each == name]
    named = named or [number for number, each in enumerate(found.bases) if each == name]
    if len(named) == 1:
        return named[0]
    there_are = listed(f"{number} ({each!r})" for number, each in enumerate(record.names))
    raise click.UsageError(
        f"which seat? This match had seats {there_are}: name one with --seat, or a move with --move"
    )


def near(record: Record, seat: int, move: int) -> str:
    """Return the moves of a seat that are next to another's, in words."""
    numbers = [each.number for each in decisions(record) if each.seat == seat]
    if not numbers:
        return "no moves"
    before = [each for each in numbers if each < move][-1:]
    after = [each for each in numbers if each > move][:1]
    beside = [*before, *after]
    return f"{'moves' if len(beside) > 1 else 'move'} {listed(beside)}"


def asked_of(found: FoundMatch, seat: int, move: int | None, *, is_original: bool) -> Asked:
    """Return what is to be asked. A record in a file tells only clocks that were not the
    league's: take the usual for it."""
    theirs = (found.timing or Timing()).of_bot(found.record.clock_of(seat))
    timing = theirs if is_original else GENEROUS
    return Asked(found.record, seat, move, timing, found.shown_names)


async def ask(
    asking: Asking,
    bot: Bot | DialIn,
    start_ms: int,
    address: TcpAddress | None,
    confined: Callable[[House], Awaitable[None]],
    tell: Callable[[Asking, str, bool], int],
) -> int:
    """Start the bot, ask it, and return the exit code of `tell`.

    `confined` is called with the house before the bot is built or started; `tell` with the answers,
    the bot's name, and True if Ctrl-C ended it.
    """
    async with open_house(hello_ms=start_ms, listen=address) as house:
        if isinstance(bot, Bot):
            await confined(house)
        pool = await pool_of(house, [bot], start_ms, 1, {})
        try:
            with progress() as count:
                async with until_ctrl_c() as scope:
                    await asking.ask(pool.players()[0], count)
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(GOODBYE_SECONDS):
                await pool.say_bye("stopping")
    return tell(asking, bot.name, scope.cancelled_caught)


def tell_end(
    asking: Asking,
    bot: str,
    is_stopped: bool,
    *,
    printer: Printer,
    move: int | None,
    as_json: bool,
) -> int:
    """Print the answers, and return the exit code."""
    if as_json:
        printer(document(asking, bot))
    else:
        for line in (*told_answers(asking, move), *told_end(asking)):
            printer(line)
    if is_stopped:
        click.echo("stopped", err=True)
        return INTERRUPTED
    if asking.absent is not None:
        return NOT_STARTED
    return FAULTS if any(answer.faults for given in asking.given for answer in given) else 0
