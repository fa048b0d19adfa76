"""Start the bot and hear its hello (SPEC 2, 4.1)."""

from __future__ import annotations

from arena.check.bench import Bench
from arena.check.findings import Finding, NotStarted, Severity
from protocol import limits
from protocol.durations import told

# All characters that a hasty program trims, quotes or decodes, and as many as are allowed.
_ODD = " %41+/=~\"'$HOME\\n{}\u00e9"
ODD_TOKEN = _ODD + "x" * (limits.MAX_TOKEN_CHARS - len(_ODD) - 1) + " "


async def says_hello(bench: Bench) -> None:
    """Start the bot and measure its time to hello."""
    opponent = await bench.fresh()
    took_ms = opponent.peer.hello_took_us // 1000
    start_ms = bench.runs.start_ms
    if took_ms > start_ms // 2:
        bench.log.add(
            Finding(
                Severity.WARNING,
                "2.4",
                f"its hello came after {told(took_ms * 1000)} of the {told(start_ms * 1000)}"
                " there are",
                advice="Connect and say hello first; load tables afterwards.",
            )
        )


async def waits(bench: Bench) -> None:
    """Send welcome and start, and hear whether the bot stays silent."""
    opponent = await bench.fresh()
    await opponent.quiet(0.15)
    opponent.hold_start(bench.short())
    await opponent.flush()
    await opponent.quiet(0.15)
    await opponent.ask()
    await opponent.quiet(0.15)
    opponent.hold_end()
    await opponent.flush()
    await opponent.quiet(0.15)


async def odd_token(bench: Bench) -> None:
    """Start the bot with a token that is long and full of odd characters."""
    await bench.opponent()  # with an ordinary token it started
    opponent = await bench.fresh(token=ODD_TOKEN)
    await opponent.play(bench.short(), most=1)


async def two_at_once(bench: Bench) -> None:
    """Play with two processes of the bot at once, as a league may."""
    first = await bench.opponent()
    try:
        second = await bench.second()
    except NotStarted:
        came = bench.log.findings.pop()
        raise bench.log.fail(
            Finding(
                Severity.WARNING,
                "2.4",
                "a second run of it does not start while the first goes on",
                "the same command, with another token",
                came.what,
                "Leagues may start several. Look for a fixed port, a lock, or a file that both"
                " write.",
                came.output,
            )
        ) from None
    try:
        second.hold_welcome()
        for opponent in (first, second):
            opponent.hold_start(bench.short())
            await opponent.flush()
        for _ in range(3):
            for opponent in (first, second):
                await opponent.ask()
        for opponent in (first, second):
            opponent.hold_end()
            await opponent.flush()
    finally:
        await second.peer.kill()
