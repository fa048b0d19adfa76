"""Matches in a row: cut short, one after the other, over each kind of socket (SPEC 2, 5)."""

from __future__ import annotations

import socket
from dataclasses import replace

import trio

from arena.check.bench import Bench
from arena.check.findings import Finding, NotStarted, Severity
from arena.check.peer import NAGLE_US, Pieces
from protocol.durations import told

KINDS = {"unix": "Unix socket", "tcp": "TCP", "tcp6": "TCP with an IPv6 address", "door": "a door"}


async def plain(bench: Bench) -> None:
    """Play a match with nothing odd in it: a bot that fails here fails everywhere."""
    opponent = await bench.opponent()
    await opponent.play(bench.short())
    await opponent.quiet()


async def void(bench: Bench) -> None:
    """Void a match in the middle of a decision; the answer to that is stale."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short())
    await opponent.ask()
    opponent.hold_request()
    opponent.hold_end("void")
    await opponent.flush()
    await opponent.quiet(stale=1)
    await opponent.play(bench.short(number=1), most=2)


async def empty(bench: Bench) -> None:
    """End a match before the bot's first turn, as if all others had forfeited."""
    opponent = await bench.opponent()
    await opponent.play(bench.short(), most=0)
    await opponent.quiet()
    await opponent.play(bench.short(number=1), most=1)


async def early(bench: Bench) -> None:
    """End a match after two decisions."""
    opponent = await bench.opponent()
    await opponent.play(bench.short(), most=2)
    await opponent.quiet()
    await opponent.play(bench.short(number=1), most=1)


async def second(bench: Bench) -> None:
    """Play three whole matches, with request ids that count on."""
    opponent = await bench.opponent()
    for number in range(3):
        await opponent.play(bench.short(number=number))
        if bench.has_thought_enough:
            break


async def pause(bench: Bench) -> None:
    """Pause between two matches, as a league does that has others to play."""
    opponent = await bench.opponent()
    await opponent.play(bench.short(), most=1)
    await opponent.quiet(1.0)
    await opponent.play(bench.short(number=1), most=1)


async def over(bench: Bench, kind: str) -> None:
    """Play over an address of this kind."""
    opponent = await bench.fresh(kind)
    await opponent.play(bench.short(), most=10)
    if kind != bench.kinds[0]:
        await bench.clear()  # the next step is to use the bot's usual address


async def over_ipv6(bench: Bench) -> None:
    """Play over `tcp:[::1]:4000`, in which the port follows the last colon."""
    if not has_ipv6():
        nothing = "not tried: this machine has no IPv6 address to itself"
        bench.log.add(Finding(Severity.NOTE, "2.2", nothing))
        # Run alone, this step would else tell of a bot that never started.
        await bench.opponent()
        return
    try:
        await over(bench, "tcp6")
    except NotStarted:
        # A warning only: few leagues have such addresses.
        known = bench.log.findings
        known[:] = [replace(finding, severity=Severity.WARNING) for finding in known]
        raise


def has_ipv6() -> bool:
    """Tell whether this machine has an IPv6 address of its own."""
    try:
        with socket.socket(socket.AF_INET6) as sock:
            sock.bind(("::1", 0))
    except OSError:
        return False
    return True


async def mixed(bench: Bench) -> None:
    """Play two decisions of each game on one connection."""
    opponent = await bench.opponent()
    for game in (*bench.games, bench.games[0]):
        await opponent.play(bench.short(game, number=1), most=2)
        await trio.lowlevel.checkpoint()


async def one_write(bench: Bench) -> None:
    """Judge how the frames of all steps so far arrived."""
    if not bench.runs.pieces:
        opponent = await bench.opponent()
        await opponent.play(bench.short(), most=10)
    for kind, pieces in bench.runs.pieces.items():
        if pieces.in_pieces:
            bench.log.add(cut_frames(kind, pieces))


def cut_frames(kind: str, pieces: Pieces) -> Finding:
    """Return the finding about frames that came in several pieces. `kind`: of address."""
    gap = pieces.longest_gap_us
    cost = (
        f" They were up to {told(gap)} apart, on your clock: that is Nagle's algorithm."
        if gap > NAGLE_US and kind != "unix"
        else ""
    )
    return Finding(
        Severity.WARNING,
        "2.2",
        f"{pieces.in_pieces} of {pieces.frames} frames came in several pieces"
        f" ({KINDS[kind]}).{cost}",
        advice="Write header and body with one call; on TCP set TCP_NODELAY as well.",
    )
