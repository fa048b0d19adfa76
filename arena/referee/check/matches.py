"""From match to match: cut short, one after the other, over each kind of socket (SPEC 2, 5)."""

from __future__ import annotations

import socket
from dataclasses import replace

import trio

from arena.referee.check.bench import Bench
from arena.referee.check.decisions import short
from arena.referee.check.findings import Finding, NotStarted, Severity
from arena.referee.check.peer import NAGLE_US
from protocol.durations import told

KINDS = {"unix": "Unix socket", "tcp": "TCP", "tcp6": "TCP with an IPv6 address"}


async def plain(bench: Bench) -> None:
    """Nothing odd about it: what goes wrong here goes wrong everywhere."""
    opponent = await bench.opponent()
    await opponent.play(short(bench.game))
    await opponent.quiet()


async def void(bench: Bench) -> None:
    """Called off in the middle of a decision; the answer to that is stale."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game))
    await opponent.ask()
    opponent.hold_request()
    opponent.hold_end("void")
    await opponent.flush()
    await opponent.quiet(stale=1)
    await opponent.play(short(bench.game, number=1), most=2)


async def empty(bench: Bench) -> None:
    """The others have forfeited, say, before it was this bot's turn."""
    opponent = await bench.opponent()
    await opponent.play(short(bench.game), most=0)
    await opponent.quiet()
    await opponent.play(short(bench.game, number=1), most=1)


async def early(bench: Bench) -> None:
    """After two decisions."""
    opponent = await bench.opponent()
    await opponent.play(short(bench.game), most=2)
    await opponent.quiet()
    await opponent.play(short(bench.game, number=1), most=1)


async def second(bench: Bench) -> None:
    """Three whole matches, request ids counting on."""
    opponent = await bench.opponent()
    for number in range(3):
        await opponent.play(short(bench.game, number=number))
        if bench.has_thought_enough:
            break


async def pause(bench: Bench) -> None:
    """A league has others to play; nothing comes for a while."""
    opponent = await bench.opponent()
    await opponent.play(short(bench.game), most=1)
    await opponent.quiet(1.0)
    await opponent.play(short(bench.game, number=1), most=1)


async def over(bench: Bench, kind: str) -> None:
    """It reads ARENA_CONNECT and comes where that says."""
    opponent = await bench.fresh(kind)
    await opponent.play(short(bench.game), most=10)
    if kind != bench.kinds[0]:
        await bench.clear()  # the next step wants the usual


async def over_ipv6(bench: Bench) -> None:
    """`tcp:[::1]:4000`: the port follows the last colon."""
    if not has_ipv6():
        nothing = "not tried: this machine has no IPv6 address to itself"
        bench.log.add(Finding(Severity.NOTE, "2.2", nothing))
        return
    try:
        await over(bench, "tcp6")
    except NotStarted:
        # Few leagues have such addresses, so it hurts one day only.
        known = bench.log.findings
        known[:] = [replace(finding, severity=Severity.WARNING) for finding in known]
        raise


def has_ipv6() -> bool:
    """This machine has an IPv6 address to itself."""
    try:
        with socket.socket(socket.AF_INET6) as sock:
            sock.bind(("::1", 0))
    except OSError:
        return False
    return True


async def mixed(bench: Bench) -> None:
    """Two decisions of each game, on one connection."""
    opponent = await bench.opponent()
    for game in (*bench.games, bench.games[0]):
        await opponent.play(short(game, number=1), most=2)
        await trio.lowlevel.checkpoint()


async def one_write(bench: Bench) -> None:
    """What all frames of this check arrived as."""
    if not bench.runs.pieces:
        opponent = await bench.opponent()
        await opponent.play(short(bench.game), most=10)
    for kind, pieces in bench.runs.pieces.items():
        if not pieces.in_pieces:
            continue
        gap = pieces.longest_gap_us
        cost = (
            f" They were up to {told(gap)} apart, on your clock: that is Nagle's algorithm."
            if gap > NAGLE_US and kind != "unix"
            else ""
        )
        bench.log.add(
            Finding(
                Severity.WARNING,
                "2.2",
                f"{pieces.in_pieces} of {pieces.frames} frames came in several pieces"
                f" ({KINDS[kind]}).{cost}",
                advice="Write header and body with one call; on TCP set TCP_NODELAY as well.",
            )
        )
