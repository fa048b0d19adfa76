"""`arena match`: bots play each other, here and now."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import click
import trio

from arena.cli.bots import Caller, must_play, named_bots, players_of
from arena.cli.listening import check_listening
from arena.cli.printer import Printer
from arena.cli.recording import Recording
from arena.cli.running import run, until_ctrl_c
from arena.cli.show import Show, show_for
from arena.cli.tap import PrintingTap
from arena.cli.values import game_options, seed_bytes
from arena.exits import INTERRUPTED
from arena.games import GAMES, BadSeats, GameError
from arena.record import Record, to_json
from arena.record.transcript import plain
from arena.referee.addresses import TcpAddress
from arena.referee.botfile import Bot
from arena.referee.clock import now_us
from arena.referee.house import open_house
from arena.referee.match import Plan, Played
from arena.referee.player import Player
from arena.referee.remains import Remains, remains_by_seat, remains_of
from arena.referee.sets import results, seatings, seed_of_set, with_bar
from arena.referee.sitting import NotBegun, sit_down
from arena.referee.tcp_address import TCP_EXAMPLE
from protocol import limits

# Exit codes beyond click's (0 fine, 1 an error, 2 wrong usage).
FAULTS = 3
NOT_BEGUN = 4
VOID = 5

DEFAULT = "[default: {}, or what the match of --like had]"


@dataclass(frozen=True)
class Named:
    """What is to be played, and by whom."""

    plan: Plan
    start_ms: int
    bots: Sequence[Bot | Caller]  # by seat


@dataclass(frozen=True)
class Done:
    """What came of a match, and by seat what can be seen of those who had faults or were absent."""

    match: Played | NotBegun
    remains: Mapping[int, Remains]


PlayedSet: TypeAlias = list[tuple[tuple[int, ...], Done]]
"""By match: which bot sat where, and what came of it."""


@dataclass(frozen=True)
class Order:
    """What was asked for."""

    plan: Plan
    sets: int | None
    start_ms: int
    as_json: bool
    recording: Recording | None


@click.command("match")
@click.argument("words", nargs=-1, metavar="GAME BOT BOT...")
@click.option(
    "--like",
    metavar="LEAGUE:MATCH",
    help="The deal, options, clock and seating of a match in a league; only BOTs are named.",
)
@click.option("--sets", type=click.IntRange(1), help="Play so many sets, seats turned in each.")
@click.option("--seed", help="Any text, or hex: and digits; without, the deals are drawn anew.")
@click.option("-o", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--decision-ms", type=click.IntRange(1), help=DEFAULT.format(limits.DECISION_MS))
@click.option("--bank-ms", type=click.IntRange(0), help=DEFAULT.format(limits.BANK_MS))
@click.option("--hang-ms", type=click.IntRange(1), help=DEFAULT.format(limits.HANG_MS))
@click.option("--start-ms", type=click.IntRange(1), help=DEFAULT.format(limits.START_MS))
@click.option("--listen", metavar="ADDRESS", help=f"Where to dial in, as {TCP_EXAMPLE}.")
@click.option("--tap", is_flag=True, help="Print every frame both ways, decoded, with its time.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write the record here; `arena replay` tells it again. With --sets, one a line.",
)
def COMMAND(  # noqa: N802  # what every command module exports
    words: tuple[str, ...],
    like: str | None,
    sets: int | None,
    seed: str | None,
    options: tuple[str, ...],
    decision_ms: int | None,
    bank_ms: int | None,
    hang_ms: int | None,
    start_ms: int | None,
    listen: str | None,
    tap: bool,
    as_json: bool,
    record: Path | None,
) -> None:
    """Play a match of GAME between bots, as many as there are seats.

    A BOT is a folder with a bot.toml, the name of a sample bot, a command line in quotes, or
    dial-in:NAME: one that you start yourself, in a debugger say, and that is waited for.
    With --sets each set is played in every seating, and the differences are told with their
    bars and how many sets would separate the bots. With --like a match of a league is played
    again by today's bots, or by others; times that are given here are taken instead of its own.

    \b
    Exit codes:
      0  played, without a fault
      1  an error, told in words
      2  wrong usage
      3  played, and some bot had faults
      4  some bot did not start: not played
      5  void: this machine was too slow
      130  stopped by Ctrl-C; what was played is told

    \b
    Examples:
      arena match nyet python-random python-random python-bare python-random
      arena match nope ./my-bot python-random --sets 50 -o max_turns=200
      arena match njet ./my-bot python-random --seed 7 --tap
      arena match nope "python3 my_bot.py" python-random --record match.json
      arena match nyet dial-in:me python-random --decision-ms 3600000
      arena match --like cup:17.4
    """
    if like is not None:
        if sets is not None or seed is not None or options:
            raise click.UsageError(
                "--like takes deal and options from the match: leave --sets, --seed and -o out"
            )
        # What knows leagues takes a while to load.
        from arena.cli.like import match_like

        taken = match_like(like, words)
    else:
        taken = match_of(words, seed, options)
    address = address_of(listen, taken.bots)
    timing = taken.plan.timing
    plan = replace(
        taken.plan,
        timing=replace(
            timing,
            decision_ms=timing.decision_ms if decision_ms is None else decision_ms,
            bank_ms=timing.bank_ms if bank_ms is None else bank_ms,
            hang_ms=timing.hang_ms if hang_ms is None else hang_ms,
        ),
    )
    hello_ms = taken.start_ms if start_ms is None else start_ms
    printer = Printer()
    show = show_for(printer, lines_only=tap or sets is not None, silent=as_json)
    printing = PrintingTap(now_us, printer) if tap else None

    async def main(recording: Recording | None) -> int:
        order = Order(plan, sets, hello_ms, as_json, recording)
        if address is not None:
            check_listening(address)
        async with open_house(hello_ms=hello_ms, tap=printing, listen=address) as house:
            players = await players_of(house, taken.bots, hello_ms)
            try:
                return await play_all(order, players, show, printer)
            finally:
                with trio.CancelScope(shield=True), trio.move_on_after(2):
                    await see_off(players)

    with nullcontext() if record is None else Recording(record) as recording:
        code = run(partial(main, recording))
    printer.end()
    raise SystemExit(code)


def match_of(words: Sequence[str], seed: str | None, options: Sequence[str]) -> Named:
    """A match as named: the game, then the bots by seat."""
    if len(words) < 2:
        raise click.UsageError(
            "name a game and its bots, such as: arena match nope python-random python-bare"
        )
    game, *arguments = words
    bots = named_bots(arguments)
    plan = Plan(
        match="",
        game=game,
        seats=len(bots),
        seed=seed_bytes(seed) if seed is not None else secrets.token_bytes(32),
        names=tuple(bot.name for bot in bots),
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
    must_play(game, bots)
    return Named(plan, limits.START_MS, tuple(bots))


def address_of(listen: str | None, bots: Sequence[Bot | Caller]) -> TcpAddress | None:
    """Where to dial in, if somebody will."""
    if not any(isinstance(bot, Caller) for bot in bots):
        if listen is not None:
            raise click.UsageError("--listen is where bots dial in; name one: dial-in:NAME")
        return None
    try:
        address = TcpAddress() if listen is None else TcpAddress.of(listen)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--listen") from None
    return address


async def see_off(players: Sequence[Player]) -> None:
    """All at once, so that nobody waits for a bot that does not go."""
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.say_bye, "done")


async def play_all(order: Order, players: Sequence[Player], show: Show, printer: Printer) -> int:
    """One match, or the sets; the exit code. Ctrl-C ends it, and tells what there is."""
    sets: list[PlayedSet] = []
    async with until_ctrl_c() as scope:
        if order.sets is None:
            sets.append([((*range(order.plan.seats),), await one(order.plan, players, show))])
        else:
            await play_sets(order, players, show, printer, sets)
    played = [done.match for one_set in sets for _, done in one_set]
    begun = [match for match in played if isinstance(match, Played)]
    if order.recording is not None and begun:
        order.recording.write([match.record for match in begun])
    if order.as_json:
        printer(document(order, sets))
    elif order.sets is not None:
        for line in told_results(order, sets):
            printer(line)
    if scope.cancelled_caught:
        click.echo("stopped", err=True)
        return INTERRUPTED
    if order.recording is not None and order.recording.failed:
        return 1
    return exit_code(played)


async def play_sets(
    order: Order,
    players: Sequence[Player],
    show: Show,
    printer: Printer,
    sets: list[PlayedSet],
) -> None:
    """Every set in every seating, put into `sets`; a bot that does not come ends it."""
    assert order.sets is not None
    for number in range(order.sets):
        sets.append([])
        for seating in seatings(len(players)):
            plan = in_seating(order.plan, seating, seed_of_set(order.plan.seed, number))
            done = await one(plan, [players[bot] for bot in seating], show)
            sets[-1].append((seating, done))
            if isinstance(done.match, NotBegun) or printer.closed:
                return
        for complete in records(sets[-1:]):
            show.progress(number + 1, order.sets, order.plan.names, complete)


def in_seating(plan: Plan, seating: Sequence[int], seed: bytes) -> Plan:

    return replace(plan, seed=seed, names=tuple(plan.names[bot] for bot in seating))


async def one(plan: Plan, players: Sequence[Player], show: Show) -> Done:
    """One match, shown as it goes."""
    with show.match(plan) as watch:
        match = await sit_down(plan, players, watch)
    if isinstance(match, NotBegun):
        remains = {seat: await remains_of(players[seat], is_gone=False) for seat in match.absent}
        for seat, breach in match.absent.items():
            show.absent(plan.names[seat], breach, remains[seat])
        return Done(match, remains)
    seen = await remains_by_seat(match.evidence, players)
    show.result(match, seen)
    return Done(match, seen)


def exit_code(played: Sequence[Played | NotBegun]) -> int:
    """The worst of what happened."""
    if any(isinstance(match, NotBegun) for match in played):
        return NOT_BEGUN
    begun = [match for match in played if isinstance(match, Played)]
    if any(match.lag is not None for match in begun):
        return VOID
    return FAULTS if any(match.evidence for match in begun) else 0


def records(
    sets: Sequence[PlayedSet],
) -> list[list[tuple[tuple[int, ...], Record]]]:
    """The sets that were played in every seating, and count."""
    return [
        [(seating, done.match.record) for seating, done in one if isinstance(done.match, Played)]
        for one in sets
        if one
        and len(one) == len(one[0][0])
        and all(isinstance(done.match, Played) and done.match.lag is None for _, done in one)
    ]


def told_results(order: Order, played: Sequence[PlayedSet]) -> Iterator[str]:
    """The table, and how far its neighbours are apart."""
    complete = records(played)
    if not complete:
        yield "no set is complete, so there is no result"
        return
    names = [plain(name) for name in order.plan.names]
    width = max(map(len, names))
    rows, gaps = results(len(names), complete)
    sets = len(complete)
    how_many = f"{sets} set{'' if sets == 1 else 's'} of {len(names)} matches"
    yield f"\n{how_many}; bars are 95 %, over sets"
    yield f"{'bot':<{width}}  {'ahead of others':>16}  {'points a match':>18}"
    for row in rows:
        ahead, points = with_bar(row.ahead, sets), with_bar(row.points, sets)
        yield f"{names[row.bot]:<{width}}  {ahead:>16}  {points:>18}"
    for better, worse, gap in zip(rows, rows[1:], gaps, strict=False):
        pair = f"{names[better.bot]} over {names[worse.bot]}: {with_bar(gap.gap, sets)}"
        if gap.is_separated:
            yield f"{pair}, separated"
        elif gap.sets_to_separate is None:
            yield f"{pair}, level or too few sets to tell"
        else:
            yield f"{pair}, not separated; some {gap.sets_to_separate} sets would do it"


def document(order: Order, sets: Sequence[PlayedSet]) -> str:
    """Everything in one JSON document; raw bytes as hexadecimal."""
    matches = []
    for number, one_set in enumerate(sets):
        for seating, done in one_set:
            match = done.match
            entry: dict[str, object] = {"set": number, "seating": list(seating)}
            if isinstance(match, NotBegun):
                entry["absent"] = {seat: breach.text for seat, breach in match.absent.items()}
                entry["output"] = {
                    seat: {"stdout": left.stdout, "stderr": left.stderr}
                    for seat, left in done.remains.items()
                }
            else:
                entry["record"] = json.loads(to_json(match.record))
                entry["void"] = match.lag is not None
                entry["faults"] = [
                    {
                        "seat": kept.entry.seat,
                        "move": kept.entry.move,
                        "kind": kept.entry.kind,
                        "code": kept.entry.code,
                        "text": kept.entry.text,
                        "played": kept.played,
                        "legal": list(kept.legal),
                        "request": kept.request.hex(),
                        "reply": kept.reply.hex(),
                        "allowed_us": kept.allowed_us,
                        "took_us": kept.took_us,
                        "stdout": done.remains[kept.entry.seat].stdout,
                        "stderr": done.remains[kept.entry.seat].stderr,
                        "exit": done.remains[kept.entry.seat].exit,
                    }
                    for kept in match.evidence
                ]
            matches.append(entry)
    plan = order.plan
    whole: dict[str, object] = {
        "game": plan.game,
        "seats": plan.seats,
        "seed": plan.seed.hex(),
        "bots": list(plan.names),
        "matches": matches,
    }
    complete = records(sets)
    if order.sets is not None and complete:
        rows, _ = results(plan.seats, complete)
        whole["results"] = [
            {
                "bot": plan.names[row.bot],
                "ahead": row.ahead.value,
                "ahead_bar": row.ahead.bar,
                "points": row.points.value,
                "points_bar": row.points.bar,
            }
            for row in rows
        ]
    return json.dumps(whole, indent=2)
