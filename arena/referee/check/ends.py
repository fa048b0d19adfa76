"""How a bot leaves: by itself, on bye or when its connection ends (SPEC 2.4, 4.8)."""

from __future__ import annotations

from arena.referee.check.bench import Bench
from arena.referee.check.decisions import short
from arena.referee.check.findings import Finding, Severity
from arena.referee.check.opponent import Opponent
from arena.referee.clock import now_us
from arena.referee.house import GRACE_MS
from protocol.durations import told

# Longer, and it would hold up a league for nothing but its own end.
PATIENCE_SECONDS = 3.0


async def bye(bench: Bench) -> None:
    """After a match."""
    opponent = await bench.opponent()
    await opponent.play(short(bench.game), most=1)
    await opponent.say_bye()
    await leaves(bench, opponent, well=True)


async def bye_at_once(bench: Bench) -> None:
    """It was not needed after all."""
    opponent = await bench.fresh()
    await opponent.say_bye("stopping")
    await leaves(bench, opponent)


async def bye_while_asked(bench: Bench) -> None:
    """The server was told to stop; nobody waits for the answer."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game))
    await opponent.ask()
    opponent.hold_request()
    await opponent.say_bye("stopping")
    await leaves(bench, opponent)


async def closed(bench: Bench) -> None:
    """The server has died."""
    opponent = await bench.opponent()
    opponent.last_sent = "nothing; the connection was closed between matches"
    await leaves(bench, opponent)


async def closed_inside(bench: Bench) -> None:
    """It has died while it wrote."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game))
    await opponent.flush()
    opponent.hold_request()
    # What is left of the frame is put aside and never sent.
    await opponent.peer.flush_part(opponent.peer.held_bytes // 2)
    opponent.last_sent = "half a request; then the connection was closed"
    await leaves(bench, opponent)


async def leaves(bench: Bench, opponent: Opponent, *, well: bool = False) -> None:
    """Close, and see how the program ends."""
    peer = opponent.peer
    bench.runs.measures.weigh(peer.process.pid)
    await peer.close()
    began = now_us()
    how = await peer.leaves(PATIENCE_SECONDS)
    took = now_us() - began
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
