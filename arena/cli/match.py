"""`arena match`: bots play each other, here and now."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from pathlib import Path

import click
import trio

from arena.bots.botfile import Bot
from arena.bots.program import MAY_REMEMBER, DialIn
from arena.cli.bots import pool_of
from arena.cli.confining import confine as confine_bots
from arena.cli.confining import confine_option, read_option
from arena.cli.documents.departures import told_departures
from arena.cli.match_arguments import AskedMatch, Repeats, address_of, match_asked
from arena.cli.match_json import document
from arena.cli.match_keep import kept_sets
from arena.cli.match_sets import AskedSets, options_of_sets
from arena.cli.match_text import told_results
from arena.cli.match_view import Style, view_for
from arena.cli.printed.asked import AskedOutput, options_of_output
from arena.cli.printer import Printer
from arena.cli.recording import Recording
from arena.cli.running import run, until_ctrl_c
from arena.cli.tap import PrintingTap
from arena.compare.keep import CannotKeep
from arena.compare.play import Comparison, play
from arena.exits import INTERRUPTED
from arena.record import timing
from arena.referee.clock import now_us
from arena.referee.door.addresses import CannotListen, TcpAddress
from arena.referee.house import House, open_house
from arena.referee.match import Result
from arena.referee.players.pool import Pool, processes_for
from arena.tcp_address import TCP_EXAMPLE
from arena.text import listed

# Exit codes beyond click's (0 fine, 1 an error, 2 wrong usage).
FAULTS = 3
NOT_BEGUN = 4
VOID = 5

# Time for all bots together to end after `bye`.
GOODBYE_SECONDS = 2.0

DEFAULT = "[default: {}, or that of the match of --like]"


HELP = """\
Play a match of GAME between bots, as many as there are seats.

A BOT is a folder with a bot.toml, the name of a sample bot, a command line in quotes, or
dial-in:NAME: one that you start yourself, in a debugger say. With --sets each set is played in
every seating, and the differences are told with their bars and how many sets would separate
the bots; copies share a row. With --stop sets are played until it is known whether the first
of two bots is better, and with --against two bots take turns in one seat (docs/comparing.md).
No process plays two matches of one set, unless it dials in. With --like a match of a league is
played again by today's bots, or by others; times given here replace its own. GAME may be left
out if the bots play only one.

\b
Exit codes:
  0  played, without a fault
  1  an error, told in words
  2  wrong usage
  3  played, and some bot had faults
  4  some bot did not start: not played
  5  void: this machine was too slow
  130  stopped by Ctrl-C; the matches that were played are told

\b
Examples:
  arena match nyet python-random python-random python-bare python-random
  arena match nope ./my-bot python-random --sets 50 -o max_turns=200
  arena match nyet ./new ./new ./old ./old --stop 0:10
  arena match nyet ./new --against ./old --field python-tricks python-tricks python-high
  arena match nope "python3 my_bot.py" python-random --seed 7 --stderr --record match.json
  arena match nyet dial-in:me python-random --decision-ms 3600000
  arena match --like cup:17.4
  arena match --like cup:17.4 --replay-others 2 ./my-bot
"""


@click.command("match", help=HELP)
@click.argument("words", nargs=-1, metavar="GAME BOT BOT...")
@click.option(
    "--like",
    metavar="LEAGUE:MATCH",
    help="The deal, options, clock and seating of a match in a league; only BOTs are named. Bots"
    " that draw lots go other ways than they went.",
)
@click.option(
    "--replay-others",
    metavar="SEAT",
    type=int,
    help="With --like: only the bot at SEAT plays, or BOT in its place; the other seats repeat"
    " their recorded actions as long as these are legal (docs/records.md).",
)
@options_of_sets
@click.option("--seed", help="Any text, or hex: and digits; without, the deals are drawn anew.")
@click.option("-o", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--decision-ms", type=click.IntRange(1), help=DEFAULT.format(timing.DECISION_MS))
@click.option("--bank-ms", type=click.IntRange(0), help=DEFAULT.format(timing.BANK_MS))
@click.option("--hang-ms", type=click.IntRange(1), help=DEFAULT.format(timing.HANG_MS))
@click.option("--start-ms", type=click.IntRange(1), help=DEFAULT.format(timing.START_MS))
@click.option("--listen", metavar="ADDRESS", help=f"Where to dial in, as {TCP_EXAMPLE}.")
@confine_option
@read_option
@options_of_output
@click.option("--tap", is_flag=True, help="Print every frame both ways, decoded, with its time.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write the record here; `arena replay` tells it again. With --sets, one a line.",
)
def COMMAND(  # noqa: N802  # the name that every command module exports
    words: tuple[str, ...],
    like: str | None,
    replay_others: int | None,
    sets: AskedSets | None,
    seed: str | None,
    options: tuple[str, ...],
    listen: str | None,
    confine: str | None,
    read: tuple[Path, ...],
    output: AskedOutput,
    tap: bool,
    as_json: bool,
    record: Path | None,
    **times: int | None,
) -> None:
    """Play a match or sets of matches, as HELP says."""
    asked = match_asked(
        like, words, sets=sets, seed=seed, options=options, replay_others=replay_others
    ).timed(**times)
    address = address_of(listen, asked.bots)
    printer = Printer()
    view = view_for(printer, style_of(output, tap=tap, sets=sets is not None, as_json=as_json))
    with (
        nullcontext() if record is None else Recording(record) as recording,
        kept_sets(asked, sets, is_seed_given=seed is not None) as (comparison, keep),
    ):
        end = partial(
            tell_end, printer=printer, as_json=as_json, recording=recording, repeats=asked.repeats
        )
        confined = partial(confine_bots, wish=confine, read=read)
        playing = partial(play, view=view, keep=keep)
        house = partial(house_for, asked, address, output, printer if tap else None)
        main = partial(play_asked, asked, comparison, playing, house, end, confined, output)
        code = run(main, told=(CannotKeep,))
    printer.end()
    raise SystemExit(code)


async def play_asked(
    asked: AskedMatch,
    comparison: Comparison,
    playing: Callable[[Comparison, Pool], Awaitable[None]],
    house_of: Callable[[], AbstractAsyncContextManager[House]],
    end: Callable[[Comparison, bool], int],
    confined: Callable[[House], Awaitable[None]],
    output: AskedOutput,
) -> int:
    """Play the match or its sets, and return the exit code of `end`.

    `playing` plays all that is wanted. `confined` is called with the house before any bot is built
    or started, `end` with everything that was played, and with True if Ctrl-C ended it.
    """
    callers = [bot.name for bot in asked.bots if isinstance(bot, DialIn)]
    if callers and not comparison.is_single:
        click.echo(f"{listed(callers)} {MAY_REMEMBER}", err=True)
    matches = len(comparison.seatings)
    processes = 1 if comparison.is_single else processes_for(matches, comparison.jobs)
    logs = output.make_folders([bot.name for bot in asked.bots if isinstance(bot, Bot)])
    async with house_of() as house:
        if any(isinstance(bot, Bot) for bot in asked.bots):
            await confined(house)
        pool = await pool_of(house, asked.bots, asked.start_ms, processes, logs)
        reason = "stopping"
        try:
            async with until_ctrl_c() as scope:
                await playing(comparison, pool)
            code = end(comparison, scope.cancelled_caught)
            reason = "stopping" if scope.cancelled_caught else "done"
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(GOODBYE_SECONDS):
                await pool.say_bye(reason)
            output.end(pool.printed_bytes())
    return code


def house_for(
    asked: AskedMatch, address: TcpAddress | None, output: AskedOutput, tapped: Printer | None
) -> AbstractAsyncContextManager[House]:
    """Return the house to play in; one that cannot listen at the address ends the command.

    `tapped`: prints every frame.
    """
    if address is not None:
        try:
            address.check()
        except CannotListen as error:
            raise click.ClickException(str(error)) from None
    frames = PrintingTap(now_us, tapped) if tapped is not None else None
    return open_house(
        hello_ms=asked.start_ms, tap=frames, listen=address, on_printed=output.on_printed
    )


def style_of(output: AskedOutput, *, tap: bool, sets: bool, as_json: bool) -> Style:
    """Return how matches are shown while they are played."""
    if as_json:
        return Style.SILENT
    if output.is_quiet:
        return Style.RESULT
    if tap or sets:
        return Style.FAULTS
    return Style.PICTURE if output.lines is None else Style.MOVES


def tell_end(
    comparison: Comparison,
    is_stopped: bool,
    *,
    printer: Printer,
    as_json: bool,
    recording: Recording | None,
    repeats: Repeats | None,
) -> int:
    """Write the records, print the results, and return the exit code."""
    begun = [result.record for result in comparison.results if result.is_begun]
    if recording is not None and begun:
        recording.write(begun)
    if as_json:
        printer(document(comparison, repeats))
    elif repeats is not None and begun:
        for line in told_departures(repeats, begun[0]):
            printer(line)
    elif not comparison.is_single:
        for line in told_results(comparison):
            printer(line)
    if is_stopped:
        click.echo("stopped", err=True)
        return INTERRUPTED
    if recording is not None and recording.failed:
        return 1
    return exit_code(comparison.results)


def exit_code(results: Sequence[Result]) -> int:
    """Return the code of the worst event."""
    if not all(result.is_begun for result in results):
        return NOT_BEGUN
    if any(result.lag is not None for result in results):
        return VOID
    return FAULTS if any(result.evidence or result.record.faults for result in results) else 0
