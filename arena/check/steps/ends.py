"""Ends of a bot: by itself, on bye or when its connection ends (SPEC 2.4, 4.8)."""

from __future__ import annotations

from arena.check.bench import Bench
from arena.check.findings import Finding, Severity
from arena.check.opponent import Opponent
from arena.referee.players.started import GRACE_MS
from protocol.durations import told

# A bot that takes longer to end would hold up a league.
PATIENCE_SECONDS = 3.0


async def bye(bench: Bench) -> None:
    """Say bye after a match."""
    opponent = await bench.opponent()
    await opponent.play(bench.short(), most=1)
    await opponent.say_bye()
    await leaves(bench, opponent, well=True)


async def bye_at_once(bench: Bench) -> None:
    """Say bye before any match, as to a bot that is not needed."""
    opponent = await bench.fresh()
    await opponent.say_bye("stopping")
    await leaves(bench, opponent)


async def bye_while_asked(bench: Bench) -> None:
    """Say bye while a request is open, as a server does that was told to stop."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short())
    await opponent.ask()
    opponent.hold_request()
    await opponent.say_bye("stopping")
    await leaves(bench, opponent)


async def closed(bench: Bench) -> None:
    """Close the connection between matches, as if the server had died."""
    opponent = await bench.opponent()
    opponent.last_sent = "nothing; the connection was closed between matches"
    await leaves(bench, opponent)


async def closed_inside(bench: Bench) -> None:
    """Close the connection inside a frame, as if the server had died while it wrote."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short())
    await opponent.flush()
    opponent.hold_request()
    # The rest of the frame is never sent.
    await opponent.peer.flush_part(opponent.peer.held_bytes // 2)
    opponent.last_sent = "half a request; then the connection was closed"
    await leaves(bench, opponent)


async def leaves(bench: Bench, opponent: Opponent, *, well: bool = False) -> None:
    """Close the connection, and judge how the program ends. `well`: with exit code 0."""
    peer = opponent.peer
    bench.runs.measures.weigh(peer.process.pid)
    await peer.close()
    began = peer.now()
    how = await peer.leaves(PATIENCE_SECONDS)
    took = peer.now() - began
    if how is None:
        raise bench.log.fail(
            Finding(
                Severity.ERROR,
                "2.4",
                f"the program still runs {told(took)} after its connection ended",
                opponent.last_sent,
                "nothing",
                "End when `bye` comes, and when a read gives nothing or fails.",
                await peer.stderr(),
                kind="lives on",
            )
        )
    if took > GRACE_MS * 1000:
        bench.log.add(
            Finding(
                Severity.WARNING,
                "2.4",
                f"the program took {told(took)} to end; after {GRACE_MS} ms it is killed",
                opponent.last_sent,
                f"its end: {how}",
                "Do not save or compute anything after `bye`.",
                kind="slow to end",
            )
        )
    if well and how.code != 0:
        bench.log.add(
            Finding(
                Severity.WARNING,
                "4.8",
                f"the program ended badly after an ordinary bye: {how}",
                opponent.last_sent,
                f"its end: {how}",
                "A session that went well ends with exit code 0.",
                await peer.stderr(),
            )
        )
