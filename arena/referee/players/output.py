"""The output of a bot after a match, and the exit of its process, for the evidence of faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import trio

from arena.record.evidence import Evidence
from arena.referee.players.player import Player

# The connection of a process that ends is closed first; the exit is seen later, because the
# kernel reports it later and interpreters tidy up before they exit.
MOMENT_SECONDS = 0.5

STILL_RUNNING = "it still runs"


@dataclass(frozen=True)
class Remains:
    """Output and exit of one bot; empty where it printed nothing, or runs out of our sight."""

    stdout: str = ""
    stderr: str = ""
    exit: str = ""


async def remains_of(player: Player, *, is_gone: bool) -> Remains:
    """Collect output and exit of a bot now. `is_gone`: its connection has ended, so wait a moment
    for its exit."""
    if is_gone:
        with trio.move_on_after(MOMENT_SECONDS):
            await player.exited()
    tails = await player.tails()
    if tails is None:
        return Remains()
    end = str(player.exit or "")
    if player.exit is None and (is_gone or tails.reached):
        end = "; ".join((STILL_RUNNING, *tails.reached))
    return Remains(str(tails.stdout), str(tails.stderr), end)


async def with_output(
    evidence: Sequence[Evidence], players: Sequence[Player]
) -> tuple[Evidence, ...]:
    """Add to each fault the output of its bot and the exit of its process. `players`: by seat."""
    gone: dict[int, bool] = {}
    for kept in evidence:
        gone[kept.seat] = gone.get(kept.seat, False) or kept.kind == "gone"
    remains = {seat: await remains_of(players[seat], is_gone=gone[seat]) for seat in sorted(gone)}
    return tuple(
        msgspec.structs.replace(
            kept,
            stdout=remains[kept.seat].stdout,
            stderr=remains[kept.seat].stderr,
            exit=remains[kept.seat].exit,
        )
        for kept in evidence
    )
