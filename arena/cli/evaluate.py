"""`arena evaluate`: a policy of Python plays bots, in this process, and its Elo is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
import trio

from arena.bots.program import MAY_REMEMBER, DialIn
from arena.cli.bots import pool_of
from arena.cli.confining import confine as confine_bots
from arena.cli.confining import confine_option, read_option
from arena.cli.evaluating.arguments import evaluation_of, policy_called
from arena.cli.evaluating.json import document
from arena.cli.evaluating.text import told_evaluation, told_mistake
from arena.cli.evaluating.view import EvaluationView
from arena.cli.match import GOODBYE_SECONDS, exit_code
from arena.cli.match_arguments import AskedMatch, address_of
from arena.cli.match_keep import kept_sets
from arena.cli.match_sets import AskedSets
from arena.cli.printer import Printer
from arena.cli.progress import progress
from arena.cli.recording import Recording
from arena.cli.running import run, until_ctrl_c
from arena.compare.keep import CannotKeep
from arena.compare.play import Comparison, Keep, play
from arena.evaluate.seat import PolicyPlayer, PolicySeat
from arena.exits import INTERRUPTED
from arena.policy.answer import PolicyMistake
from arena.policy.policy import Policy
from arena.record import timing
from arena.referee.house import House, open_house
from arena.referee.players.pool import Seated, processes_for
from arena.tcp_address import TCP_EXAMPLE
from arena.text import listed

SETS = 100

HELP = """\
Evaluate a policy, a function of Python, against bots, and tell its Elo.

MODULE:NAME is the policy: a function that gets a decision and returns an action, imported from the
current folder and called in this process (docs/library.md). It has one seat; the BOTs, named as
in `arena match`, have the others, as confined processes that play as in a league. Each set is
one deal, played by the policy from every seat. Its clock is that of a match, in processor time.
GAME may be left out if the policy says that it plays only one, or the bots do. One set is
played at a time: a policy has one process.

\b
Exit codes:
  0  played, without a fault
  1  an error, also of the policy, told in words
  2  wrong usage
  3  played, and the policy or some bot had faults
  4  some bot did not start: not played
  5  played, but a set was void: this machine was too slow
  130  stopped by Ctrl-C; what is known so far is told

\b
Examples:
  arena evaluate my_policy:policy nyet python-high -o rounds=1
  arena evaluate my_policy:policy nyet python-high python-high python-tricks --sets 200
  arena evaluate net:Player nope python-random --no-clock --seed 7 --json
  arena evaluate net:Player nyet ./my-bot --sets 1000 --keep net.sets --record net.json
"""


@click.command("evaluate", help=HELP)
@click.argument("policy", metavar="MODULE:NAME")
@click.argument("words", nargs=-1, metavar="GAME BOT...")
@click.option(
    "--sets", type=click.IntRange(1), default=SETS, show_default=True, help="Play so many sets."
)
@click.option("--seed", help="Any text, or hex: and digits; without, the deals are drawn anew.")
@click.option("-o", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option(
    "--decision-ms",
    type=click.IntRange(1),
    help=f"Of processor time for the policy, of time for bots.  [default: {timing.DECISION_MS}]",
)
@click.option("--bank-ms", type=click.IntRange(0), help=f"[default: {timing.BANK_MS}]")
@click.option("--start-ms", type=click.IntRange(1), help=f"[default: {timing.START_MS}]")
@click.option("--no-clock", is_flag=True, help="The policy is never late; bots have their clock.")
@click.option("--listen", metavar="ADDRESS", help=f"Where to dial in, as {TCP_EXAMPLE}.")
@confine_option
@read_option
@click.option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the sets here as they end; the same command goes on after Ctrl-C or a kill. Only the"
    " module's own file is compared: after a training, name another FILE.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write the records here, one a line; `arena replay` tells them again.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
def COMMAND(  # noqa: N802  # the name that every command module exports
    policy: str,
    words: tuple[str, ...],
    sets: int,
    seed: str | None,
    options: tuple[str, ...],
    no_clock: bool,
    listen: str | None,
    confine: str | None,
    read: tuple[Path, ...],
    keep: Path | None,
    record: Path | None,
    as_json: bool,
    **times: int | None,
) -> None:
    """Evaluate a policy, as HELP says."""
    found = policy_called(policy)
    asked = evaluation_of(found, words, seed, options, is_timed=not no_clock).timed(**times)
    address = address_of(listen, asked.bots)
    asked_sets = AskedSets(sets, None, keep, 1, None)
    printer = Printer()
    with (
        nullcontext() if record is None else Recording(record) as recording,
        kept_sets(asked, asked_sets, is_seed_given=seed is not None) as (comparison, keeps),
    ):
        house = partial(open_house, hello_ms=asked.start_ms, listen=address)
        confined = partial(confine_bots, wish=confine, read=read)
        playing = Playing(found, asked, comparison, keeps, is_timed=not no_clock)
        ending = Ending(playing, printer, recording, as_json=as_json)
        main = partial(evaluate, playing, printer, house, confined, ending)
        code = run(main, told=(CannotKeep,))
        if code == INTERRUPTED and not ending.is_told:
            ending.tell()  # before the first match: all there is, is what was asked for
    printer.end()
    raise SystemExit(code)


@dataclass(frozen=True)
class Playing:
    """An evaluation under way. `is_timed`: the policy may be late."""

    policy: Policy
    asked: AskedMatch
    comparison: Comparison
    keep: Keep | None
    is_timed: bool


async def evaluate(
    playing: Playing,
    printer: Printer,
    house_of: Callable[[], AbstractAsyncContextManager[House]],
    confined: Callable[[House], Awaitable[None]],
    ending: Ending,
) -> int:
    """Play the sets, tell their end, and return the exit code.

    `confined` is called with the house before any bot is built or started.
    """
    asked, comparison, policy = playing.asked, playing.comparison, playing.policy
    callers = [bot.name for bot in asked.bots if isinstance(bot, DialIn)]
    if callers:
        click.echo(f"{listed(callers)} {MAY_REMEMBER}", err=True)
    processes = processes_for(len(comparison.seatings), 1)
    async with house_of() as house:
        if len(callers) < len(asked.bots) - 1:
            await confined(house)
        pool = await pool_of(house, asked.bots, asked.start_ms, processes, {})
        reason = "stopping"
        try:
            with progress() as count:
                async with until_ctrl_c() as scope:
                    seat = PolicySeat(policy, scope.cancel, is_timed=playing.is_timed)
                    pool.add(policy.name, [Seated(PolicyPlayer(policy.name, seat), is_ours=False)])
                    view = EvaluationView(printer, count)
                    await play(comparison, pool, view, playing.keep)
            code = ending.code(seat.mistake, is_stopped=scope.cancelled_caught)
            reason = "stopping" if scope.cancelled_caught else "done"
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(GOODBYE_SECONDS):
                await pool.say_bye(reason)
    return code


class Ending:
    """What is told at the end of an evaluation. `is_told`: the results are."""

    def __init__(
        self, playing: Playing, printer: Printer, recording: Recording | None, *, as_json: bool
    ):
        self.is_told = False
        self._playing = playing
        self._print = printer
        self._recording = recording
        self._as_json = as_json

    def tell(self, mistake: PolicyMistake | None = None) -> None:
        """Write the records, and print the results; in words only if there are some, or no
        mistake to tell instead."""
        self.is_told = True
        comparison, is_timed = self._playing.comparison, self._playing.is_timed
        begun = [result.record for result in comparison.results if result.is_begun]
        if self._recording is not None and begun:
            self._recording.write(begun)
        if self._as_json:
            self._print(document(comparison, is_timed=is_timed))
        elif begun or mistake is None:
            for line in told_evaluation(comparison, is_timed=is_timed):
                self._print(line)

    def code(self, mistake: PolicyMistake | None, *, is_stopped: bool) -> int:
        """Tell the results; then raise a mistake of the policy, or return the exit code."""
        self.tell(mistake)
        comparison = self._playing.comparison
        if mistake is not None:
            raise click.ClickException(told_mistake(comparison, mistake))
        if is_stopped:
            click.echo("stopped", err=True)
            return INTERRUPTED
        if self._recording is not None and self._recording.failed:
            return 1
        return exit_code(comparison.results)
